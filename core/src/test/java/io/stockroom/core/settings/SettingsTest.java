package io.stockroom.core.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class SettingsTest {
  private static final String SECRET_KEY = "aHVzaGh1c2hodXNoaHVzaGh1c2hodXNoaHVzaGh1c2g";

  private final List<String> warnings = new ArrayList<>();

  @TempDir Path folder;

  @Test
  void haveTheDocumentedDefaults() {
    Settings settings = Settings.with(Map.of());

    assertThat(settings.get(Settings.PAGE_SIZE)).isEqualTo(50);
    assertThat(settings.get(LimitSettings.CREATE_INTERVAL)).isEqualTo(Duration.ofSeconds(2));
    assertThat(settings.get(LimitSettings.CREATE_ELEMENTS)).isEqualTo(300);
    assertThat(settings.get(Settings.TIMESTAMP_WINDOW)).isEqualTo(Duration.ofMinutes(5));
    assertThat(settings.get(Settings.BARCODE_UNIQUE)).isTrue();
    assertThat(settings.get(Settings.LANGUAGE).tag()).isEqualTo("en");
    assertThat(settings.get(Settings.ADDRESS)).isEqualTo("127.0.0.1");
    assertThat(settings.get(LimitSettings.DETAIL_PER_DAY)).isEqualTo(300);
    assertThat(settings.get(LimitSettings.STORE_PRODUCTS)).isEqualTo(5000);
    assertThat(settings.get(LimitSettings.PUBLISH_SHARE)).isEqualTo(new Share(2, 3));
    assertThat(settings.get(LimitSettings.ZONE).getId()).isEqualTo("UTC");
    assertThat(settings.origin(Settings.PAGE_SIZE).source()).isEqualTo("default");
  }

  @Test
  void comeFromTheFileThenTheEnvironmentThenTheCommandLine() throws IOException {
    file("page-size: 10\nlanguage: zh\nlimits:\n  create-interval: PT3S\n");
    Map<String, String> environment =
        Map.of("STOCKROOM_PAGESIZE", "20", "STOCKROOM_LIMITS_CREATEINTERVAL", "PT4S", "PATH", "x");

    Settings settings = read(environment, Map.of("limits.create-interval", "PT5S"));

    assertThat(settings.get(Settings.LANGUAGE).tag()).isEqualTo("zh");
    assertThat(settings.origin(Settings.LANGUAGE).source()).isEqualTo("stockroom.yaml");
    assertThat(settings.get(Settings.PAGE_SIZE)).isEqualTo(20);
    assertThat(settings.origin(Settings.PAGE_SIZE).source()).isEqualTo("STOCKROOM_PAGESIZE");
    assertThat(settings.get(LimitSettings.CREATE_INTERVAL)).isEqualTo(Duration.ofSeconds(5));
    assertThat(settings.origin(LimitSettings.CREATE_INTERVAL).source()).isEqualTo("--set");
  }

  @Test
  void readFlatAndNestedNamesOfTheFile() throws IOException {
    file("limits.create-elements: 7\ndatabase:\n  pool-size: 9\n");

    Settings settings = read(Map.of(), Map.of());

    assertThat(settings.get(LimitSettings.CREATE_ELEMENTS)).isEqualTo(7);
    assertThat(settings.get(Settings.DATABASE_POOL_SIZE)).isEqualTo(9);
  }

  @Test
  void namesWhatIsMissingForMail() {
    Map<String, String> enough =
        Map.of(
            "mail.host", "smtp.example.com",
            "mail.from", "Stockroom <stock@example.com>",
            "base-url", "https://stock.example.com");
    assertThat(Settings.with(enough).get(MailSettings.SECURITY)).isEqualTo(MailSecurity.STARTTLS);

    assertThatThrownBy(
            () -> Settings.with(Map.of("mail.host", "smtp.example.com", "mail.username", "stock")))
        .hasMessageContaining("only mail.username is set")
        .hasMessageContaining("mail.from is empty")
        .hasMessageContaining("base-url is empty");
    assertThatThrownBy(
            () ->
                Settings.with(
                    Map.of(
                        "mail.host", "smtp.example.com:25",
                        "mail.port", "0",
                        "mail.from", "stock",
                        "mail.security", "ssl")))
        .hasMessageContaining("mail.port (--set) is \"0\"")
        .hasMessageContaining("mail.from (--set) is \"stock\": it must be an email address")
        .hasMessageContaining("mail.security (--set) is \"ssl\": it must be none, starttls or tls");
  }

  @Test
  void needNoFile() {
    assertThat(read(Map.of(), Map.of()).get(Settings.PORT)).isEqualTo(8080);
  }

  @Test
  void welcomeUnderscoresBetweenTheWordsOfAVariable() {
    Settings settings = read(Map.of("STOCKROOM_LIMITS_DETAIL_PER_DAY", "7"), Map.of());

    assertThat(settings.get(LimitSettings.DETAIL_PER_DAY)).isEqualTo(7);
  }

  @Test
  void leaveTheLaunchersOwnVariablesAlone() {
    var _ = read(Map.of("STOCKROOM_DATA", "x", "STOCKROOM_CELL_PASSWORD", "y"), Map.of());

    assertThat(warnings).isEmpty();
  }

  @Test
  void onlyWarnOfAnUnknownVariableAndNameTheNearest() {
    var _ = read(Map.of("STOCKROOM_BARCODEUNIQE", "true"), Map.of());

    assertThat(warnings)
        .containsExactly(
            "STOCKROOM_BARCODEUNIQE (environment) is not a setting and is ignored; the nearest is"
                + " STOCKROOM_BARCODEUNIQUE.");
  }

  @ParameterizedTest
  @CsvSource({
    "STOCKROOM_SERVICE_HOST, 10.0.0.1",
    "STOCKROOM_SERVICE_PORT, 8080",
    "STOCKROOM_SERVICE_PORT_HTTP, 8080",
    "STOCKROOM_PORT, tcp://10.0.0.1:8080",
    "STOCKROOM_PORT, udp://[fd00::1]:53",
    "STOCKROOM_PORT_8080_TCP, tcp://10.0.0.1:8080",
    "STOCKROOM_PORT_8080_TCP_PROTO, tcp",
    "STOCKROOM_PORT_8080_TCP_PORT, 8080",
    "STOCKROOM_PORT_8080_TCP_ADDR, 10.0.0.1",
    "STOCKROOM_PORT_53_UDP_ADDR, 10.0.0.1",
    "STOCKROOM_ADMIN_PORT, tcp://10.0.0.1:8081",
    "STOCKROOM_ADMIN_SERVICE_HOST, 10.0.0.1"
  })
  void ignoreTheServiceLinksOfKubernetes(String variable, String value) {
    Settings settings = read(Map.of(variable, value), Map.of());

    assertThat(warnings).isEmpty();
    assertThat(settings.get(Settings.PORT)).isEqualTo(8080);
    assertThat(settings.origin(Settings.PORT).source()).isEqualTo("default");
    assertThat(settings.origin(Settings.ADMIN_PORT).source()).isEqualTo("default");
  }

  @ParameterizedTest
  @CsvSource({
    "STOCKROOM_SERVICE_HOSTS, 10.0.0.1",
    "STOCKROOM_SERVICE, 10.0.0.1",
    "STOCKROOM_PORT_HTTP_TCP, tcp://10.0.0.1:8080",
    "STOCKROOM_PORT_8080_TCP_NAME, x",
    "STOCKROOM_PORT_8080, 8080"
  })
  void warnOfWhatOnlyResemblesAServiceLink(String variable, String value) {
    var _ = read(Map.of(variable, value), Map.of());

    assertThat(warnings).hasSize(1).first().asString().startsWith(variable + " (environment)");
  }

  @Test
  void takeAPortThatIsANumberAndRefuseOneThatIsNeitherNumberNorServiceLink() {
    assertThat(read(Map.of("STOCKROOM_PORT", "9000"), Map.of()).get(Settings.PORT)).isEqualTo(9000);
    for (String wrong : List.of("tcp:9000", "http://10.0.0.1:8080", "tcp://10.0.0.1", "9000x")) {
      BadSettings bad =
          catchThrowableOfType(
              BadSettings.class, () -> read(Map.of("STOCKROOM_PORT", wrong), Map.of()));

      assertThat(bad).hasMessageStartingWith("port (STOCKROOM_PORT) is \"" + wrong + "\"");
    }
  }

  @Test
  void nameEveryProblemAtOnceWithTheNearestName() throws IOException {
    file("pagesize: 10\nlanguage: fr\n");

    BadSettings bad =
        catchThrowableOfType(
            BadSettings.class,
            () ->
                read(
                    Map.of("STOCKROOM_PAGESIZE", "x"),
                    Map.of("limits.create-intervall", "PT1S", "port", "70000")));

    assertThat(bad.problems())
        .containsExactlyInAnyOrder(
            "pagesize (stockroom.yaml) is not a setting; the nearest is page-size.",
            "language (stockroom.yaml) is \"fr\": it must be en or zh.",
            "page-size (STOCKROOM_PAGESIZE) is \"x\": it must be a whole number from 1 to 1000.",
            "limits.create-intervall (--set) is not a setting; the nearest is"
                + " limits.create-interval.",
            "port (--set) is \"70000\": it must be a whole number from 0 to 65535.");
    assertThat(bad).hasMessageContaining("pagesize").hasMessageContaining("70000");
  }

  @ParameterizedTest
  @CsvSource({
    "page-size, 1, 0",
    "page-size, 1000, 1001",
    "port, 65535, 65536",
    "port, 0, -1",
    "admin-port, port+1, port+2",
    "database.pool-size, 2, 1",
    "barcode-unique, false, no",
    "timestamp-window, PT1S, PT0S",
    "timestamp-window, P1D, PT24H1S",
    "limits.create-interval, PT0S, PT-1S",
    "limits.create-interval, PT0.3S, 0.3",
    "limits.create-elements, 10000, 10001",
    "limits.adjust-per-second, 0, -1",
    "limits.adjust-per-second, 1000, 1001",
    "limits.publish-share, 1/1, 4/3",
    "limits.publish-share, 0/1, 1/0",
    "limits.publish-window, P90D, 90",
    "limits.store-window, P3M, -P3M",
    "limits.zone, Asia/Shanghai, Atlantis",
    "language, zh, ZH",
    "console.require-second-factor, everyone, all"
  })
  void takeAValueJustInsideItsBoundsAndRefuseOneJustOutside(
      String name, String inside, String outside) {
    Settings.with(Map.of(name, inside));

    BadSettings bad =
        catchThrowableOfType(BadSettings.class, () -> Settings.with(Map.of(name, outside)));

    assertThat(bad.problems()).hasSize(1);
    assertThat(bad).hasMessageStartingWith(name + " (--set) is \"" + outside + "\": it must be ");
  }

  @ParameterizedTest
  @CsvSource({"'page-size: 1\npage-size: 2'", "'- a'", "'a: [b'", "'!!java.net.URL [\"x\"]: 1'"})
  void refuseAFileThatIsNoMapOfNamesAndValues(String text) throws IOException {
    file(text);

    BadSettings bad = catchThrowableOfType(BadSettings.class, () -> read(Map.of(), Map.of()));

    assertThat(bad.problems()).hasSize(1);
    assertThat(bad).hasMessageContaining("stockroom.yaml");
  }

  static List<Setting<?>> all() {
    return Settings.ALL;
  }

  @ParameterizedTest
  @MethodSource("all")
  void areAllSetByTheirVariable(Setting<?> setting) {
    Settings settings = read(Map.of(setting.variable(), setting.standard()), Map.of());

    assertThat(settings.origin(setting).source()).isEqualTo(setting.variable());
    assertThat(setting.meaning()).endsWith(".");
  }

  @Test
  void keepSecretsOutOfTextsAndMessages() {
    Settings settings =
        Settings.with(
            Map.of(
                "operator-key",
                "hush-0123456789-abcdef-0123456789",
                "secret-key",
                SECRET_KEY,
                "database.password",
                "hush3"));

    assertThat(settings.toString()).doesNotContain("hush", SECRET_KEY).contains("page-size=50");
    assertThat(settings.get(Settings.OPERATOR_KEY)).startsWith("hush");
  }

  @ParameterizedTest
  @CsvSource({
    "0123456789abcdef0123456789abcdef, true",
    "0123456789abcdef0123456789abcde, false",
    "01234567012345670123456701234567, true",
    "01234560123456012345601234560123, false",
    "'', true"
  })
  void refuseAnOperatorKeyThatCanBeGuessed(String key, boolean strong) {
    if (strong) {
      assertThat(Settings.with(Map.of("operator-key", key)).get(Settings.OPERATOR_KEY))
          .isEqualTo(key);
    } else {
      assertThatThrownBy(() -> Settings.with(Map.of("operator-key", key)))
          .isInstanceOf(BadSettings.class)
          .hasMessageContaining("operator-key (--set) is \"…\"")
          .hasMessageContaining("at least 32 characters")
          .hasMessageContaining("openssl rand -hex 32")
          .hasMessageNotContaining(key);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "127.0.0.1, localhost",
    "::1, localhost",
    "0.0.0.0, localhost",
    "'::', localhost",
    "10.0.0.1, 10.0.0.1",
    "127.0.0.2, 127.0.0.2",
    "fd00::1, [fd00::1]"
  })
  void deriveTheUrlsFromTheAddresses(String address, String host) {
    Settings settings = Settings.with(Map.of("address", address));
    Settings admin = Settings.with(Map.of("admin.address", address));

    assertThat(settings.baseUrl(8080)).isEqualTo("http://" + host + ":8080");
    assertThat(settings.adminUrl(8081)).isEqualTo("http://localhost:8081");
    assertThat(admin.baseUrl(8080)).isEqualTo("http://localhost:8080");
    assertThat(admin.adminUrl(8081)).isEqualTo("http://" + host + ":8081");
  }

  @Test
  void preferTheBaseUrlThatIsSet() {
    Settings settings =
        Settings.with(Map.of("address", "10.0.0.1", "base-url", "https://stock.example/"));

    assertThat(settings.baseUrl(8080)).isEqualTo("https://stock.example");
  }

  @Test
  void compareSharesWithoutRounding() {
    Share twoThirds = Share.parse("2/3");

    assertThat(twoThirds.isReachedBy(20, 30)).isTrue();
    assertThat(twoThirds.isReachedBy(19, 30)).isFalse();
    assertThat(twoThirds.isReachedBy(2_000_000_000, 3_000_000_000L)).isTrue();
    assertThat(twoThirds.isReachedBy(0, 0)).isTrue();
  }

  private Settings read(Map<String, String> environment, Map<String, String> set) {
    return SettingsReader.read(folder, environment, set, warnings::add);
  }

  private void file(String text) throws IOException {
    Files.writeString(folder.resolve("stockroom.yaml"), text);
  }
}
