package io.stockroom.console.traffic;

import io.stockroom.core.traffic.RequestLog;
import io.stockroom.core.traffic.Traffic.Exchange;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * A logged call as a shell script that signs it again. The log contains no secrets, so the script
 * reads them from the same variables as the CLI and the examples.
 */
final class Curl {
  /** Headers that curl sets, that the signature replaces, or that the log does not contain. */
  private static final Set<String> LEFT_OUT =
      Set.of(
          "appid",
          "sign",
          "timestamp",
          "accesstoken",
          "sign-method",
          "sign-nonce",
          "host",
          "content-length",
          // the log contains the decompressed body
          "content-encoding",
          "connection",
          "accept-encoding",
          "transfer-encoding",
          "user-agent",
          "accept",
          "http2-settings",
          "upgrade",
          "expect");

  private Curl() {}

  static String of(RequestLog.Whole call, String baseUrl) {
    boolean hmac = has(call, "sign-method");
    byte[] body = call.body();
    String sent = body == null ? "" : new String(body, StandardCharsets.UTF_8);
    List<String> lines = new ArrayList<>();
    lines.add("timestamp=$(date +%s)");
    if (hmac) {
      lines.add("body=" + quoted(call.isBodyCut() ? "" : sent));
      lines.add("nonce=$(openssl rand -hex 16)");
      String key = key(call);
      lines.add(
          "sign=$(printf '%s\\n%s\\n%s\\n%s\\n%s\\n%s"
              + (key.isEmpty() ? "" : "\\n%s")
              + "' "
              + quoted(call.row().method())
              + " "
              + quoted(call.row().path())
              + " \"$timestamp\" \"$STOCKROOM_TOKEN\""
              + " \"$(printf %s \"$body\" | sha256sum | cut -c1-64)\" \"$nonce\""
              + (key.isEmpty() ? "" : " " + quoted(key))
              + " | openssl dgst -sha256 -hmac \"$STOCKROOM_SECRET\" | sed 's/.* //' | tr a-f A-F)");
    } else {
      lines.add(
          "sign=$(printf %s \"$STOCKROOM_SECRET$timestamp\" | md5sum | cut -c1-32 | tr a-f A-F)");
    }
    lines.add(String.join(" \\\n  ", command(call, baseUrl, hmac, sent)));
    return String.join("\n", lines);
  }

  private static List<String> command(
      RequestLog.Whole call, String baseUrl, boolean hmac, String sent) {
    List<String> parts = new ArrayList<>();
    String method = call.row().method().equals("POST") ? "" : " -X " + call.row().method();
    parts.add("curl -sw '\\n'" + method + " " + quoted(baseUrl + call.row().path()));
    parts.add("-H " + quoted("appid: " + appid(call)));
    parts.add("-H \"sign: $sign\"");
    parts.add("-H \"timestamp: $timestamp\"");
    parts.add("-H \"accesstoken: $STOCKROOM_TOKEN\"");
    if (hmac) {
      parts.add("-H 'sign-method: hmac-sha256' -H \"sign-nonce: $nonce\"");
    }
    for (Exchange.Header header : call.headers()) {
      String name = header.name().toLowerCase(Locale.ROOT);
      boolean masked = header.value().endsWith("…");
      if (!LEFT_OUT.contains(name) && !masked) {
        parts.add("-H " + quoted(header.name() + ": " + header.value()));
      }
    }
    if (call.isBodyCut()) {
      parts.add("--data-binary @body");
    } else if (hmac) {
      parts.add("--data-binary \"$body\"");
    } else {
      parts.add("-d " + quoted(sent));
    }
    return parts;
  }

  /** The idempotency key as it is sent again; empty if there is none. */
  private static String key(RequestLog.Whole call) {
    return call.headers().stream()
        .filter(header -> header.name().equalsIgnoreCase("Idempotency-Key"))
        .map(Exchange.Header::value)
        .filter(value -> !value.endsWith("…"))
        .findFirst()
        .orElse("");
  }

  private static String appid(RequestLog.Whole call) {
    String known = call.row().appid();
    return call.headers().stream()
        .filter(header -> header.name().equalsIgnoreCase("appid"))
        .map(Exchange.Header::value)
        .findFirst()
        .orElse(known == null ? "APPID" : known);
  }

  private static boolean has(RequestLog.Whole call, String name) {
    return call.headers().stream().anyMatch(header -> header.name().equalsIgnoreCase(name));
  }

  /** Quotes the text as one shell word. */
  private static String quoted(String text) {
    return "'" + text.replace("'", "'\\''") + "'";
  }
}
