package peer;

import jakarta.validation.Valid;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.NotEmpty;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Positive;
import jakarta.validation.constraints.PositiveOrZero;
import jakarta.validation.constraints.Size;
import java.util.List;

/** An element of the body of a create. */
public record ColorGroup(
    @NotBlank @Size(max = 64) String color,
    @NotNull @Positive Integer pid,
    @NotEmpty List<@Valid SizeItem> param) {
  /** A size or a range of sizes. */
  public record SizeItem(
      @NotNull @Pattern(regexp = "[1-9][0-9]{0,2}(-[1-9][0-9]{0,2})?") String size,
      @NotNull @PositiveOrZero Integer stock,
      @Size(max = 64) String barCode) {
    int first() {
      return Integer.parseInt(size.split("-")[0]);
    }

    int last() {
      return Integer.parseInt(size.substring(size.indexOf('-') + 1));
    }
  }
}
