package io.stockroom.server.isolation;

import static org.assertj.core.api.Assertions.assertThat;

import io.stockroom.server.testing.Pages;
import io.stockroom.server.testing.Stock;
import io.stockroom.server.testing.TestMerchant;
import io.stockroom.server.testing.TestPerson;
import io.stockroom.server.testing.TestServer;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What a first visit of each page takes on the network: the page, its scripts and its styles. */
class PageBudgetTest {
  private static final int MAX_BYTES = 300_000;
  private static final Pattern ASSET =
      Pattern.compile("(?:src|href)=\"(/console/assets/[^\"]+\\.(?:js|css|svg))\"");
  private static final Pattern MODULE = Pattern.compile("(?:from|import) *\"(\\./[^\"]+\\.js)\"");
  private static final HttpClient CLIENT = HttpClient.newHttpClient();

  private final Map<String, Answer> assets = new HashMap<>();

  /** A response as sent, and its text. */
  private record Answer(int status, int bytes, String text) {}

  @Test
  void everyPageLoadsLessThanThreeHundredKilobytes() throws Exception {
    AddressParts parts = AddressParts.make();
    TestMerchant merchant = parts.owner();
    merchant.products(60);
    merchant.api().create(Stock.one(merchant.productIds().getFirst(), "black", "36-44", 5));
    Map<String, Integer> sizes = new TreeMap<>();
    for (TestPerson person : List.of(TestPerson.of(merchant), TestPerson.operator())) {
      for (ConsolePage page : ConsolePage.all(TestServer.shared())) {
        if (page.method().equals("GET")) {
          Answer answer = get(parts.theirs(page.path()), person);
          if (answer.status == 200 && answer.text.startsWith("<!")) {
            sizes.merge(page.path(), answer.bytes + assetsOf(answer), Math::max);
          }
        }
      }
    }

    assertThat(sizes)
        .hasSizeGreaterThan(35)
        .containsKeys("/console/overview", "/console/products/{id}/stock", "/console/health")
        .allSatisfy((path, size) -> assertThat(size).as(path).isBetween(10_000, MAX_BYTES));
  }

  private int assetsOf(Answer page) throws Exception {
    Set<String> found = new HashSet<>();
    Queue<String> open = new ArrayDeque<>();
    ASSET.matcher(page.text).results().forEach(match -> open.add(match.group(1)));
    int bytes = 0;
    while (!open.isEmpty()) {
      String path = open.remove();
      if (found.add(path)) {
        Answer asset = assets.containsKey(path) ? assets.get(path) : get(path, null);
        assets.put(path, asset);
        assertThat(asset.status).as(path).isEqualTo(200);
        bytes += asset.bytes;
        MODULE
            .matcher(asset.text)
            .results()
            .forEach(match -> open.add(URI.create(path).resolve(match.group(1)).getPath()));
      }
    }
    return bytes;
  }

  private static Answer get(String path, @Nullable TestPerson person)
      throws IOException, InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(Pages.origin(TestServer.shared()) + path))
            .header("Accept-Encoding", "gzip");
    if (person != null) {
      request.header("Cookie", "stockroom-session=" + person.session());
    }
    HttpResponse<byte[]> response = CLIENT.send(request.build(), BodyHandlers.ofByteArray());
    byte[] body = response.body();
    boolean zipped = response.headers().firstValue("Content-Encoding").orElse("").equals("gzip");
    byte[] plain =
        zipped ? new GZIPInputStream(new ByteArrayInputStream(body)).readAllBytes() : body;
    return new Answer(
        response.statusCode(), body.length, new String(plain, StandardCharsets.UTF_8));
  }
}
