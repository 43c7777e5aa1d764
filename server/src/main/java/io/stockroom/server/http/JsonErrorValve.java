package io.stockroom.server.http;

import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.Writer;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ErrorReportValve;
import org.jspecify.annotations.Nullable;

/**
 * What Tomcat refuses before any servlet sees it (broken request lines, oversized headers) gets the
 * envelope of every other failure, and nothing about the server.
 */
public final class JsonErrorValve extends ErrorReportValve {
  @Override
  protected void report(Request request, Response response, @Nullable Throwable failure) {
    int status = response.getStatus();
    if (status < 400 || response.getContentWritten() > 0 || !response.setErrorReported()) {
      return;
    }
    write(response);
  }

  /** Writes the body that belongs to the status of {@code response}. */
  static void write(Response response) {
    int status = response.getStatus();
    String code = status < 500 ? "HTTP_BROKEN" : "INTERNAL";
    String message =
        status < 500
            ? "The request is not acceptable HTTP: its request line, a header or its length is"
                + " malformed or too large (16 KiB of headers, 64 fields)."
            : "Something went wrong on our side.";
    try {
      response.setContentType("application/json");
      response.setCharacterEncoding("utf-8");
      Writer writer = response.getReporter();
      if (writer != null) {
        writer.write(
            """
            {"success":false,"msg":"%2$s","errors":[{"at":"","code":"%1$s","msg":"%2$s"}]}"""
                .formatted(code, message));
        response.finishResponse();
      }
    } catch (IOException | IllegalStateException alreadyGone) {
      response.setStatus(HttpServletResponse.SC_BAD_REQUEST == status ? status : 500);
    }
  }
}
