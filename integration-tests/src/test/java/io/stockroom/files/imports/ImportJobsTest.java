package io.stockroom.files.imports;

import static io.stockroom.files.imports.ProductImportTest.counts;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.stockroom.server.testing.Admin;
import io.stockroom.server.testing.Eventually;
import io.stockroom.server.testing.Nodes;
import io.stockroom.server.testing.Reply;
import io.stockroom.server.testing.TestMerchant;
import io.stockroom.server.testing.TestServer;
import java.net.http.HttpRequest.BodyPublishers;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The life cycle of an import job: listed, watched, cancelled, taken over. */
class ImportJobsTest {
  private static final String FILE = "artNo,title,price,color,36\nA1,Boot,5,red,1\n";
  private final TestMerchant merchant = TestMerchant.fresh();

  @Test
  void listsTheNewestFirstByMerchantAndState() {
    int first = id(merchant.imports().plan("first.csv", FILE));
    int second = id(merchant.imports().apply("second.csv", FILE));

    assertThat(listed("merchantId=" + merchant.id())).containsExactly(second, first);
    assertThat(listed("merchantId=" + merchant.id() + "&state=planned")).containsExactly(first);
    assertThat(Admin.of(TestServer.shared()).get("/admin/imports?state=odd").codes())
        .containsExactly("TEXT_FORMAT");
    assertThat(merchant.imports().show(first).body())
        .contains("\"name\":\"first.csv\",\"by\":\"operator\",\"state\":\"planned\"");
  }

  @Test
  void doesNotShowAnotherMerchantsImport() {
    int importId = id(merchant.imports().plan("p.csv", FILE));
    TestMerchant other = TestMerchant.fresh();

    assertThat(other.imports().show(importId).codes()).containsExactly("IMPORT_MISSING");
    assertThat(other.imports().ask(importId, "apply", "{}").status()).isEqualTo(404);
    assertThat(other.imports().ask(importId, "cancel", "{}").status()).isEqualTo(404);
  }

  @Test
  void rejectsActionsThatItsStateDoesNotAllow() {
    int applied = id(merchant.imports().apply("p.csv", FILE));

    for (String what : List.of("apply", "plan", "cancel")) {
      Reply reply = merchant.imports().ask(applied, what, "{}");
      assertThat(reply.status()).isEqualTo(409);
      assertThat(reply.codes()).containsExactly("IMPORT_STATE");
    }
  }

  @Test
  void cancelsAPlanAndDeletesItsFile() {
    int importId = id(merchant.imports().plan("p.csv", FILE));

    Reply reply = merchant.imports().ask(importId, "cancel", "");

    assertThat(reply.status()).isEqualTo(200);
    assertThat(reply.json().get("state").asString()).isEqualTo("cancelled");
    assertThat(pieces()).isZero();
    assertThat(merchant.imports().ask(importId, "apply", "{}").status()).isEqualTo(409);
  }

  @Test
  void cancelsDuringAStatementAndLeavesNothing() throws Exception {
    whileMerchantIsHeld(
        () -> {
          int running = submit();
          awaitLockWait();
          int queued = submit();

          Reply reply = merchant.imports().ask(running, "cancel", "");

          assertThat(reply.status()).isEqualTo(200);
          assertThat(reply.json().get("state").asString()).isEqualTo("cancelled");
          assertThat(merchant.imports().ask(queued, "cancel", "").json().get("state").asString())
              .isEqualTo("cancelled");
        });

    assertThat(merchant.productIds()).isEmpty();
    assertThat(pieces()).isZero();
    assertThat(counts(merchant.imports().apply("p.csv", FILE))).isEqualTo("applied 1 0 0 0");
  }

  @Test
  void runsImportsOfOneMerchantOneAfterTheOther() throws Exception {
    int[] ids = new int[2];
    whileMerchantIsHeld(
        () -> {
          ids[0] = submit();
          awaitLockWait();
          ids[1] = submit();
          assertThat(counts(TestMerchant.fresh().imports().apply("p.csv", FILE)))
              .isEqualTo("applied 1 0 0 0");
          assertThat(merchant.imports().show(ids[1]).json().get("state").asString())
              .isEqualTo("waiting");
        });

    assertThat(counts(merchant.imports().end(ids[0]))).isEqualTo("applied 1 0 0 0");
    assertThat(counts(merchant.imports().end(ids[1]))).isEqualTo("applied 0 0 1 0");
  }

  @Test
  void takesOverImportsOfADeadNodeAndGivesUpAfterThreeAttempts() throws Exception {
    int importId = id(merchant.imports().plan("p.csv", FILE));

    abandon(importId, 1);
    assertThat(
            Eventually.within(
                Duration.ofSeconds(20),
                () -> counts(merchant.imports().show(importId)).startsWith("planned")))
        .isTrue();
    abandon(importId, 3);
    Reply given = merchant.imports().end(importId);

    assertThat(given.json().get("state").asString()).isEqualTo("failed");
    assertThat(given.json().get("reason").asString())
        .startsWith("The import was started 3 times and never finished");
  }

  @Test
  void runsOnAnyNodeAndIsVisibleOnAll() {
    int importId = id(merchant.imports().plan("p.csv", FILE));

    for (TestServer node : Nodes.three()) {
      assertThat(
              Admin.of(node)
                  .get(merchant.imports().path() + "/" + importId)
                  .json()
                  .get("state")
                  .asString())
          .isEqualTo("planned");
    }
  }

  @Test
  void readsAFileOfAnySizeInPieces() {
    StringBuilder file = new StringBuilder("artNo,title,price,description,color,36,37,38\n");
    String text = "<p>" + "warm and dry ".repeat(450) + "</p>";
    for (int i = 0; i < 600; i++) {
      file.append("A").append(i).append(",Boot,5,").append(text).append(",red,1,2,3\n");
    }

    Reply reply = merchant.imports().apply("p.csv", file.toString());

    assertThat(reply.json().at("/source/bytes").asInt()).isGreaterThan(3 << 20);
    assertThat(counts(reply)).isEqualTo("applied 600 0 0 0");
    assertThat(reply.json().at("/stock/created").asInt()).isEqualTo(1800);
    assertThat(merchant.inconsistencies()).isEmpty();
    assertThat(counts(merchant.imports().apply("p.csv", file.toString())))
        .isEqualTo("applied 0 0 600 0");
  }

  @Test
  void addsOneRowToTheAuditLog() {
    merchant.imports().apply("p.csv", FILE);
    merchant.imports().plan("p.csv", FILE);

    assertThat(
            merchant.texts(
                """
                select actor || ' ' || details from audit
                where merchant_id = ? and action = 'products.import'"""))
        .containsExactly("operator 1 created, 0 changed, 0 unchanged, 0 failed");
  }

  private int submit() {
    return id(merchant.imports().send("p.csv", BodyPublishers.ofString(FILE, UTF_8), "apply=true"));
  }

  private interface Work {
    void run() throws SQLException;
  }

  private void whileMerchantIsHeld(Work work) throws SQLException {
    TestServer.shared()
        .database()
        .write(
            connection -> {
              try (Statement statement = connection.createStatement()) {
                statement.execute(
                    "select 1 from merchant_data where merchant_id = %d for no key update"
                        .formatted(merchant.id()));
              }
              work.run();
              connection.rollback();
              return 0;
            });
  }

  private void awaitLockWait() {
    assertThat(
            Eventually.within(
                Duration.ofSeconds(20),
                () ->
                    !merchant
                        .texts(
                            "select pid from pg_stat_activity where wait_event_type = 'Lock' and"
                                + " query like 'select 1 from merchant_data where%'")
                        .isEmpty()))
        .isTrue();
  }

  private void abandon(int importId, int attempts) throws SQLException {
    TestServer.shared()
        .database()
        .write(
            connection -> {
              try (Statement statement = connection.createStatement()) {
                return statement.executeUpdate(
                    """
                    update import set state = 'planning', holder = gen_random_uuid(),
                      attempts = %d, lease_until = now() - interval '1 second'
                    where import_id = %d"""
                        .formatted(attempts, importId));
              }
            });
  }

  private int pieces() {
    return Integer.parseInt(
        merchant.texts("select count(*) from import_piece where merchant_id = ?").getFirst());
  }

  private static List<Integer> listed(String query) {
    return Admin.of(TestServer.shared())
        .get("/admin/imports?" + query)
        .json()
        .get("imports")
        .valueStream()
        .map(job -> job.get("importId").asInt())
        .toList();
  }

  private static int id(Reply reply) {
    return reply.json().get("importId").asInt();
  }
}
