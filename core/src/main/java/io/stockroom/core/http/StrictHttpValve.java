package io.stockroom.core.http;

import io.stockroom.core.admission.ConcurrencyLimit.Permit;
import io.stockroom.core.admission.Deferral;
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
 * Runs before everything else. Rejects what Tomcat tolerates but a proxy in front of it may read
 * differently, so that no request can hide in another and no path can bypass a rule of the proxy: a
 * request line with tabs or several spaces, a body with two lengths, lines that end in LF alone,
 * folded lines, paths that can be read in two ways. Also bounds how slowly a body may arrive.
 */
public final class StrictHttpValve extends ValveBase {
  private static final String AMBIGUOUS_PATH =
      "The path of the address can be read in more than one way. Send it without a semicolon, a"
          + " backslash, an empty segment (two slashes in a row), a segment of dots, and without"
          + " %2F, %5C or dots written as %2E.";

  static final String TRANSPORT_SECURITY = "Strict-Transport-Security";
  static final String ONE_YEAR = "max-age=31536000";

  public StrictHttpValve() {
    super(true);
  }

  @Override
  public void invoke(Request request, Response response) throws IOException, ServletException {
    org.apache.coyote.Request raw = request.getCoyoteRequest();
    if (request.isSecure()) {
      response.setHeader(TRANSPORT_SECURITY, ONE_YEAR);
    }
    if (raw.getAttribute(Permit.ATTRIBUTE) != null) {
      // RequestHead accepts only requests that are complete and can be read in one way
      getNext().invoke(request, response);
      return;
    }
    Deferral.finishPrevious(raw);
    boolean http2 = "HTTP/2.0".equals(request.getProtocol());
    if (!http2 && (hasOddRequestLine(raw) || isAmbiguous(raw.getMimeHeaders()))) {
      reject(response, JsonErrorValve.BROKEN);
      return;
    }
    // null if Tomcat could not read the request line; it then rejects the request itself
    String path = request.getRequestURI();
    if (path != null && isAmbiguousPath(path)) {
      reject(response, AMBIGUOUS_PATH);
      return;
    }
    if (http2) {
      // its streams have their own bounds, and a response may come before the end of a body
      getNext().invoke(request, response);
      return;
    }
    InputBuffer source = raw.getInputBuffer();
    MinimumRateInput patient = new MinimumRateInput(source);
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
  private static void reject(Response response, String message) {
    // Tomcat suspends the response if it has rejected the path already
    response.setSuspended(false);
    response.setStatus(HttpServletResponse.SC_BAD_REQUEST);
    JsonErrorValve.write(response, "HTTP_BROKEN", message);
  }

  private static boolean hasOddRequestLine(org.apache.coyote.Request raw) {
    ByteChunk address = raw.requestURI().getByteChunk();
    // null if Tomcat could not read it
    return !address.isNull()
        && !HeaderBytes.isPlainRequestLine(address.getBuffer(), address.getStart());
  }

  /** Reads the bytes of the header as they came: Tomcat has removed one of two lengths by now. */
  private static boolean isAmbiguous(MimeHeaders headers) {
    if (headers.size() == 0) {
      return false;
    }
    ByteChunk first = headers.getName(0).getByteChunk();
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
