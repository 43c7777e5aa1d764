package io.stockroom.server.isolation;

import static org.assertj.core.api.Assertions.assertThat;

import io.stockroom.server.testing.Logged;
import io.stockroom.server.testing.Pages;
import io.stockroom.server.testing.Reply;
import io.stockroom.server.testing.Stock;
import io.stockroom.server.testing.TestMerchant;
import io.stockroom.server.testing.TestPerson;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Values for the path variables of a route: something that belongs to a merchant, or something that
 * does not exist. A variable is identified together with the word before it, because {@code id} is
 * ambiguous.
 */
final class AddressParts {
  /** Far above every id in a test. */
  static final String MISSING_NUMBER = "2000000000";

  private final TestMerchant owner;
  private final Map<String, String> theirs;
  private final Map<String, String> missing;

  private AddressParts(
      TestMerchant owner, Map<String, String> theirs, Map<String, String> missing) {
    this.owner = owner;
    this.theirs = theirs;
    this.missing = missing;
  }

  /** Makes a merchant with one of everything that a path can name. */
  static AddressParts make() {
    TestMerchant owner = TestMerchant.fresh();
    int product = owner.importedProducts(1).getFirst();
    owner.api().create(Stock.one(product, "red", "36", 5));
    String change =
        owner.texts("select max(number) from change_log where merchant_id = ?").getFirst();
    String imported =
        owner.texts("select max(import_id) from import where merchant_id = ?").getFirst();
    Reply call = owner.api().stock(product);
    Logged.await(owner, call);
    TestPerson person = TestPerson.of(owner);
    String webhook =
        owner
            .api()
            .call("/Webhook/Create")
            .json("{\"url\":\"http://127.0.0.1:1024/\"}")
            .send()
            .json()
            .get("id")
            .asString();
    owner.api().call("/Webhook/Disable").form("id=" + webhook).send();
    String edited = edit(person, product);
    Map<String, String> theirs =
        Map.ofEntries(
            Map.entry("products/{id}", Integer.toString(product)),
            Map.entry("history/{change}", change),
            Map.entry("merchants/{merchant}", Integer.toString(owner.id())),
            Map.entry("cells/{cell}", "none"),
            Map.entry("merchants/{id}", Integer.toString(owner.id())),
            Map.entry("imports/{merchant}", Integer.toString(owner.id())),
            Map.entry("imports/{import}", imported),
            Map.entry("{merchant}/{id}", imported),
            Map.entry("bulk/{job}", edited),
            Map.entry("applications/{appid}", owner.api().appid()),
            Map.entry("tokens/{merchantId}", Integer.toString(owner.id())),
            Map.entry("{merchantId}/{prefix}", owner.api().accesstoken().substring(0, 8)),
            Map.entry("{prefix}/{action:rotate|revoke}", "revoke"),
            Map.entry("{appid}/{action:rotate|end-former|stop|resume}", "rotate"),
            Map.entry("webhooks/{webhook}", webhook),
            Map.entry("{webhook}/{action:rotate|delete}", "rotate"),
            Map.entry("requests/{id}", Logged.id(call)),
            Map.entry("people/{id}", Integer.toString(person.id())),
            Map.entry("people/{email}", person.email()),
            Map.entry("link/{token}", "none"),
            Map.entry("unsubscribe/{id}", "none"),
            Map.entry("mail/{id}", "none"),
            Map.entry("assets/{address}", "none"));
    Map<String, String> missing =
        Map.ofEntries(
            Map.entry("products/{id}", MISSING_NUMBER),
            Map.entry("history/{change}", MISSING_NUMBER),
            Map.entry("merchants/{merchant}", MISSING_NUMBER),
            Map.entry("cells/{cell}", "none"),
            Map.entry("merchants/{id}", MISSING_NUMBER),
            Map.entry("imports/{merchant}", MISSING_NUMBER),
            Map.entry("imports/{import}", MISSING_NUMBER),
            Map.entry("{merchant}/{id}", MISSING_NUMBER),
            Map.entry("bulk/{job}", MISSING_NUMBER),
            Map.entry("applications/{appid}", "app_missing"),
            Map.entry("tokens/{merchantId}", MISSING_NUMBER),
            Map.entry("{merchantId}/{prefix}", "missing"),
            Map.entry("{prefix}/{action:rotate|revoke}", "revoke"),
            Map.entry("{appid}/{action:rotate|end-former|stop|resume}", "rotate"),
            Map.entry("webhooks/{webhook}", "wh_" + "0".repeat(32)),
            Map.entry("{webhook}/{action:rotate|delete}", "rotate"),
            Map.entry("requests/{id}", "0000000000000000"),
            Map.entry("people/{id}", MISSING_NUMBER),
            Map.entry("people/{email}", "nobody@example.com"),
            Map.entry("link/{token}", "none"),
            Map.entry("unsubscribe/{id}", "none"),
            Map.entry("mail/{id}", "none"),
            Map.entry("assets/{address}", "none"));
    return new AddressParts(owner, theirs, missing);
  }

  /** Changes the quantity in the bulk editor and back again; returns the id of the second job. */
  private static String edit(TestPerson person, int product) {
    Pages pages = Pages.of(person);
    String[] four = {"products", Integer.toString(product), "operation", "set", "value", "4"};
    String[] five = {"products", Integer.toString(product), "operation", "set", "value", "5"};
    String job = "";
    for (String[] edit : List.of(four, five)) {
      String preview = pages.post("/console/products/bulk/preview", edit).body();
      Matcher seen = Pattern.compile("name=\"seen\" value=\"(\\d+)\"").matcher(preview);
      assertThat(seen.find()).as(preview).isTrue();
      List<String> fields = new ArrayList<>(List.of(edit));
      fields.addAll(List.of("seen", seen.group(1)));
      job =
          pages
              .post("/console/products/bulk/apply", fields.toArray(String[]::new))
              .headers()
              .firstValue("Location")
              .orElseThrow()
              .replaceFirst(".*/", "");
    }
    return job;
  }

  TestMerchant owner() {
    return owner;
  }

  static boolean namesSomething(String path) {
    return path.contains("{");
  }

  /** The path with ids that belong to the merchant. */
  String theirs(String path) {
    return fill(path, theirs);
  }

  /** The path with ids that do not exist. */
  String missing(String path) {
    return fill(path, missing);
  }

  private static String fill(String path, Map<String, String> values) {
    String[] words = path.replace("/**", "/no/such/page").split("/", -1);
    String before = "";
    for (int i = 0; i < words.length; i++) {
      String word = words[i];
      if (word.startsWith("{")) {
        words[i] = value(path, before + "/" + word, values);
      }
      before = word;
    }
    return String.join("/", words);
  }

  private static String value(String path, String key, Map<String, String> values) {
    String value = values.get(key);
    if (value == null) {
      throw new AssertionError(
          ("No test knows what stands for \"%s\" in the address %s. Add it to the tables in"
                  + " isolation/AddressParts: something that belongs to a merchant, and something"
                  + " that is not there.")
              .formatted(key, path));
    }
    return value;
  }
}
