package io.stockroom.console.imports;

import io.stockroom.console.visit.ConsoleRequest;
import io.stockroom.console.visit.PageException;
import io.stockroom.core.call.FileAnswer;
import io.stockroom.core.call.Rejection;
import io.stockroom.core.http.Responses;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.OutputStream;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * Streams a file to the browser. Headers are sent with the first bytes, so a failure before that
 * still shows an error page; a later failure closes the connection.
 */
final class Download extends OutputStream {
  private final HttpServletRequest request;
  private final HttpServletResponse response;
  private final FileAnswer file;
  private @Nullable OutputStream begun;

  private Download(HttpServletRequest request, HttpServletResponse response, FileAnswer file) {
    this.request = request;
    this.response = response;
    this.file = file;
  }

  static void send(
      HttpServletRequest request,
      HttpServletResponse response,
      FileAnswer file,
      ConsoleRequest visit)
      throws SQLException, IOException {
    Rejection refused = file.content().write(new Download(request, response, file));
    if (refused != null) {
      refused.headers().forEach(response::setHeader);
      throw new PageException(
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
      Responses.chunk(request, response);
      response.flushBuffer();
      to = response.getOutputStream();
      begun = to;
    }
    to.write(bytes, offset, length);
  }
}
