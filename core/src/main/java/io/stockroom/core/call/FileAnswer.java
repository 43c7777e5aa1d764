package io.stockroom.core.call;

import io.stockroom.core.call.Rejection;
import io.stockroom.protocol.Language;
import java.io.IOException;
import java.io.OutputStream;
import java.sql.SQLException;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/**
 * An answer that is a file and not JSON, sent while it is made. Where that fails in the middle, the
 * connection is cut: a file that ends as it should is whole.
 *
 * @param name the name under which a browser keeps it, in plain ASCII
 */
public record FileAnswer(String mediaType, String name, Content content) implements Answer {
  /** Writes the file. */
  public interface Content {
    /** Gives the reason where there is no file, before anything was written; else null. */
    @Nullable Rejection write(OutputStream to) throws SQLException, IOException;
  }

  @Override
  public Map<String, String> headers() {
    return Map.of("Content-Disposition", "attachment; filename=\"" + name + "\"");
  }

  @Override
  public void write(JsonGenerator out, Language language) {
    throw new IllegalStateException("a file is not JSON");
  }
}
