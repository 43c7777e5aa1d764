package io.stockroom.core.call;

import io.stockroom.protocol.Language;
import java.io.IOException;
import java.io.OutputStream;
import java.sql.SQLException;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/**
 * An answer that is a file, sent while it is generated. If that fails, the connection is cut, so
 * that a client never takes a part for the whole.
 *
 * @param name the file name for browsers, in ASCII
 */
public record FileAnswer(String mediaType, String name, Content content) implements Answer {
  /** Writes the file. */
  public interface Content {
    /** Returns the reason if there is no file, before anything was written; else null. */
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
