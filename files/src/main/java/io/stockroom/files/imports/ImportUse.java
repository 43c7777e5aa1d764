package io.stockroom.files.imports;

import io.stockroom.core.limits.Usage;
import io.stockroom.core.settings.FileSize;
import java.util.List;

/** A merchant's usage of its import quota. */
public record ImportUse(long open, long maxOpen, long bytes, long maxBytes) {
  /** As the limits {@code imports-open} and {@code imports-bytes}. */
  public List<Usage.Line> lines() {
    return List.of(
        line("imports-open", maxOpen, open, "%d of %d imports are open".formatted(open, maxOpen)),
        line(
            "imports-bytes",
            maxBytes,
            bytes,
            "%s of %s of import files are stored"
                .formatted(FileSize.shown(bytes), FileSize.shown(maxBytes))));
  }

  private static Usage.Line line(String name, long limit, long used, String note) {
    return new Usage.Line(name, null, limit, used, Math.max(0, limit - used), null, note);
  }
}
