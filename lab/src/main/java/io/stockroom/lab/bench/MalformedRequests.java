package io.stockroom.lab.bench;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.stockroom.protocol.Signature;
import java.time.Instant;
import java.util.Random;

/**
 * Generates malformed requests: correctly signed, then changed in the request line, a header, the
 * query or the body. The same number always gives the same request.
 */
final class MalformedRequests {
  private static final String FORM = "application/x-www-form-urlencoded";
  private static final String JSON = "application/json";

  private static final String[][] CALLS = {
    {"/Stock/Product", FORM, "page=1&stock=true"},
    {"/Stock/Product?page=2", FORM, ""},
    {"/Stock/List", FORM, "productid=7"},
    {
      "/Stock/Creat",
      JSON,
      "[{\"color\":\"red\",\"pid\":7,\"param\":[{\"size\":\"36-40\",\"stock\":5},"
          + "{\"size\":\"41\",\"stock\":1,\"barCode\":\"690\"}]},"
          + "{\"color\":\"蓝\",\"pid\":8,\"param\":[{\"size\":\"36\",\"stock\":0}]}]"
    },
    {"/Stock/Creat", JSON, "{\"list\":[{\"color\":\"c\",\"pid\":1,\"param\":[]}]}"},
    {
      "/Stock/Adjust",
      JSON,
      "[{\"pid\":7,\"color\":\"red\",\"size\":36,\"change\":-2},{\"artNo\":\"A100\",\"color\":\"蓝\","
          + "\"size\":\"37\",\"set\":5,\"expect\":7},{\"barCode\":\"690\",\"change\":10}]"
    },
    {"/Product/Detail", FORM, "pid=7"},
    {"/Product/Detail?pid=7", "", ""},
    {"/Product/Detail", JSON, "{\"pid\":\"7\"}"},
    {
      "/Product/Publish",
      JSON,
      "[{\"pid\":7,\"result\":\"published\",\"url\":\"https://shop.example/7\"},"
          + "{\"pid\":8,\"result\":\"failed\",\"msg\":\"no picture\"}]"
    },
    {"/Usage", FORM, ""}
  };

  private static final String[] WORDS = {
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    "\"",
    "\\",
    "\\u0000",
    "\\uD800",
    "null",
    "true",
    "1e999",
    "-",
    "0",
    "999",
    "1-100",
    "1-2147483647",
    "2147483648",
    ".5",
    "99999999999999999999",
    "NaN",
    "//",
    "\r\n",
    "\n",
    "\r",
    "\t",
    " ",
    "\u0000",
    "\u0001",
    "\u007f",
    "\u00ff",
    "\u00e7\u00ba\u00a2",
    "%",
    "%00",
    "%C0%80",
    "%2e%2e%2f",
    "=",
    "&",
    ";",
    "+",
    "..",
    "/",
    "Content-Length: 5\r\n",
    "Transfer-Encoding: chunked\r\n",
    "Expect: 100-continue\r\n",
    "Connection: upgrade\r\n",
    "HTTP/1.0",
    "HTTP/2.0",
    "GET ",
    "appid: x\r\n",
    "sign-method: hmac-sha256\r\n",
    "Idempotency-Key: 1\r\n",
    "'",
    "' or 1=1--",
    "<script>",
    "${jndi:x}",
    "[[[[[[[[[[",
    "{\"a\":{\"a\":{\"a\":",
    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
  };

  private final Marketplace.Account account;
  private final long oldest =
      Instant.now().minus(Requests.WINDOW).plusSeconds(1800).getEpochSecond();
  private final int seconds = (int) Requests.WINDOW.toSeconds() * 2 - 3600;

  MalformedRequests(Marketplace.Account account) {
    this.account = account;
  }

  byte[] make(long number) {
    Random random = new Random(number);
    String[] call = CALLS[random.nextInt(CALLS.length)];
    byte[] body = call[2].getBytes(UTF_8);
    int where = random.nextInt(10);
    if (where < 6) {
      body = bent(random, body);
    }
    String timestamp = Long.toString(oldest + Math.floorMod(number, seconds));
    StringBuilder head = new StringBuilder("POST ").append(call[0]).append(" HTTP/1.1\r\n");
    head.append("Host: localhost\r\nappid: ").append(account.appid());
    head.append("\r\nsign: ").append(Signature.sign(account.secret(), timestamp));
    head.append("\r\ntimestamp: ").append(timestamp);
    head.append("\r\naccesstoken: ").append(account.token());
    if (!call[1].isEmpty()) {
      head.append("\r\nContent-Type: ").append(call[1]);
    }
    boolean chunked = random.nextInt(10) == 0;
    head.append(chunked ? "\r\nTransfer-Encoding: chunked" : "\r\nContent-Length: " + body.length);
    head.append("\r\nConnection: close\r\n\r\n");
    byte[] start = head.toString().getBytes(ISO_8859_1);
    if (where >= 6 && where < 9) {
      start = bent(random, start);
    }
    byte[] content = chunked ? chunk(body) : body;
    byte[] whole = joined(start, start.length, start.length, content);
    return where == 9 ? bent(random, whole) : whole;
  }

  private static byte[] chunk(byte[] body) {
    byte[] size = (Integer.toHexString(body.length) + "\r\n").getBytes(ISO_8859_1);
    byte[] end = (body.length == 0 ? "\r\n" : "\r\n0\r\n\r\n").getBytes(ISO_8859_1);
    byte[] begun = joined(size, size.length, size.length, body);
    return joined(begun, begun.length, begun.length, end);
  }

  private static byte[] bent(Random random, byte[] bytes) {
    byte[] result = bytes;
    for (int times = 1 + random.nextInt(6); times > 0; times--) {
      int at = random.nextInt(result.length + 1);
      int end = Math.min(result.length, at + 1 + random.nextInt(10));
      byte[] word = WORDS[random.nextInt(WORDS.length)].getBytes(ISO_8859_1);
      result =
          switch (random.nextInt(5)) {
            case 0 -> joined(result, at, end, new byte[] {(byte) random.nextInt(256)});
            case 1 -> joined(result, at, end, new byte[0]);
            case 2 -> joined(result, at, at, word);
            case 3 -> joined(result, at, at, java.util.Arrays.copyOfRange(result, at, end));
            default -> joined(result, at, end, word);
          };
    }
    return result;
  }

  /** Replaces the bytes from {@code start} to {@code end}. */
  private static byte[] joined(byte[] bytes, int start, int end, byte[] middle) {
    byte[] joined = new byte[start + middle.length + bytes.length - end];
    System.arraycopy(bytes, 0, joined, 0, start);
    System.arraycopy(middle, 0, joined, start, middle.length);
    System.arraycopy(bytes, end, joined, start + middle.length, bytes.length - end);
    return joined;
  }
}
