package io.stockroom.console.visit;

import static org.assertj.core.api.Assertions.assertThat;

import io.stockroom.protocol.Language;
import io.stockroom.server.testing.Http;
import io.stockroom.server.testing.Pages;
import io.stockroom.server.testing.Reply;
import io.stockroom.server.testing.TestPerson;
import io.stockroom.server.testing.TestServer;
import java.net.URI;
import java.net.http.HttpRequest;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Every page leads to the section of the docs that explains it, in both languages. */
class HelpTest {
  private static final List<String> OTHERS =
      List.of(
          "/console/account/second-factor",
          "/console/cells",
          "/console/explorer/check",
          "/console/products/7",
          "/console/products/7/stock",
          "/console/products/7/stock/history",
          "/console/products/7/edit",
          "/console/products/new",
          "/console/products/archived",
          "/console/products/bulk/3",
          "/console/sign-in",
          "/console/link/abc");

  @Test
  void everySectionExistsInBothLanguages() {
    Set<String> addresses = new LinkedHashSet<>();
    for (Language language : Language.values()) {
      Stream.concat(Navigation.paths().stream(), OTHERS.stream())
          .forEach(
              path -> {
                String address = Help.address(path, language);
                assertThat(address).as(path).isNotEqualTo("/docs/console.html");
                addresses.add(address);
              });
    }
    assertThat(addresses)
        .hasSizeGreaterThan(30)
        .allSatisfy(
            address -> {
              String[] parts = address.split("#", 2);
              Reply reply =
                  Http.send(
                      HttpRequest.newBuilder(
                          URI.create(Pages.origin(TestServer.shared()) + parts[0])));
              assertThat(reply.status()).isEqualTo(200);
              if (parts.length == 2) {
                assertThat(reply.body()).contains("id=\"" + parts[1] + "\"");
              }
            });
  }

  @Test
  void everyPageHasTheLinkInThePersonsLanguage() {
    Pages pages = Pages.of(TestPerson.operator()).with("Accept-Language", "zh-CN");

    assertThat(pages.get("/console/audit").body())
        .contains("href=\"/docs/zh/console.html#audit\"", "本页帮助");
    assertThat(Pages.stranger().with("Accept-Language", "en").get("/console/sign-in").body())
        .contains("href=\"/docs/console.html#signing-in-for-the-first-time\"");
  }
}
