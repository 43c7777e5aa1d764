package io.stockroom.console;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static java.nio.charset.StandardCharsets.UTF_8;

import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.FilePayload;
import io.stockroom.server.testing.Reply;
import io.stockroom.server.testing.TestImports;
import io.stockroom.server.testing.TestMerchant;
import io.stockroom.server.testing.TestPerson;
import java.net.http.HttpRequest.BodyPublishers;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The look of the import wizard in each state. */
class ImportLookTest {
  private static final String GOOD =
      "货号,标题,价格,颜色,尺码,库存\nA1,帆布鞋,59.00,red,36-38,5\nA2,Boot,99,black,40,2\n";
  private static final String BAD = GOOD + "A3,Sandal,very cheap,black,40,2\nA4,,5,red,x,many\n";

  private static final String SHOP =
      """
      Handle,Title,Body (HTML),Option1 Name,Option1 Value,Option2 Name,Option2 Value,Variant Inventory Qty,Variant Price,Image Src,Variant Image,Vendor,Taxable
      ring,Ring,"<p style=""color:red"">Gold</p><iframe src=""https://v.example/1""></iframe>",Color,Gold,Material,Silk,-2,25.00,https://i.example/1.jpg,https://i.example/g.jpg,Acme,true
      ring,,,,Silver,,Wool,3,20.00,https://i.example/2.jpg,,,
      bag,Bag,,Title,Default Title,,,4,30.00,,,Bolt,true
      """;

  private final TestMerchant merchant = TestMerchant.fresh();
  private final TestMerchant busy = TestMerchant.fresh();
  private final TestPerson person = TestPerson.of(merchant);
  private final TestPerson watcher = TestPerson.of(busy);

  @Test
  void importsLookAsTheyShouldInEveryState() {
    TestImports imports = merchant.imports();
    int planned = id(imports.plan("spring.csv", GOOD));
    int errors = id(imports.plan("spring with a long name of a file, version 2 (final).csv", BAD));
    int shop = id(imports.plan("products_export.csv", SHOP));
    int failed = id(imports.plan("other.csv", "Ref,Text\nA1,Shoe\n"));
    int rejected = id(imports.apply("bad.csv", BAD));
    int cancelled = id(imports.plan("dropped.csv", GOOD));
    imports.ask(cancelled, "cancel", "");
    int done = id(imports.apply("good.csv", GOOD));
    int same = id(imports.plan("again.csv", GOOD));
    TestMerchant mistaken = TestMerchant.fresh();
    int wrong = id(mistaken.imports().apply("wrong.csv", GOOD));
    mistaken.imports().apply("later.csv", "货号,颜色,尺码,库存\nA1,red,36,8\n");
    int undone = id(mistaken.imports().ask(wrong, "undo", ""));
    mistaken.imports().end(undone);
    TestPerson beginner = TestPerson.of(TestMerchant.fresh());
    int running = id(busy.imports().plan("large.csv", GOOD));
    hold(running);
    int waiting =
        busy.imports()
            .send("next.csv", BodyPublishers.ofString(GOOD), "apply=false")
            .json()
            .get("importId")
            .asInt();

    Looks.check(
        "imports",
        merchant.server(),
        List.of(
            LookScene.of("imports", person, "/console/imports"),
            LookScene.of("imports-empty", beginner, "/console/imports"),
            LookScene.of("imports-sending", beginner, "/console/imports")
                .then(ImportLookTest::send)
                .withoutAxe(),
            scene("import-waiting", watcher, busy, waiting),
            scene("import-running", watcher, busy, running),
            scene("import-planned", person, merchant, planned),
            scene("import-shop", person, merchant, shop)
                .then(
                    page ->
                        page.evaluate(
                            "() => { document.querySelector('#job details').open = true; }")),
            scene("import-errors", person, merchant, errors),
            scene("import-failed", person, merchant, failed),
            scene("import-rejected", person, merchant, rejected).withoutAxe(),
            scene("import-cancelled", person, merchant, cancelled).withoutAxe(),
            scene("import-done", person, merchant, done),
            scene("import-undone", TestPerson.of(mistaken), mistaken, undone),
            scene("import-same", person, merchant, same).withoutAxe()));
  }

  @AfterEach
  void letGo() {
    update("update import set state = 'cancelled' where merchant_id = ? and import_id <> ?", 0);
  }

  private static LookScene scene(String name, TestPerson person, TestMerchant of, int id) {
    return LookScene.of(name, person, "/console/imports/%d/%d".formatted(of.id(), id))
        .then(
            page ->
                // freezes a page that polls an import
                page.route(url -> url.contains("phase="), _ -> {}))
        .measured(".trail [aria-current], .import-number");
  }

  /** Marks the import as half done and leased by a stalled node. The next one waits. */
  private void hold(int id) {
    update(
        """
        update import set state = 'applying', phase = 'writing', unit = 'products', done = 47,
          total = 100, holder = gen_random_uuid(), lease_until = now() + interval '1 hour'
        where merchant_id = ? and import_id = ?
        """,
        id);
  }

  private void update(String sql, int id) {
    try {
      busy.server()
          .database()
          .write(
              connection -> {
                try (PreparedStatement statement = connection.prepareStatement(sql)) {
                  statement.setInt(1, busy.id());
                  statement.setInt(2, id);
                  return statement.executeUpdate();
                }
              });
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void send(Page page) {
    // otherwise the held request would be sent when the page closes
    page.evaluate("() => { XMLHttpRequest.prototype.send = () => {}; }");
    page.locator("input[type=file]")
        .setInputFiles(new FilePayload("slow.csv", "text/csv", GOOD.getBytes(UTF_8)));
    page.locator("#upload button.main").click();
    assertThat(page.locator("#upload .sending")).isVisible();
  }

  private static int id(Reply reply) {
    return reply.json().get("importId").asInt();
  }
}
