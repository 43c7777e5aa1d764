package io.stockroom.core.http;

import org.eclipse.jetty.http.HttpException;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.util.URIUtil;
import org.jspecify.annotations.Nullable;

/**
 * Rejects what Jetty's strictest settings still accept, but a proxy may read differently: a path
 * with dot segments or parameters, a query with bytes that must be escaped, and more than 64
 * fields.
 */
final class StrictRequests implements HttpConfiguration.Customizer {
  private static final int MAX_FIELDS = 64;
  private static final String UNSAFE = "\"<>\\^`{|}";

  @Override
  public Request customize(Request request, HttpFields.Mutable responseHeaders) {
    String path = request.getHttpURI().getPath();
    boolean hasDots = path.indexOf('.') >= 0 && !path.equals(URIUtil.normalizePath(path));
    if (hasDots
        || path.indexOf(';') >= 0
        || request.getHeaders().size() > MAX_FIELDS
        || hasOtherCoding(request.getHeaders().get(HttpHeader.TRANSFER_ENCODING))
        || hasUnsafe(request.getHttpURI().getQuery())) {
      throw new HttpException.RuntimeException(HttpStatus.BAD_REQUEST_400);
    }
    return request;
  }

  /** Jetty would serve a body that is compressed as well, without decompressing it. */
  private static boolean hasOtherCoding(@Nullable String transferEncoding) {
    return transferEncoding != null && !transferEncoding.equalsIgnoreCase("chunked");
  }

  private static boolean hasUnsafe(@Nullable String query) {
    for (int i = 0; query != null && i < query.length(); i++) {
      char next = query.charAt(i);
      if (next <= ' ' || next >= 127 || UNSAFE.indexOf(next) >= 0) {
        return true;
      }
    }
    return false;
  }
}
