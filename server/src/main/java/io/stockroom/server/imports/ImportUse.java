package io.stockroom.server.imports;

import io.stockroom.server.limits.Usage;
import io.stockroom.server.settings.FileSize;
import java.util.List;

/** How much of what it may have open and stored a merchant has. */
public record ImportUse(long open, long mostOpen, long bytes, long mostBytes) {
  /** As the limits {@code imports-open} and {@code imports-bytes}. */
  public List<Usage.Line> lines() {
    return List.of(
        line("imports-open", mostOpen, open, "%d of %d imports are open".formatted(open, mostOpen)),
        line(
            "imports-bytes",
            mostBytes,
            bytes,
            "%s of %s of files of imports are stored"
                .formatted(FileSize.shown(bytes), FileSize.shown(mostBytes))));
  }

  private static Usage.Line line(String name, long limit, long used, String note) {
    return new Usage.Line(name, null, limit, used, Math.max(0, limit - used), null, note);
  }
}
