package io.stockroom.server.http;

import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ValveBase;
import org.apache.coyote.InputBuffer;
import org.apache.tomcat.util.buf.ByteChunk;
import org.apache.tomcat.util.http.MimeHeaders;

/**
 * Stands before everything. Refuses what Tomcat forgives but a proxy in front of it may read
 * otherwise, so that no request can be hidden in another: a body with two lengths, lines that end
 * in LF alone, folded lines. And lets no body come too slowly.
 */
public final class StrictHttpValve extends ValveBase {
  public StrictHttpValve() {
    super(true);
  }

  @Override
  public void invoke(Request request, Response response) throws IOException, ServletException {
    org.apache.coyote.Request raw = request.getCoyoteRequest();
    if (request.isSecure()) {
      response.setHeader("Strict-Transport-Security", "max-age=31536000");
    }
    if (isAmbiguous(raw.getMimeHeaders())) {
      // Tomcat closes the connection after this status: what follows may belong to this request
      response.setStatus(HttpServletResponse.SC_BAD_REQUEST);
      JsonErrorValve.write(response);
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
}
