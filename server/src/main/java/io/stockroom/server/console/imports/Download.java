package io.stockroom.server.console.imports;

import io.stockroom.server.call.FileAnswer;
import io.stockroom.server.call.Refused;
import io.stockroom.server.console.visit.Refusal;
import io.stockroom.server.console.visit.Visit;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.OutputStream;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * Sends a file while it is made. Nothing of the answer is settled before its first bytes are there,
 * so that whatever goes wrong until then is a page; what goes wrong later cuts the connection.
 */
final class Download extends OutputStream {
  private final HttpServletResponse response;
  private final FileAnswer file;
  private @Nullable OutputStream begun;

  private Download(HttpServletResponse response, FileAnswer file) {
    this.response = response;
    this.file = file;
  }

  static void send(HttpServletResponse response, FileAnswer file, Visit visit)
      throws SQLException, IOException {
    Refused refused = file.content().write(new Download(response, file));
    if (refused != null) {
      refused.headers().forEach(response::setHeader);
      throw new Refusal(
          refused.status(), "said", refused.problems().getFirst().message(visit.language()));
    }
  }

  @Override
  public void write(int single) throws IOException {
    write(new byte[] {(byte) single}, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    OutputStream to = begun;
    if (to == null) {
      response.setContentType(file.mediaType());
      file.headers().forEach(response::setHeader);
      response.flushBuffer();
      to = response.getOutputStream();
      begun = to;
    }
    to.write(bytes, offset, length);
  }
}
