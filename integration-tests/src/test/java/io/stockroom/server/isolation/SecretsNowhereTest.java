package io.stockroom.server.isolation;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.read.ListAppender;
import io.stockroom.core.database.Database;
import io.stockroom.core.database.Sql;
import io.stockroom.core.settings.BadSettings;
import io.stockroom.core.settings.Settings;
import io.stockroom.protocol.Signature;
import io.stockroom.server.testing.Admin;
import io.stockroom.server.testing.Api;
import io.stockroom.server.testing.Pages;
import io.stockroom.server.testing.TestFactor;
import io.stockroom.server.testing.TestMerchant;
import io.stockroom.server.testing.TestPerson;
import io.stockroom.server.testing.TestServer;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/**
 * Plants and uses every kind of secret, validly and invalidly; afterwards it is in no table, log,
 * metric, response or backup. PlantedSecretsTest covers applications and tokens in more detail.
 */
class SecretsNowhereTest {
  private static final String PASSWORD = "planted-password-7f3a91c2";
  private static final String WRONG_PASSWORD = "planted-wrong-password-55d0";

  private final TestServer server = TestServer.shared();
  private final TestMerchant merchant = TestMerchant.fresh();
  private final Map<String, String> secrets = new LinkedHashMap<>();
  private final List<String> answers = new ArrayList<>();

  @TempDir Path folder;

  @Test
  void areNowhereInPlainText() throws Exception {
    Logger root = (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
    ListAppender<ILoggingEvent> log = new ListAppender<>();
    log.start();
    root.addAppender(log);
    try {
      plantFiles();
      plantPerson();
      plantApplication();
    } finally {
      root.detachAppender(log);
    }
    assertThat(secrets).hasSize(15).doesNotContainValue("");

    // proves that the search finds what is visible
    assertThat(dump("public.person")).contains("@example.com");
    for (String table : tables()) {
      assertClean("the table " + table, dump(table));
    }
    assertClean("the log", text(log.list));
    assertClean("postgres.log", Files.readString(server.dataFolder().resolve("postgres.log")));
    assertClean("the metrics", get(server.adminPort(), "/metrics"));
    assertClean("the health", get(server.adminPort(), "/health/ready"));
    answers.forEach(answer -> assertClean("an answer", answer));
    for (String path : List.of("people", "audit", "tokens", "applications", "merchants")) {
      assertClean("/admin/" + path, Admin.of(server).get("/admin/" + path).body());
    }
    assertClean("the backup", backup());
  }

  /** Also with an invalid setting, and when all settings are shown. */
  @Test
  void ofTheSettingsAreNeverShown() {
    Settings settings =
        Settings.with(
            Map.of(
                "operator-key",
                "planted-key-0123456789-abcdefghij",
                "database.password",
                "planted-word-2"));
    assertThat(settings.toString()).doesNotContain("planted-");
    BadSettings wrong =
        org.assertj.core.api.Assertions.catchThrowableOfType(
            BadSettings.class,
            () -> Settings.with(Map.of("secret-key", "planted-secret-3", "port", "x")));
    assertThat(wrong.getMessage()).contains("secret-key").doesNotContain("planted-");
  }

  /** A heap dump contains every secret, so the server never writes one by itself. */
  @Test
  void areNotWrittenToHeapDumps() throws Exception {
    assertThat(Files.readString(Path.of("..", "stockroom"))).doesNotContain("HeapDump");
  }

  private void plantFiles() throws Exception {
    secrets.put("operator key", server.operatorKey());
    secrets.put("key of the secrets", file("secret.key"));
    secrets.put("password of the database", file("postgres.password"));
    answers.add(Admin.of(server).withKey(server.operatorKey() + "x").get("/admin/people").whole());
  }

  private void plantPerson() {
    TestPerson person = TestPerson.of(merchant);
    secrets.put("link", person.link().replaceFirst(".*/", ""));
    secrets.put("password", PASSWORD);
    secrets.put("wrong password", WRONG_PASSWORD);
    Pages browser = Pages.on(server);
    // the page of a link contains its URL, which the browser already has
    browser.post(person.link(), "password", "short");
    browser.post(person.link(), "password", PASSWORD);
    secrets.put("session", String.valueOf(browser.cookies().get("stockroom-session")));
    answers.add(browser.get("/console/account").body());
    answers.add(browser.get("/console/no/such/page").body());
    Pages again = Pages.on(server);
    answers.add(post(again, person.email(), WRONG_PASSWORD));
    answers.add(post(again, person.email() + "x", WRONG_PASSWORD));
    answers.add(post(again, person.email(), PASSWORD));
    secrets.put("second session", String.valueOf(again.cookies().get("stockroom-session")));
    String reset = Admin.of(server).post("/admin/people/" + person.email() + "/reset", "{}").body();
    secrets.put("link of a reset", reset.replaceFirst("(?s).*/console/link/([^\"]+)\".*", "$1"));
    TestFactor factor = TestFactor.of(person.again());
    secrets.put("secret of a second factor", factor.secret());
    secrets.put("recovery code", factor.recoveryCodes().getFirst());
    secrets.put("bare recovery code", factor.recoveryCodes().getLast().replace("-", ""));
    answers.add(post(again, person.email(), PASSWORD));
    secrets.put("ticket", String.valueOf(again.cookies().get("stockroom-sign-in")));
  }

  private void plantApplication() {
    Api api = merchant.api();
    secrets.put("secret of an application", api.secret());
    // its prefix is public
    secrets.put("access token", api.accesstoken().substring(12));
    answers.add(api.products("page=1").whole());
    answers.add(api.products("page=x" + api.accesstoken().substring(0, 4)).whole());
    answers.add(api.withSecret(api.secret() + "x").products("page=1").whole());
    String timestamp = Long.toString(api.nextTimestamp());
    String signed =
        Signature.hmac(api.secret(), "POST", "/Usage", timestamp, api.accesstoken(), new byte[0]);
    answers.add(
        api.call("/Usage")
            .at(timestamp)
            .header("sign", signed)
            .header("sign-method", "hmac-sha256")
            .send()
            .whole());
    assertThat(answers.getLast()).startsWith("200 ");
  }

  private static String post(Pages pages, String email, String password) {
    return pages.post("/console/sign-in", "email", email, "password", password).body();
  }

  private String file(String name) throws Exception {
    return Files.readString(server.dataFolder().resolve(name)).strip();
  }

  private static final Sql TABLES =
      Sql.of(
          """
          select tablename from pg_tables
          where schemaname = 'public'
            and has_table_privilege(format('%I.%I', schemaname, tablename), 'select')
          """);

  private static final Sql COLUMN =
      Sql.of(
          """
          select 1 from pg_attribute
          where attrelid = to_regclass(:name) and attname = 'merchant_id'
          """);

  /** Other tests leave millions of rows of other merchants, which know none of these secrets. */
  private String rows(String table, boolean hasMerchant) {
    String rows = "select t::text from " + table + " t";
    return hasMerchant
        ? "%s where coalesce(merchant_id, 0) in (0, %d)".formatted(rows, merchant.id())
        : rows;
  }

  /** What a backup of both databases contains of this merchant, and more. */
  private String backup() throws Exception {
    StringBuilder text = new StringBuilder();
    for (Database database : List.of(server.directory(), server.database())) {
      database.read(
          connection -> {
            for (String table : TABLES.on(connection).list(row -> row.getString(1))) {
              Sql.of(rows(table, COLUMN.on(connection).set("name", table).exists()))
                  .on(connection)
                  .forEach(row -> text.append(row.getString(1)).append('\n'));
            }
            return null;
          });
    }
    assertThat(text).contains("@example.com");
    return text.toString();
  }

  private void assertClean(String where, String text) {
    secrets.forEach(
        (what, secret) -> {
          byte[] bytes = secret.getBytes(UTF_8);
          for (String form :
              List.of(
                  secret,
                  HexFormat.of().formatHex(bytes),
                  Base64.getEncoder().withoutPadding().encodeToString(bytes))) {
            if (text.contains(form)) {
              throw new AssertionError(where + " holds the " + what + ": " + form);
            }
          }
        });
  }

  private List<String> tables() {
    return merchant.texts(
        "select format('%I.%I', schemaname, tablename) from pg_tables"
            + " where schemaname not in ('pg_catalog', 'information_schema')");
  }

  private String dump(String table) {
    boolean isPerson = table.equals("public.person");
    boolean hasMerchant =
        !isPerson
            && !merchant
                .texts(
                    "select attname from pg_attribute where attname = 'merchant_id'"
                        + " and attrelid = to_regclass('%s')".formatted(table))
                .isEmpty();
    String rows = rows(table, hasMerchant);
    return String.join("\n", isPerson ? merchant.inDirectory(rows) : merchant.texts(rows));
  }

  private static String get(int port, String path) throws Exception {
    try (HttpClient client = HttpClient.newHttpClient()) {
      return client
          .send(
              HttpRequest.newBuilder(URI.create("http://127.0.0.1:%d%s".formatted(port, path)))
                  .build(),
              HttpResponse.BodyHandlers.ofString())
          .body();
    }
  }

  private static String text(List<ILoggingEvent> events) {
    StringBuilder text = new StringBuilder();
    for (ILoggingEvent event : events) {
      text.append(event.getFormattedMessage()).append('\n');
      if (event.getThrowableProxy() != null) {
        text.append(ThrowableProxyUtil.asString(event.getThrowableProxy())).append('\n');
      }
    }
    return text.toString();
  }
}
