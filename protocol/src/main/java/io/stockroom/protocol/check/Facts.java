package io.stockroom.protocol.check;

import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What the rules look at.
 *
 * @param endpoint the call that was meant; null where that cannot be told
 */
record Facts(CapturedRequest request, Known known, @Nullable Endpoint endpoint) {
  /** The headers that every request carries, in the order of the documents. */
  static final List<String> HEADERS = List.of("appid", "sign", "timestamp", "accesstoken");

  private static final int SHOWN = 6;

  static Facts of(CapturedRequest request, Known known) {
    // what is compressed is no text, and cannot be looked at
    boolean isCompressed = !ContentRules.encoding(request).isEmpty();
    CapturedRequest readable =
        isCompressed
            ? new CapturedRequest(request.method(), request.target(), request.headers(), null)
            : request;
    return new Facts(readable, known, AddressRules.meant(request.path()));
  }

  String header(String name) {
    return request.value(name);
  }

  boolean isHmac() {
    return !request.values("sign-method").isEmpty();
  }

  /** The media type in lower case, without parameters; empty where there is none. */
  String mediaType() {
    return header("Content-Type").split(";", 2)[0].strip().toLowerCase(Locale.ROOT);
  }

  String body() {
    String body = request.body();
    return body == null ? "" : body;
  }

  /** A secret or a token as it may be shown: enough to recognise it, too little to use it. */
  static String masked(String text) {
    return text.length() <= SHOWN ? "…" : text.substring(0, SHOWN) + "…";
  }
}
