package io.stockroom.core.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.stockroom.server.testing.Api;
import io.stockroom.server.testing.Http;
import io.stockroom.server.testing.Stock;
import io.stockroom.server.testing.TestMerchant;
import java.util.Arrays;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The server rejects ambiguous requests with 400 and closes the connection, so that a create hidden
 * behind one never runs (request smuggling).
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SmugglingTest {
  private final TestMerchant merchant = TestMerchant.fresh();
  private final Api api = merchant.api();
  private final int pid = merchant.product();

  @AfterEach
  void nothingHiddenHasRun() {
    assertThat(merchant.entries()).isZero();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        // two lengths
        "Transfer-Encoding: chunked\r\nContent-Length: 16",
        "Content-Length: 16\r\nTransfer-Encoding: chunked",
        "CONTENT-LENGTH: 16\r\ntransfer-encoding: Chunked",
        "Content-Length: 0\r\nTransfer-Encoding: chunked",
        "Content-Length: 16\r\nContent-Length: 16",
        "Content-Length: 16\r\nContent-Length: 0",
        "Content-Length: 16, 16",
        // an invalid length
        "Content-Length: +16",
        "Content-Length: 0x10",
        "Content-Length: 1 6",
        "Content-Length: -1",
        "Content-Length: 99999999999999999999",
        "Content-Length: ",
        "Content-Length : 16",
        "Content-Length: 16\u0000",
        // an unsupported transfer coding
        "Transfer-Encoding: chunked, chunked",
        "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked",
        "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity",
        "Transfer-Encoding: identity",
        "Transfer-Encoding: xchunked",
        "Transfer-Encoding: gzip, chunked",
        "Transfer-Encoding : chunked",
        "Transfer-Encoding: \u000bchunked",
        "Transfer-Encoding: \"chunked\"",
        // folded lines
        "Transfer-Encoding:\r\n chunked\r\nContent-Length: 16",
        "Content-Length:\r\n 16",
        "Content-Length: 1\r\n 6",
        "Content-Length: 16\r\n ",
        "x: a\r\n b\r\nContent-Length: 16",
        "x: a\r\n\tb\r\nContent-Length: 16",
        " x: a\r\nContent-Length: 16",
        // other line ends
        "x: a\nContent-Length: 16",
        "x: a\rContent-Length: 16",
        "Content-Length: 16\nx: a",
        "x: a\r\r\nContent-Length: 16",
        // invalid names and values
        "Content-Length\u0000: 16",
        "x\u0001: a\r\nContent-Length: 16",
        "x: a\u0000b\r\nContent-Length: 16",
        "x: a\u0007b\r\nContent-Length: 16",
        "x: a\u007fb\r\nContent-Length: 16",
        "x y: a\r\nContent-Length: 16",
        "x(): a\r\nContent-Length: 16",
        "\u00e9: a\r\nContent-Length: 16",
        ": a\r\nContent-Length: 16",
        "noColon\r\nContent-Length: 16",
        // ambiguous hosts
        "Host: other\r\nContent-Length: 16"
      })
  void rejectsAnAmbiguousHeader(String lines) {
    String head = api.call("/Stock/Product").form("").head(lines);

    assertRefused(head + "0\r\n\r\npage=1&x=y" + hidden());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "-1\r\npage=1\r\n0\r\n\r\n",
        "g\r\npage=1\r\n0\r\n\r\n",
        "fffffffffffffffff\r\npage=1\r\n0\r\n\r\n",
        "7fffffff\r\npage=1\r\n0\r\n\r\n",
        "0x6\r\npage=1\r\n0\r\n\r\n",
        "6 6\r\npage=1\r\n0\r\n\r\n",
        "6\npage=1\r\n0\r\n\r\n",
        "6\r\npage=10\r\n0\r\n\r\n",
        "6\r\npage=1\n0\r\n\r\n",
        "6\r\npage=1\r\n0\r\nx: a\n\r\n",
        "\r\npage=1\r\n0\r\n\r\n",
        "6;a=\n\r\npage=1\r\n0\r\n\r\n"
      })
  void rejectsAmbiguousChunks(String chunks) {
    String head = api.call("/Stock/Product").form("").head("Transfer-Encoding: chunked");

    assertRefused(head + chunks + hidden());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "POST http://other.example/Stock/Product HTTP/1.1\r\nHost: localhost\r\n",
        "POST /Stock/Product HTTP/1.1\r\n",
        "POST /Stock/Product HTTP/1.1\r\nHost: a b\r\n",
        "POST /Stock/Product HTTP/1.1\r\nHost: a/b\r\n",
        "POST /Stock/Product HTTP/1.1\r\nHost: a\r\nHost: a\r\n",
        "POST /Stock/Product HTTP/1.1\nHost: localhost\r\n",
        "POST /Stock/Product HTTP/1.1 x\r\nHost: localhost\r\n",
        "POST\t/Stock/Product HTTP/1.1\r\nHost: localhost\r\n",
        "POST /Stock/Product\tHTTP/1.1\r\nHost: localhost\r\n",
        "POST /Stock/Product \tHTTP/1.1\r\nHost: localhost\r\n",
        "POST /Stock/Product HTTP/1.1 \r\nHost: localhost\r\n",
        " POST /Stock/Product HTTP/1.1\r\nHost: localhost\r\n",
        "POST\u0000/Stock/Product HTTP/1.1\r\nHost: localhost\r\n",
        "POST /Stock/Pro\u0000duct HTTP/1.1\r\nHost: localhost\r\n",
        "POST /Stock\\Product HTTP/1.1\r\nHost: localhost\r\n",
        "POST Stock/Product HTTP/1.1\r\nHost: localhost\r\n"
      })
  void rejectsAnAmbiguousRequestLine(String line) {
    assertRefused(line + "Content-Length: 0\r\n\r\n" + hidden());
  }

  /** Clients may send an empty line before the request line, as old browsers do after a form. */
  @Test
  void readsARequestLineAfterAnEmptyLine() {
    String call =
        api.call("/Stock/Product").form("").head("Content-Length: 6", "Connection: close");

    assertThat(statuses(Http.raw(api.server(), "\r\n" + call + "page=1"))).isEqualTo("200");
  }

  /** RFC 9112 allows it, and the length of the body stays the same. */
  @ParameterizedTest
  @ValueSource(strings = {"POST  /Stock/Product HTTP/1.1", "POST /Stock/Product  HTTP/1.1"})
  void readsARequestLineWithSeveralSpaces(String line) {
    String call =
        api.call("/Stock/Product").form("").head("Content-Length: 6", "Connection: close");
    String rest = call.substring(call.indexOf("\r\n"));

    assertThat(statuses(Http.raw(api.server(), line + rest + "page=1"))).isEqualTo("200");
  }

  @Test
  void rejectsARequestWithoutAVersion() {
    assertRefused("POST /Stock/Product\r\n" + hidden());
  }

  @Test
  void respondsToPipelinedRequestsInOrder() {
    String one = api.call("/Stock/Product").form("").head("Content-Length: 6") + "page=1";
    String two = api.call("/Stock/Product").form("").head("Content-Length: 6") + "page=2";
    String last = api.call("/Usage").form("").head("Content-Length: 0", "Connection: close");

    String answers = Http.raw(api.server(), (one + two).repeat(20) + last);

    assertThat(statuses(answers)).isEqualTo("200 ".repeat(41).strip());
  }

  @Test
  void acceptsAtMost64HeaderFields() {
    // besides host, appid, accesstoken, timestamp, sign, content type
    assertThat(fields(58)).startsWith("HTTP/1.1 200");
    assertThat(fields(59)).startsWith("HTTP/1.1 400");
  }

  private String fields(int count) {
    String[] lines = new String[count];
    Arrays.setAll(lines, i -> "x" + i + ": 1");
    lines[0] = "Connection: close";
    lines[1] = "Content-Length: 6";
    return Http.raw(api.server(), api.call("/Stock/Product").form("").head(lines) + "page=1");
  }

  /** A valid create. */
  private String hidden() {
    String body = Stock.one(pid, "red", "36", 1);
    return api.call("/Stock/Creat")
            .json("")
            .head("Content-Length: " + body.length(), "Connection: close")
        + body;
  }

  private void assertRefused(String bytes) {
    String answers = Http.raw(api.server(), bytes);

    assertThat(statuses(answers)).as(answers).isEqualTo("400");
    assertThat(answers).contains("Connection: close").contains("\"success\":false");
  }

  private static String statuses(String answers) {
    String[] parts = answers.split("HTTP/1.1 ", -1);
    return IntStream.range(1, parts.length)
        .mapToObj(i -> parts[i].substring(0, 3))
        .collect(Collectors.joining(" "));
  }
}
