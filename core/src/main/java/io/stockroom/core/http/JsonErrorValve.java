package io.stockroom.core.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.stockroom.core.call.Rejection;
import io.stockroom.protocol.ErrorCode;
import io.stockroom.protocol.Language;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.Writer;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ErrorReportValve;
import org.jspecify.annotations.Nullable;

/**
 * What Tomcat rejects itself (broken request lines, oversized headers, bodies that end early or
 * arrive too slowly) gets the envelope of every other failure, and nothing about the server.
 */
public final class JsonErrorValve extends ErrorReportValve {
  static final String BROKEN =
      "The request is not acceptable HTTP: its request line, a header or its length is malformed or"
          + " too large (16 KiB of headers, 64 fields).";

  @Override
  protected void report(Request request, Response response, @Nullable Throwable failure) {
    int status = response.getStatus();
    if (status < 400 || response.getContentWritten() > 0 || !response.setErrorReported()) {
      return;
    }
    if (status < 500 && failure instanceof IOException unread) {
      // Tomcat replaces the servlet's response if it could not read the body
      ErrorCode code = BodyFailure.code(unread);
      response.setStatus(code.status());
      write(response, Rejection.of("", code).json(Language.ENGLISH));
      return;
    }
    switch (status) {
      case 404 -> write(response, "NOT_FOUND", "There is no such address on this port.");
      case 405 ->
          write(response, "METHOD_NOT_ALLOWED", "This address does not answer to this method.");
      default -> {
        if (status < 500) {
          write(response, "HTTP_BROKEN", BROKEN);
        } else {
          write(response, "INTERNAL", "Something went wrong on our side.");
        }
      }
    }
  }

  /** Writes the body of a failure; {@code message} must need no escape in JSON. */
  static void write(Response response, String code, String message) {
    write(
        response,
        """
        {"success":false,"msg":"%2$s","errors":[{"at":"","code":"%1$s","msg":"%2$s"}]}"""
            .formatted(code, message)
            .getBytes(UTF_8));
  }

  private static void write(Response response, byte[] json) {
    int status = response.getStatus();
    try {
      response.setContentType("application/json");
      response.setCharacterEncoding("utf-8");
      Writer writer = response.getReporter();
      if (writer != null) {
        writer.write(new String(json, UTF_8));
        response.finishResponse();
      }
    } catch (IOException | IllegalStateException alreadyGone) {
      response.setStatus(HttpServletResponse.SC_BAD_REQUEST == status ? status : 500);
    }
  }
}
