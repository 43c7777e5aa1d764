package io.stockroom.console.mail;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.stockroom.core.access.Credentials;
import io.stockroom.core.access.SecretBox;
import io.stockroom.core.audit.Audit;
import io.stockroom.core.database.Cells;
import io.stockroom.core.database.Database;
import io.stockroom.core.database.Migrations;
import io.stockroom.core.settings.MailSecurity;
import io.stockroom.core.settings.Settings;
import io.stockroom.core.webhooks.SteppedClock;
import io.stockroom.protocol.Language;
import io.stockroom.server.testing.MailReceiver;
import io.stockroom.server.testing.ScratchDatabase;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.subethamail.smtp.auth.EasyAuthenticationHandlerFactory;
import org.subethamail.smtp.auth.LoginFailedException;

/** The queue of mails, sent to a real mail server. */
class MailsTest {
  private static final AtomicInteger NUMBERS = new AtomicInteger();

  private static ScratchDatabase scratch;
  private static Database database;
  private static Credentials credentials;
  private static MailReceiver receiver;

  private final SteppedClock clock = new SteppedClock();
  private final String recipient = "li%d@example.com".formatted(NUMBERS.incrementAndGet());

  @BeforeAll
  static void begin() throws Exception {
    scratch = ScratchDatabase.withTables();
    database = scratch.database();
    Migrations.run(database);
    String key = Base64.getUrlEncoder().encodeToString(new byte[32]);
    credentials =
        new Credentials(
            Cells.single(database), new SecretBox(() -> List.of(key)), Settings.with(Map.of()));
    receiver = new MailReceiver();
  }

  @AfterAll
  static void end() {
    receiver.close();
    scratch.close();
  }

  private Mails node(int port, MailSecurity security, String password, @Nullable SSLContext trust) {
    return new Mails(
        database,
        credentials,
        new Audit(Cells.single(database)),
        clock,
        new MailServer(
            "localhost",
            port,
            security,
            password.isEmpty() ? "" : "stock",
            password,
            "Stockroom <stock@example.com>",
            "https://stockroom.example"),
        trust == null ? null : trust.getSocketFactory());
  }

  private Mails node() {
    return node(receiver.port(), MailSecurity.NONE, "", null);
  }

  private void add(Mails node, MailKind kind, Mail mail) throws SQLException {
    database.write(
        connection -> {
          node.add(connection, kind, mail, Language.CHINESE);
          return null;
        });
  }

  private Mail mail(String subject, String text) {
    return new Mail(recipient, subject, text, "https://stockroom.example/u/1");
  }

  private String column(String column) {
    return scratch
        .texts("select %s from mail where recipient = '%s'".formatted(column, recipient))
        .getFirst();
  }

  @Test
  void sendsPlainTextAndHtml() throws SQLException {
    Mails node = node();
    add(node, MailKind.DIGEST, mail("库存 1", "Hi <b>\n\n- A·1 <https://stockroom.example/p/1>"));

    node.sendDue();

    MailReceiver.Received got = receiver.await(recipient, 1);
    assertThat(got.subject()).isEqualTo("库存 1");
    assertThat(got.text()).isEqualTo("Hi <b>\n\n- A·1 <https://stockroom.example/p/1>");
    assertThat(got.html())
        .contains("lang=\"zh\"")
        .contains("<p>Hi &lt;b&gt;</p>")
        .contains("<li><a href=\"https://stockroom.example/p/1\">A·1</a></li>");
    assertThat(got.header("From")).isEqualTo("Stockroom <stock@example.com>");
    assertThat(got.header("List-Unsubscribe")).isEqualTo("<https://stockroom.example/u/1>");
    assertThat(got.header("Message-ID")).isEqualTo("<" + column("mail_id") + "@example.com>");
    assertThat(column("state || ' ' || attempts")).isEqualTo("sent 1");
    assertThat(column("answer")).startsWith("250 ");
  }

  @Test
  void nothingCanAddAHeader() throws SQLException {
    Mails node = node();
    add(node, MailKind.DIGEST, mail("Shoes\r\nBcc: evil@example.com\n\u2028x\u0085", "text"));
    node.sendDue();

    MailReceiver.Received got = receiver.await(recipient, 1);
    assertThat(got.subject()).isEqualTo("Shoes Bcc: evil@example.com x");
    assertThat(got.header("Bcc")).isEmpty();
    for (String bad :
        List.of("a@b.c\r\nRCPT TO:<x@y.z>", "a@b.c, d@e.f", "a b@c.d", "<a@b.c>", "a", "@")) {
      assertThatThrownBy(() -> new Mail(bad, "s", "t", ""))
          .isInstanceOf(IllegalArgumentException.class);
    }
    assertThatThrownBy(() -> new Mail("a@b.c", "s", "t", "https://x/\r\nBcc: y@z"))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(
            () -> Settings.with(Map.of("mail.from", "Stock\r\nBcc: x <stock@example.com>")))
        .hasMessageContaining("mail.from");
  }

  @Test
  void theTextIsEncryptedAndForgottenAfterwards() throws SQLException {
    Mails node = node();
    add(node, MailKind.INVITATION, mail("s", "https://stockroom.example/link/secret"));

    assertThat(column("encode(body, 'escape')")).doesNotContain("secret");
    assertThat(database.<Integer>write(node::reseal)).isPositive();
    node.sendDue();

    assertThat(receiver.await(recipient, 1).text()).contains("secret");
    assertThat(column("body is null")).isEqualTo("t");
  }

  @Test
  void encryptsAndAuthenticates(@TempDir Path folder) throws Exception {
    SSLContext tls = tls(folder);
    try (MailReceiver strict =
        new MailReceiver(
            builder ->
                builder
                    .enableTLS()
                    .requireTLS()
                    .startTlsSocketFactory(tls)
                    .requireAuth()
                    .authenticationHandlerFactory(
                        new EasyAuthenticationHandlerFactory(
                            (user, password, _) -> {
                              if (!user.equals("stock") || !password.equals("right")) {
                                throw new LoginFailedException();
                              }
                            })))) {
      int port = strict.port();
      SendResult sent =
          node(port, MailSecurity.STARTTLS, "right", tls)
              .test(recipient, Language.ENGLISH, actor());
      SendResult wrong =
          node(port, MailSecurity.STARTTLS, "wrong", tls)
              .test(recipient, Language.ENGLISH, actor());
      SendResult untrusted =
          node(port, MailSecurity.STARTTLS, "right", null)
              .test(recipient, Language.ENGLISH, actor());

      assertThat(sent.answer()).startsWith("250 ");
      assertThat(sent.dialog()).contains("STARTTLS").noneMatch(line -> line.contains("right"));
      assertThat(wrong.sent()).isFalse();
      assertThat(wrong.answer()).startsWith("535 ");
      assertThat(untrusted.sent()).isFalse();
      assertThat(strict.of(recipient)).hasSize(1);
    }
    SendResult plain =
        node(receiver.port(), MailSecurity.STARTTLS, "right", tls)
            .test(recipient, Language.ENGLISH, actor());
    assertThat(plain.sent()).as("never without encryption").isFalse();
    assertThat(plain.answer()).contains("STARTTLS");
  }

  @Test
  void retriesAndGivesUpAfterADay() throws Exception {
    Mails node = node(closedPort(), MailSecurity.NONE, "", null);
    add(node, MailKind.INVITATION, mail("s", "t"));

    node.sendDue();
    assertThat(column("state || ' ' || attempts")).isEqualTo("waiting 1");
    assertThat(column("answer")).containsIgnoringCase("connect");
    clock.step(Duration.ofSeconds(58));
    node.sendDue();
    assertThat(column("attempts")).as("before the pause is over").isEqualTo("1");
    assertThat(node.retry(node.latest(1).getFirst().id())).isTrue();
    node.sendDue();
    assertThat(column("attempts")).as("after retry").isEqualTo("2");
    for (int hours = 0; hours < 25; hours++) {
      clock.step(Duration.ofHours(1));
      node.sendDue();
    }
    assertThat(column("state")).isEqualTo("failed");
    assertThat(Integer.parseInt(column("attempts"))).isBetween(5, 12);
    assertThat(node.latest(1).getFirst().answer()).isNotEmpty();
  }

  @Test
  void aLinkThatHasExpiredIsNotSent() throws SQLException {
    Mails node = node();
    add(node, MailKind.RESET, mail("s", "t"));
    clock.step(Duration.ofMinutes(30));
    node.sendDue();

    assertThat(column("state || ' ' || attempts")).isEqualTo("failed 0");
    assertThat(receiver.of(recipient)).isEmpty();
  }

  @Test
  void twoNodesSendEachMailOnce() throws Exception {
    Mails first = node();
    Mails second = node();
    for (int i = 0; i < 20; i++) {
      add(first, MailKind.DIGEST, mail("s" + i, "t"));
    }
    Thread other =
        Thread.ofPlatform()
            .start(
                () -> {
                  try {
                    second.sendDue();
                  } catch (SQLException e) {
                    throw new IllegalStateException(e);
                  }
                });
    first.sendDue();
    other.join();

    Set<String> subjects = new TreeSet<>();
    receiver.of(recipient).forEach(mail -> subjects.add(mail.subject()));
    assertThat(receiver.of(recipient)).hasSize(20);
    assertThat(subjects).hasSize(20);
    assertThat(IntStream.range(0, 7).mapToObj(MailRunner::pause).toList())
        .isSorted()
        .endsWith(Duration.ofHours(4));
  }

  @Test
  void bothLanguagesHaveTheSameTexts() throws IOException {
    Path folder = Path.of("../console/src/main/resources/console");
    java.util.Properties english = new java.util.Properties();
    java.util.Properties chinese = new java.util.Properties();
    english.load(Files.newBufferedReader(folder.resolve("mail_en.properties")));
    chinese.load(Files.newBufferedReader(folder.resolve("mail_zh.properties")));

    assertThat(chinese.stringPropertyNames()).isEqualTo(english.stringPropertyNames());
    for (String key : english.stringPropertyNames()) {
      for (Language language : Language.values()) {
        assertThat(new MailTexts(language).text(key, 2, "two", "three", "four"))
            .doesNotContain("{")
            .doesNotContain("'");
      }
    }
  }

  private static io.stockroom.core.audit.Actor actor() {
    return io.stockroom.core.audit.Actor.operator("127.0.0.1");
  }

  private static int closedPort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  /** A context with a new certificate for localhost, which it trusts. */
  private static SSLContext tls(Path folder) throws Exception {
    Path store = folder.resolve("store.p12");
    Process keytool =
        new ProcessBuilder(
                (System.getProperty("java.home")
                        + "/bin/keytool -genkeypair -alias a -keyalg EC -dname CN=mail"
                        + " -ext san=dns:localhost -validity 2 -storetype PKCS12"
                        + " -storepass secret -keypass secret -keystore "
                        + store)
                    .split(" "))
            .inheritIO()
            .start();
    assertThat(keytool.waitFor()).isZero();
    KeyStore keys = KeyStore.getInstance(store.toFile(), "secret".toCharArray());
    KeyManagerFactory own = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    own.init(keys, "secret".toCharArray());
    KeyStore trusted = KeyStore.getInstance("PKCS12");
    trusted.load(null, null);
    trusted.setCertificateEntry("a", keys.getCertificate("a"));
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(trusted);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(own.getKeyManagers(), trust.getTrustManagers(), null);
    return context;
  }
}
