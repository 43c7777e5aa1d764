package io.stockroom.server.http;

import io.stockroom.server.admission.Permit;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Locale;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ValveBase;
import org.apache.coyote.InputBuffer;
import org.apache.tomcat.util.buf.ByteChunk;
import org.apache.tomcat.util.http.MimeHeaders;

/**
 * Stands before everything. Refuses what Tomcat forgives but a proxy in front of it may read
 * otherwise, so that no request can be hidden in another and no path can pass a rule of the proxy:
 * a body with two lengths, lines that end in LF alone, folded lines, paths that can be read in two
 * ways. And lets no body come too slowly.
 */
public final class StrictHttpValve extends ValveBase {
  private static final String AMBIGUOUS_PATH =
      "The path of the address can be read in more than one way. Send it without a semicolon, a"
          + " backslash, an empty segment (two slashes in a row), a segment of dots, and without"
          + " %2F, %5C or dots written as %2E.";

  public StrictHttpValve() {
    super(true);
  }

  @Override
  public void invoke(Request request, Response response) throws IOException, ServletException {
    org.apache.coyote.Request raw = request.getCoyoteRequest();
    if (request.isSecure()) {
      response.setHeader("Strict-Transport-Security", "max-age=31536000");
    }
    if (raw.getAttribute(Permit.ATTRIBUTE) != null) {
      // RequestHead read it, in one way only and with its whole body, and Routes has its path
      getNext().invoke(request, response);
      return;
    }
    if (isAmbiguous(raw.getMimeHeaders())) {
      refuse(response, JsonErrorValve.BROKEN);
      return;
    }
    // a request line that Tomcat could not read has none, and is refused by Tomcat
    String path = request.getRequestURI();
    if (path != null && isAmbiguousPath(path)) {
      refuse(response, AMBIGUOUS_PATH);
      return;
    }
    if ("HTTP/2.0".equals(request.getProtocol())) {
      // its streams have their own bounds, and an answer may come before the end of a body
      getNext().invoke(request, response);
      return;
    }
    InputBuffer source = raw.getInputBuffer();
    PatientInput patient = new PatientInput(source);
    raw.setInputBuffer(patient);
    try {
      getNext().invoke(request, response);
      response.finishResponse();
      patient.readRest(raw);
    } finally {
      raw.setInputBuffer(source);
    }
  }

  /** Tomcat closes the connection after this status: what follows may belong to this request. */
  private static void refuse(Response response, String message) {
    // Tomcat may have refused the path already, and then lets nobody write
    response.setSuspended(false);
    response.setStatus(HttpServletResponse.SC_BAD_REQUEST);
    JsonErrorValve.write(response, "HTTP_BROKEN", message);
  }

  /**
   * Looks at the bytes of the header as they came: of two lengths Tomcat has taken one away when it
   * gets here.
   */
  private static boolean isAmbiguous(MimeHeaders headers) {
    if (headers.size() == 0) {
      return false;
    }
    ByteChunk first = headers.getName(0).getByteChunk();
    if (first.isNull()) {
      // HTTP/2 has no lines that could be read in two ways
      return false;
    }
    return HeaderBytes.isAmbiguous(
        first.getBuffer(), first.getStart(), headers.getValue("transfer-encoding") != null);
  }

  /**
   * Whether a proxy and this server could take the path for two different addresses. A rule of the
   * proxy about one of them would then not protect the other.
   */
  private static boolean isAmbiguousPath(String path) {
    if (path.indexOf(';') >= 0 || path.indexOf('\\') >= 0 || path.contains("//")) {
      return true;
    }
    if (path.indexOf('.') < 0 && path.indexOf('%') < 0) {
      return false;
    }
    String lower = path.toLowerCase(Locale.ROOT);
    if (lower.contains("%2f") || lower.contains("%5c")) {
      return true;
    }
    for (String segment : lower.replace("%2e", ".").split("/", -1)) {
      if (segment.equals(".") || segment.equals("..")) {
        return true;
      }
    }
    return false;
  }
}
