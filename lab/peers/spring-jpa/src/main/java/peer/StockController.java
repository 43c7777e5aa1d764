package peer;

import jakarta.validation.Valid;
import jakarta.validation.constraints.Size;
import java.util.List;
import org.springframework.http.MediaType;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** The stock list and the creation of stock. */
@RestController
public class StockController {
  private static final int MAX_GROUPS = 300;

  public record ListAnswer(boolean success, Object data, String msg) {}

  public record Entry(String guid, String barCode, String color, int size, int stock) {
    static Entry of(StockEntryRepository.Row row) {
      return new Entry(
          row.guid().toString().replace("-", ""),
          row.barcode(),
          row.color(),
          row.size(),
          row.quantity());
    }
  }

  private final ProductRepository products;
  private final StockEntryRepository entries;
  private final StockCreation creation;

  public StockController(
      ProductRepository products, StockEntryRepository entries, StockCreation creation) {
    this.products = products;
    this.entries = entries;
    this.creation = creation;
  }

  @PostMapping(path = "/Stock/List", consumes = MediaType.APPLICATION_FORM_URLENCODED_VALUE)
  @Transactional(readOnly = true)
  public ListAnswer list(@RequestAttribute Credential caller, @RequestParam int productid) {
    List<Entry> found =
        entries.findRows(caller.merchantId(), productid).stream().map(Entry::of).toList();
    if (!found.isEmpty()) {
      return new ListAnswer(true, found, "");
    }
    boolean exists = products.existsByIdAndMerchantId(productid, caller.merchantId());
    return new ListAnswer(
        false,
        "",
        exists
            ? "Stock has not been added for product " + productid + "."
            : "The product does not exist: " + productid + ".");
  }

  @PostMapping(path = "/Stock/Creat", consumes = MediaType.APPLICATION_JSON_VALUE)
  public StockCreation.Answer create(
      @RequestAttribute Credential caller,
      @RequestBody @Size(min = 1, max = MAX_GROUPS) List<@Valid ColorGroup> groups) {
    return creation.create(caller, groups);
  }
}
