package io.stockroom.core.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.stockroom.core.call.Rejection;
import io.stockroom.protocol.ErrorCode;
import io.stockroom.protocol.Language;
import java.nio.ByteBuffer;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/**
 * What Jetty rejects itself (broken request lines, oversized headers, ambiguous paths, bodies that
 * arrive too slowly) gets the envelope of every other failure, and nothing about the server.
 */
public final class JsonErrors implements Request.Handler {
  private static final String BROKEN =
      "The request is not acceptable HTTP: its request line, a header or its length is malformed or"
          + " too large (16 KiB of headers, 64 fields), or its path can be read in more than one"
          + " way. Send a path without a semicolon, a backslash, an empty segment (two slashes in a"
          + " row), a segment of dots, and without %2F, %5C or dots written as %2E.";

  @Override
  public boolean handle(Request request, Response response, Callback callback) {
    int status = response.getStatus();
    HttpFields.Mutable fields = response.getHeaders();
    byte[] body;
    switch (status) {
      case HttpStatus.NOT_FOUND_404 ->
          body = json("NOT_FOUND", "There is no such address on this port.");
      case HttpStatus.METHOD_NOT_ALLOWED_405 ->
          body = json("METHOD_NOT_ALLOWED", "This address does not answer to this method.");
      case HttpStatus.REQUEST_TIMEOUT_408 ->
          body = Rejection.of("", ErrorCode.BODY_TIMEOUT).json(Language.ENGLISH);
      case HttpStatus.INTERNAL_SERVER_ERROR_500 ->
          body = json("INTERNAL", "Something went wrong on our side.");
      default -> {
        // every malformed request has the same status, and what follows may belong to it
        response.setStatus(HttpStatus.BAD_REQUEST_400);
        fields.put(HttpHeader.CONNECTION, "close");
        body = json("HTTP_BROKEN", BROKEN);
      }
    }
    fields.put(Responses.REQUEST_ID, Responses.newRequestId());
    fields.put(Responses.JSON_FIELD);
    response.write(true, ByteBuffer.wrap(body), callback);
    return true;
  }

  /** The body of a failure; {@code message} must need no escape in JSON. */
  private static byte[] json(String code, String message) {
    return """
    {"success":false,"msg":"%2$s","errors":[{"at":"","code":"%1$s","msg":"%2$s"}]}"""
        .formatted(code, message)
        .getBytes(UTF_8);
  }
}
