package io.stockroom.core.access;

import static org.assertj.core.api.Assertions.assertThat;

import io.stockroom.core.database.DatabaseAddress;
import io.stockroom.core.database.Sql;
import io.stockroom.core.settings.Settings;
import io.stockroom.server.Stockroom;
import io.stockroom.server.testing.Admin;
import io.stockroom.server.testing.Api;
import io.stockroom.server.testing.OwnDatabase;
import io.stockroom.server.testing.Pages;
import io.stockroom.server.testing.Reply;
import io.stockroom.server.testing.TestFactor;
import io.stockroom.server.testing.TestMerchant;
import io.stockroom.server.testing.TestPerson;
import io.stockroom.server.testing.TestServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;

/** Two nodes with one key file on their own database, because a rotation affects every secret. */
@TestInstance(Lifecycle.PER_CLASS)
class KeyRotationTest {
  private final DatabaseAddress address = OwnDatabase.withTables();
  private final List<Stockroom> open = new ArrayList<>();
  private Path folder;
  private TestServer node;
  private TestServer other;

  @BeforeAll
  void start(@TempDir Path temporary) {
    folder = temporary;
    node = another(Map.of());
    other = another(Map.of());
  }

  @AfterAll
  void stop() {
    open.reversed().forEach(Stockroom::close);
  }

  @Test
  void leavesEverySecretWorkingOnEveryNode() {
    Api current = TestMerchant.on(node).api();
    Api rotated = TestMerchant.on(node).api();
    Reply second = Admin.of(node).post("/admin/applications/" + rotated.appid() + "/rotate", "{}");
    Api renewed = rotated.withSecret(second.json().get("secret").asString());

    Reply reply = rotate(node);

    assertThat(reply.status()).isEqualTo(200);
    assertThat(reply.json().get("resealed").asInt()).isGreaterThanOrEqualTo(2);
    for (Api api : List.of(current, rotated, renewed)) {
      assertWorksEverywhere(api);
    }
  }

  @Test
  void resealsTheSecretsOfSecondFactors() throws Exception {
    TestPerson person = TestPerson.of(TestMerchant.on(node));
    Pages pages = Pages.of(person);
    pages.post("/console/account/second-factor/begin");
    String secret = TestFactor.secret(pages.get("/console/account/second-factor").body());

    rotate(node);

    byte[] sealed =
        node.cells()
            .directory()
            .read(
                connection ->
                    Sql.of("select totp_secret from person where person_id = :id")
                        .on(connection)
                        .set("id", person.id())
                        .one(row -> row.getBytes(1)));
    SecretBox box = new SecretBox(SecretKeys.ofFile(keyFile())::read);
    assertThat(box.open(sealed, "person " + person.id())).isEqualTo(secret);
  }

  @Test
  void leavesOneNewKeyInTheFileForItsOwnerOnly() throws Exception {
    String before = Files.readString(keyFile()).strip();

    rotate(node);

    List<String> after = Files.readAllLines(keyFile());
    assertThat(after).hasSize(1).doesNotContain(before);
    assertThat(Base64.getUrlDecoder().decode(after.getFirst())).hasSize(32);
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(keyFile())))
        .isEqualTo("rw-------");
    try (var files = Files.list(folder)) {
      assertThat(files.filter(file -> file.toString().endsWith(".new"))).isEmpty();
    }
  }

  @Test
  void sealsWithTheNewKeyOnANodeThatHasNotSeenItYet() {
    Api old = TestMerchant.on(other).api();
    rotate(node);

    Api made = TestMerchant.on(other).api();
    rotate(node);
    Reply second = Admin.of(other).post("/admin/applications/" + old.appid() + "/rotate", "{}");

    assertWorksEverywhere(made);
    assertWorksEverywhere(old.withSecret(second.json().get("secret").asString()));
  }

  @Test
  void losesNoSecretWhenRunOnBothNodesWhileApplicationsAreCreated() throws Exception {
    List<Api> before = List.of(TestMerchant.on(node).api(), TestMerchant.on(other).api());
    List<Api> meanwhile = new ArrayList<>();
    try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int round = 0; round < 5; round++) {
        List<Future<Reply>> rotations =
            List.of(
                executor.submit(() -> rotate(node)),
                executor.submit(() -> rotate(other)),
                executor.submit(() -> rotate(node)));
        List<Future<Api>> made =
            List.of(
                executor.submit(() -> TestMerchant.on(node).api()),
                executor.submit(() -> TestMerchant.on(other).api()));
        for (Future<Reply> rotation : rotations) {
          assertThat(rotation.get().status()).isEqualTo(200);
        }
        for (Future<Api> api : made) {
          meanwhile.add(api.get());
        }
      }
    }

    before.forEach(this::assertWorksEverywhere);
    meanwhile.forEach(this::assertWorksEverywhere);
    assertThat(keys()).hasSize(1);
  }

  @Test
  void canBeResumedAfterAnInterruption() throws Exception {
    Api untouched = TestMerchant.on(node).api();
    Api resealed = TestMerchant.on(node).api();
    String old = keys().getFirst();
    String fresh = Base64.getUrlEncoder().withoutPadding().encodeToString(new byte[32]);
    Files.write(keyFile(), List.of(fresh, old));
    reseal(resealed, fresh);

    TestServer restarted = another(Map.of());

    for (Api api : List.of(untouched, resealed)) {
      assertThat(isIn(api.on(restarted))).isTrue();
      assertWorksEverywhere(api);
    }
    rotate(restarted);
    assertThat(keys()).hasSize(1).doesNotContain(old, fresh);
    assertWorksEverywhere(untouched);
    assertWorksEverywhere(resealed);
  }

  @Test
  void isRejectedIfTheKeyIsASetting() throws Exception {
    Api api = TestMerchant.on(node).api();
    String key = keys().getFirst();
    TestServer set = another(Map.of("secret-key", key));

    Reply reply = rotate(set);

    assertThat(reply.status()).isEqualTo(409);
    assertThat(reply.codes()).containsExactly("KEY_FROM_ELSEWHERE");
    assertThat(reply.msg()).contains("secret-key=NEW,OLD");
    assertThat(keys()).containsExactly(key);
    assertThat(isIn(api.on(set))).isTrue();
  }

  private TestServer another(Map<String, String> more) {
    Map<String, String> settings = new java.util.HashMap<>(OwnDatabase.settings(address));
    settings.putAll(more);
    Stockroom stockroom = Stockroom.start(folder, Settings.with(settings));
    open.add(stockroom);
    return TestServer.of(stockroom);
  }

  private static Reply rotate(TestServer server) {
    return Admin.of(server).post("/admin/keys/rotate", "");
  }

  private void assertWorksEverywhere(Api api) {
    assertThat(isIn(api.on(node))).isTrue();
    assertThat(isIn(api.on(other))).isTrue();
    assertOpensWithTheFile(api);
  }

  /** Like a newly started server that never had an older key. */
  private void assertOpensWithTheFile(Api api) {
    SecretBox box = new SecretBox(SecretKeys.ofFile(keyFile())::read);
    List<String> opened = new ArrayList<>();
    for (byte[] sealed : sealed(api)) {
      opened.add(box.open(sealed, api.appid()));
    }
    assertThat(opened).contains(api.secret());
  }

  private List<byte[]> sealed(Api api) {
    try {
      return node.cells()
          .directory()
          .read(
              connection ->
                  Sql.of(
                          """
                          select secret from application where appid = :appid
                          union all
                          select previous_secret from application
                          where appid = :appid and previous_secret is not null
                          """)
                      .on(connection)
                      .set("appid", api.appid())
                      .list(row -> row.getBytes(1)));
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private static boolean isIn(Api api) {
    return api.products("page=1").status() == 200;
  }

  private Path keyFile() {
    return folder.resolve("secret.key");
  }

  private List<String> keys() throws IOException {
    return Files.readAllLines(keyFile());
  }

  private void reseal(Api api, String key) throws SQLException {
    byte[] sealed = new SecretBox(() -> List.of(key)).seal(api.secret(), api.appid());
    node.cells()
        .directory()
        .write(
            connection ->
                Sql.of("update application set secret = :secret where appid = :appid")
                    .on(connection)
                    .set("secret", sealed)
                    .set("appid", api.appid())
                    .update());
  }
}
