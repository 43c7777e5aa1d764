package io.stockroom.server.admin;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.read.ListAppender;
import io.stockroom.server.testing.Admin;
import io.stockroom.server.testing.Api;
import io.stockroom.server.testing.Reply;
import io.stockroom.server.testing.Stock;
import io.stockroom.server.testing.TestMerchant;
import io.stockroom.server.testing.TestServer;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Base64;
import java.util.BitSet;
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** Secrets are shown once; afterwards they are in no table, log or response. */
class PlantedSecretsTest {
  private static final int APPLICATIONS = 20;
  private static final int VISIBLE = 12;

  /** So many characters select the secrets that may follow. */
  private static final int BEGINNING = 6;

  /** How many hashes of beginnings are told apart before a needle is looked up. */
  private static final int FILTER = 1 << 16;

  private final TestServer server = TestServer.shared();
  private final Admin admin = Admin.of(server);
  private final TestMerchant merchant = TestMerchant.fresh();
  private final List<Reply> answers = new ArrayList<>();

  @Test
  void areNowhereAfterBeingShown() throws Exception {
    Logger root = (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
    ListAppender<ILoggingEvent> log = new ListAppender<>();
    log.start();
    root.addAppender(log);
    Set<String> needles = new LinkedHashSet<>();
    try {
      plant(needles);
    } finally {
      root.detachAppender(log);
    }

    assertThat(needles).hasSizeGreaterThan(APPLICATIONS * 6);
    String seen = merchant.api().accesstoken().substring(0, VISIBLE);
    // proves that the search finds what is visible
    assertThat(dump(merchant::inDirectory, "public.access_token")).contains(seen);
    assertThat(dump(merchant::texts, "public.audit")).contains(seen);
    for (Query database : List.<Query>of(merchant::inDirectory, merchant::texts)) {
      for (String table : tables(database)) {
        assertClean("table " + table, dump(database, table), needles);
      }
    }
    assertClean(
        "postgres.log", Files.readString(server.dataFolder().resolve("postgres.log")), needles);
    assertClean("log", text(log.list), needles);
    for (String path :
        List.of(
            "/admin/applications",
            "/admin/tokens",
            "/admin/tokens?merchant=" + merchant.id(),
            "/admin/merchants",
            "/admin/merchants/" + merchant.id(),
            "/admin/merchants/" + merchant.id() + "/usage",
            "/admin/audit",
            "/admin/audit?merchant=" + merchant.id(),
            "/admin/audit?merchant=0")) {
      Reply reply = admin.get(path);
      assertThat(reply.status()).as(path).isEqualTo(200);
      assertClean(path, reply.body(), needles);
    }
    answers.forEach(answer -> assertClean("answer", answer.body(), needles));
    assertClean("verdict", admin.post("/admin/audit/verify", "").body(), needles);
  }

  private void plant(Set<String> needles) {
    int pid = merchant.product();
    for (int i = 0; i < APPLICATIONS; i++) {
      Api api = merchant.application();
      secret(api.secret(), needles);
      token(api.accesstoken(), needles);
      if (i % 10 == 0) {
        answers.add(api.products("page=1"));
        answers.add(api.detail(pid));
        answers.add(api.stock(pid));
        answers.add(api.create(Stock.one(pid, "color " + i, "36", 1)));
        answers.add(api.call("/Usage").send());
        answers.add(
            api.call("/Product/Publish")
                .json("[{\"pid\":%d,\"result\":\"failed\"}]".formatted(pid))
                .send());
        answers.add(api.withSecret("another").products("page=1"));
        answers.add(api.withToken(api.accesstoken() + "x").products("page=1"));
        answers.add(api.withAppid("app_unknown").products("page=1"));
        answers.add(api.create("[{"));
        answers.add(api.call("/Stock/Product").form("page=1").at("1000000000").send());
        answers.add(admin.get("/admin/applications/" + api.appid()));
      }
      if (i % 10 == 1) {
        Reply rotated = admin.post("/admin/applications/" + api.appid() + "/rotate", "{}");
        secret(rotated.json().get("secret").asString(), needles);
      }
      if (i % 10 == 2) {
        answers.add(
            admin.post("/admin/tokens/revoke", "{\"token\":\"" + api.accesstoken() + "\"}"));
        answers.add(
            admin.post("/admin/tokens/revoke", "{\"token\":\"" + api.accesstoken() + "x\"}"));
        answers.add(api.products("page=1"));
      }
      if (i % 10 == 3) {
        answers.add(
            admin.send(
                "PATCH",
                "/admin/applications/" + api.appid(),
                "{\"requireHmac\":true,\"addresses\":[\"10.0.0.0/8\"]}"));
        answers.add(api.products("page=1"));
      }
    }
    answers.add(admin.post("/admin/keys/rotate", ""));
    answers.add(admin.withKey("wrong").get("/admin/tokens"));
    forms(server.operatorKey(), server.operatorKey(), needles);
  }

  private static void secret(String secret, Set<String> needles) {
    assertThat(Base64.getUrlDecoder().decode(secret)).hasSize(32);
    forms(secret, secret, needles);
  }

  /** The prefix of a token is public, so this searches for the rest. */
  private static void token(String token, Set<String> needles) {
    assertThat(token).hasSize(47);
    forms(token.substring(VISIBLE), token.substring("srt_".length()), needles);
    needles.add(Base64.getEncoder().withoutPadding().encodeToString(token.getBytes(UTF_8)));
  }

  private static void forms(String text, String random, Set<String> needles) {
    byte[] bytes = text.getBytes(UTF_8);
    byte[] decoded = Base64.getUrlDecoder().decode(random);
    needles.add(text);
    needles.add(HexFormat.of().formatHex(bytes));
    needles.add(Base64.getEncoder().withoutPadding().encodeToString(bytes));
    needles.add(HexFormat.of().formatHex(decoded));
    needles.add(Base64.getEncoder().withoutPadding().encodeToString(decoded));
  }

  /** Looks for all needles in one pass, because tables are large after other tests. */
  private static void assertClean(String where, String text, Set<String> needles) {
    Map<Integer, List<String>> byBeginning =
        needles.stream().collect(Collectors.groupingBy(needle -> hash(needle, 0)));
    BitSet beginnings = new BitSet(FILTER);
    byBeginning.keySet().forEach(hash -> beginnings.set(hash & FILTER - 1));
    for (int i = 0; i + BEGINNING <= text.length(); i++) {
      int hash = hash(text, i);
      if (!beginnings.get(hash & FILTER - 1)) {
        continue;
      }
      for (String needle : byBeginning.getOrDefault(hash, List.of())) {
        if (text.startsWith(needle, i)) {
          throw new AssertionError(where + " holds a secret: " + needle);
        }
      }
    }
  }

  private static int hash(String text, int from) {
    int hash = 0;
    for (int i = from; i < from + BEGINNING; i++) {
      hash = 31 * hash + text.charAt(i);
    }
    return hash;
  }

  /** The first column of a query in the directory or in the cell. */
  private interface Query {
    List<String> apply(String sql);
  }

  private static List<String> tables(Query database) {
    return database.apply(
        "select format('%I.%I', schemaname, tablename) from pg_tables"
            + " where schemaname not in ('pg_catalog', 'information_schema')");
  }

  /** Byte columns appear in hexadecimal, one of the searched forms. */
  private static String dump(Query database, String table) {
    return String.join("\n", database.apply("select t::text from " + table + " t"));
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
