package io.stockroom.server.isolation;

import static org.assertj.core.api.Assertions.assertThat;

import io.stockroom.server.testing.Admin;
import io.stockroom.server.testing.Reply;
import io.stockroom.server.testing.TestMerchant;
import io.stockroom.server.testing.TestPerson;
import io.stockroom.server.testing.TestServer;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;

/** Every route of the admin API × every invalid key. */
class AdminIsolationTest {
  private static final TestServer SERVER = TestServer.shared();

  private final AddressParts parts = AddressParts.make();

  @Test
  void everyWrongKeyGetsTheSameResponse() {
    String key = SERVER.operatorKey();
    String first = Admin.of(SERVER).withKey("").get("/admin/none").whole();
    assertThat(first).startsWith("401 ").contains("OPERATOR_KEY_WRONG");
    for (String wrong :
        List.of(
            "",
            "wrong",
            key + "x",
            key.substring(1),
            key.toUpperCase(Locale.ROOT),
            parts.owner().api().accesstoken(),
            parts.owner().api().secret(),
            TestPerson.operator().session())) {
      // all routes with one key, and all keys with some routes: more would be throttled
      for (String address : wrong.equals("wrong") ? routes() : routes().subList(0, 5)) {
        String[] words = address.split(" ", 2);
        Admin stranger = Admin.of(SERVER).withKey(wrong);
        for (String path : List.of(parts.theirs(words[1]), parts.missing(words[1]))) {
          Reply reply = stranger.send(words[0], path, "{}");
          assertThat(reply.whole()).as(address).isEqualTo(first);
          assertThat(reply.header("www-authenticate")).contains("Bearer");
        }
      }
    }
  }

  /** If a path names a merchant and an object, the object must belong to the merchant. */
  @Test
  void findsAnImportOnlyUnderItsMerchant() {
    TestMerchant other = TestMerchant.fresh();
    int compared = 0;
    for (String address : routes()) {
      String[] words = address.split(" ", 2);
      if (words[1].contains("{import}")) {
        compared++;
        String under = words[1].replace("{merchant}", Integer.toString(other.id()));
        String others = Admin.of(SERVER).send(words[0], parts.theirs(under), "{}").whole();
        String missing = Admin.of(SERVER).send(words[0], parts.missing(under), "{}").whole();
        assertThat(others).as(address).startsWith("404 ");
        assertThat(number(others, parts.theirs(under)))
            .isEqualTo(number(missing, parts.missing(under)));
      }
    }
    assertThat(compared).isPositive();
  }

  /** Normalizes the number of the import, which the message repeats. */
  private static String number(String whole, String path) {
    String[] words = path.split("/", -1);
    return whole.replaceAll("\\b" + words[5] + "\\b", "N");
  }

  private static List<String> routes() {
    List<String> routes =
        SERVER.addresses().stream().filter(address -> address.contains(" /admin/")).toList();
    assertThat(routes).hasSizeGreaterThan(20);
    return routes;
  }
}
