package io.stockroom.core.settings;

import static io.stockroom.core.settings.SettingTypes.bounded;
import static io.stockroom.core.settings.SettingTypes.duration;
import static io.stockroom.core.settings.SettingTypes.integer;
import static io.stockroom.core.settings.SettingTypes.period;
import static io.stockroom.core.settings.SettingTypes.secret;
import static io.stockroom.core.settings.SettingTypes.session;
import static io.stockroom.core.settings.SettingTypes.setting;
import static io.stockroom.core.settings.SettingTypes.text;

import io.stockroom.protocol.Language;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The values of all settings, checked. {@link #ALL} is the whole list, in the order of the docs.
 */
public final class Settings {
  public static final Setting<Integer> PORT =
      integer("port", "8080", 0, 65535, "Port of the interface and the console; 0: any free port.");
  public static final Setting<Integer> ADMIN_PORT =
      setting(
          "admin-port",
          "port+1",
          "a port from 0 to 65535, or port+1",
          "Port of the admin API, /health/live, /health/ready and /metrics.",
          text -> text.equals("port+1") ? -1 : bounded(text, 0, 65535));
  public static final Setting<String> ADDRESS =
      text(
          "address",
          "127.0.0.1",
          "Address the server listens on; 0.0.0.0 for all (put TLS in front of it).");
  public static final Setting<String> ADMIN_ADDRESS =
      text(
          "admin.address",
          "127.0.0.1",
          "Address the admin port listens on. In a container use 0.0.0.0, and keep the port"
              + " private with a network policy.");
  public static final Setting<String> TLS_CERTIFICATE =
      text(
          "tls.certificate",
          "",
          "PEM file with the certificate and its chain. With tls.key, the interface and the console"
              + " use HTTPS. Replaced files take effect within seconds.");
  public static final Setting<String> TLS_KEY =
      text("tls.key", "", "PEM file with the private key of the certificate, without a password.");
  public static final Setting<String> BASE_URL =
      text("base-url", "", "Public URL of the server; empty: derived from address and port.");
  public static final Setting<String> DATABASE_URL =
      text(
          "database.url",
          "",
          "JDBC or postgresql:// URL of an external PostgreSQL 15 to 18; empty: embedded.");
  public static final Setting<String> DATABASE_USER =
      text("database.user", "", "User of the external PostgreSQL, if the URL names none.");
  public static final Setting<String> DATABASE_PASSWORD =
      secret("database.password", "Password of that user.");
  public static final Setting<String> DATABASE_MIGRATION_USER =
      text(
          "database.migration-user",
          "",
          "User that owns the tables of the external PostgreSQL and upgrades them; empty:"
              + " database.user.");
  public static final Setting<String> DATABASE_MIGRATION_PASSWORD =
      secret("database.migration-password", "Password of the user that owns the tables.");
  public static final Setting<Integer> DATABASE_POOL_SIZE =
      integer(
          "database.pool-size", "16", 2, 500, "Maximum connections of this node to each database.");
  public static final Setting<Duration> DIRECTORY_OUTAGE =
      duration(
          "directory.outage",
          "PT60S",
          Duration.ZERO,
          "How long calls with credentials that this node has read go on while the directory does not"
              + " answer, if merchants live in other databases. In an outage, a revocation takes"
              + " effect after this time at the latest; 0: calls get 503 at once.");
  public static final Setting<String> OPERATOR_KEY =
      new Setting<>(
          "operator-key",
          "",
          "at least 32 characters, at least 8 of them different, such as `openssl rand -hex 32` makes",
          "Key of the admin API; empty: created at the first start in operator.key.",
          true,
          KeyForms::operatorKey);
  public static final Setting<String> SECRET_KEY =
      new Setting<>(
          "secret-key",
          "",
          "32 bytes in base64url, such as `openssl rand -base64 32 | tr +/ -_` makes",
          "Key that encrypts the secrets of applications and second factors, the same on every node;"
              + " NEW,OLD during a rotation; empty: created at the first start in secret.key.",
          true,
          KeyForms::secretKeys);
  public static final Setting<Duration> MAX_WAIT =
      duration(
          "load.max-wait",
          "PT0.5S",
          Duration.ofMillis(10),
          "Maximum expected wait of a call in the queue; a fifth of it for reads. Calls that would wait"
              + " longer get 503 immediately.");
  public static final Setting<Integer> MAX_CONNECTIONS =
      integer(
          "max-connections",
          "10000",
          100,
          1_000_000,
          "Maximum client connections; each may use 90 KB of memory.");
  public static final Setting<Duration> DRAIN_TIME =
      duration(
          "drain-time",
          "PT0S",
          Duration.ZERO,
          "How long a stopping server continues to serve while /health/ready responds 503, so that a"
              + " load balancer notices.");
  public static final Setting<Language> LANGUAGE =
      setting(
          "language",
          "en",
          "en or zh",
          "Language of messages if the client requests none.",
          SettingTypes::language);
  public static final Setting<Integer> PAGE_SIZE =
      integer("page-size", "50", 1, 1000, "Products per page of the product list.");
  public static final Setting<Long> CACHE_SIZE =
      setting(
          "cache.size",
          "64MiB",
          "0, or a size from 1B to 64GiB, such as 64MiB",
          "Memory for answers of reads; 0: every read asks the database for its content.",
          text -> text.strip().equals("0") ? 0L : FileSize.parse(text));
  public static final Setting<Boolean> BARCODE_UNIQUE =
      setting(
          "barcode-unique",
          "true",
          "true or false",
          "Whether barcodes are unique per merchant.",
          SettingTypes::bool);
  public static final Setting<Boolean> ANY_SIZE_IN_CREATE =
      setting(
          "sizes.in-create",
          "numbers",
          "numbers or any",
          "Sizes that /Stock/Creat accepts: whole numbers and ranges of them, or also one text such"
              + " as XL. Everything else accepts any size.",
          SettingTypes::anySize);
  public static final Setting<Long> IMPORT_MAX_FILE_SIZE =
      setting(
          "import.max-file-size",
          "4GiB",
          "a size from 1B to 64GiB, such as 500MB or 4GiB",
          "Maximum size of an import file.",
          FileSize::parse);
  public static final Setting<Duration> IMPORT_MAX_DURATION =
      duration(
          "import.max-duration",
          "PT30M",
          Duration.ofSeconds(1),
          "Maximum duration of an import. A longer one is stopped and changes nothing.");
  public static final Setting<Integer> IMPORT_MAX_OPEN =
      integer(
          "import.max-open",
          "20",
          1,
          100_000,
          "Maximum unfinished imports of a merchant: waiting, running or planned.");
  public static final Setting<Long> IMPORT_MAX_BYTES =
      setting(
          "import.max-bytes",
          "4GiB",
          "a size from 1B to 64GiB, such as 500MB or 4GiB",
          "Maximum size of all stored import files of a merchant, including rejected rows.",
          FileSize::parse);
  public static final Setting<Span> IMPORT_KEEP_PLANNED =
      period(
          "import.keep-planned",
          "P7D",
          "How long a planned import is kept before it expires and its file is deleted.");
  public static final Setting<Span> IMPORT_KEEP_FILE =
      period(
          "import.keep-file", "P1D", "How long the file of a rejected or failed import is kept.");
  public static final Setting<Span> IMPORT_KEEP_REJECTED =
      period("import.keep-rejected", "P7D", "How long the file of rejected rows is kept.");
  public static final Setting<Boolean> REQUIRE_NONCE =
      setting(
          "require-nonce",
          "false",
          "true or false",
          "Whether every HMAC signature needs a nonce, not only where a replay does harm.",
          SettingTypes::bool);
  public static final Setting<Duration> TIMESTAMP_WINDOW =
      duration(
          "timestamp-window",
          "PT5M",
          Duration.ofSeconds(1),
          "Maximum difference between a request's timestamp and the server's clock.");
  public static final Setting<List<Network>> TRUSTED_PROXIES =
      setting(
          "trusted-proxies",
          "",
          "networks separated by commas, such as 10.0.0.0/8, 192.168.1.7",
          "Proxies whose X-Forwarded-For header is trusted for the client's address.",
          Network::parseAll);
  public static final Setting<Integer> FAILED_AUTHENTICATIONS =
      integer(
          "limits.failed-authentications",
          "600",
          1,
          Integer.MAX_VALUE,
          "Failed authentications a minute, per application or address, after which further"
              + " failures get 429; also for wrong operator keys per address. Correct credentials"
              + " always work.");
  public static final Setting<Integer> FAILED_SIGN_INS =
      integer(
          "limits.failed-sign-ins",
          "10",
          1,
          100_000,
          "Wrong passwords in 15 minutes per person and address, after which that person must wait;"
              + " ten times as many per address, and per person from all new browsers. The same"
              + " applies to wrong codes.");
  public static final Setting<Span> SESSION_IDLE =
      session(
          "console.session-idle",
          "PT12H",
          "Time without activity after which a person is signed out.");
  public static final Setting<Span> SESSION_LONGEST =
      session(
          "console.session-longest",
          "P14D",
          "Time after which a person must sign in again in any case.");
  public static final Setting<SecondFactorRule> REQUIRE_SECOND_FACTOR =
      setting(
          "console.require-second-factor",
          "operators",
          "none, operators or everyone",
          "Who must set up two-step verification before using the console.",
          SecondFactorRule::parse);
  public static final Setting<Integer> CHANGES_DAYS =
      integer(
          "changes.days",
          "90",
          1,
          36_500,
          "Days for which changes of products and stock are kept: history, undo and the feed.");
  public static final Setting<Boolean> WEBHOOKS_ALLOW_PRIVATE =
      setting(
          "webhooks.allow-private",
          "false",
          "true or false",
          "Whether webhooks may be sent to loopback, private and link-local addresses.",
          SettingTypes::bool);
  public static final Setting<Integer> WEBHOOKS_DAYS =
      integer(
          "webhooks.days",
          "30",
          1,
          36_500,
          "Days for which webhook deliveries are kept, with their requests and responses.");
  public static final Setting<Integer> TRAFFIC_DAYS =
      integer(
          "traffic.days",
          "90",
          0,
          3650,
          "Days for which counts of calls are kept for the charts of the console; 0: none.");
  public static final Setting<Integer> REQUEST_LOG_DAYS =
      integer("request-log.days", "7", 1, 3650, "Days for which the request log keeps calls.");
  public static final Setting<Integer> REQUEST_LOG_ROWS =
      integer(
          "request-log.rows",
          "10000",
          0,
          1_000_000,
          "Maximum calls of a merchant in the request log; 0: no request log.");
  public static final Setting<Integer> REQUEST_LOG_SUCCESSES =
      integer(
          "request-log.successes",
          "5",
          0,
          1000,
          "Successful calls a second that the request log keeps per application and path.");
  public static final Setting<Integer> REQUEST_LOG_REJECTIONS =
      integer(
          "request-log.rejections",
          "50",
          0,
          1000,
          "Rejected or failed calls a second that the request log keeps per merchant.");
  public static final Setting<Boolean> SANDBOX =
      setting(
          "sandbox",
          "false",
          "true or false",
          "Whether the server is a sandbox for integrators: test products, a clock that can be moved,"
              + " limits that can be reset. Never for real stock.",
          SettingTypes::bool);
  private static final List<Setting<?>> OTHERS =
      List.of(
          PORT,
          ADMIN_PORT,
          ADDRESS,
          ADMIN_ADDRESS,
          TLS_CERTIFICATE,
          TLS_KEY,
          BASE_URL,
          DATABASE_URL,
          DATABASE_USER,
          DATABASE_PASSWORD,
          DATABASE_MIGRATION_USER,
          DATABASE_MIGRATION_PASSWORD,
          DATABASE_POOL_SIZE,
          DIRECTORY_OUTAGE,
          OPERATOR_KEY,
          SECRET_KEY,
          MAX_WAIT,
          MAX_CONNECTIONS,
          DRAIN_TIME,
          LANGUAGE,
          PAGE_SIZE,
          CACHE_SIZE,
          BARCODE_UNIQUE,
          ANY_SIZE_IN_CREATE,
          IMPORT_MAX_FILE_SIZE,
          IMPORT_MAX_DURATION,
          IMPORT_MAX_OPEN,
          IMPORT_MAX_BYTES,
          IMPORT_KEEP_PLANNED,
          IMPORT_KEEP_FILE,
          IMPORT_KEEP_REJECTED,
          REQUIRE_NONCE,
          TIMESTAMP_WINDOW,
          TRUSTED_PROXIES,
          FAILED_AUTHENTICATIONS,
          FAILED_SIGN_INS,
          SESSION_IDLE,
          SESSION_LONGEST,
          REQUIRE_SECOND_FACTOR,
          CHANGES_DAYS,
          WEBHOOKS_ALLOW_PRIVATE,
          WEBHOOKS_DAYS,
          TRAFFIC_DAYS,
          REQUEST_LOG_DAYS,
          REQUEST_LOG_ROWS,
          REQUEST_LOG_SUCCESSES,
          REQUEST_LOG_REJECTIONS,
          SANDBOX);

  public static final List<Setting<?>> ALL =
      Stream.of(OTHERS, PictureSettings.ALL, MailSettings.ALL, LimitSettings.ALL)
          .flatMap(List::stream)
          .toList();

  /** A value as it was written, with the place where that was done. */
  public record Origin(String text, String source) {}

  private final Map<String, Origin> origins;
  private final Map<String, Object> values;

  Settings(Map<String, Origin> origins, Map<String, Object> values) {
    this.origins = origins;
    this.values = values;
  }

  /** All defaults, with {@code changes} by name on top: for tests and embedding programs. */
  public static Settings with(Map<String, String> changes) {
    return SettingsReader.read(changes);
  }

  @SuppressWarnings("unchecked")
  public <T> T get(Setting<T> setting) {
    Object value = values.get(setting.name());
    if (value == null) {
      throw new IllegalArgumentException("not in the list of settings: " + setting.name());
    }
    return (T) value;
  }

  /** Where the value came from; the default's source is {@code default}. */
  public Origin origin(Setting<?> setting) {
    Origin origin = origins.get(setting.name());
    return origin == null ? new Origin(setting.standard(), "default") : origin;
  }

  /** The interface's address, given the port it really listens on. */
  public String baseUrl(int port) {
    String set = get(BASE_URL);
    String scheme = get(TLS_CERTIFICATE).isEmpty() ? "http" : "https";
    return set.isEmpty()
        ? scheme + "://" + host(get(ADDRESS)) + ":" + port
        : set.replaceAll("/+$", "");
  }

  /** The address of the admin API for programs on this machine, given the port it listens on. */
  public String adminUrl(int port) {
    return "http://" + host(get(ADMIN_ADDRESS)) + ":" + port;
  }

  /** Where a program on this machine reaches a server that listens on this address. */
  public static String host(String address) {
    boolean isLocal = Set.of("127.0.0.1", "::1", "0.0.0.0", "::").contains(address);
    return isLocal ? "localhost" : address.contains(":") ? "[" + address + "]" : address;
  }

  @Override
  public String toString() {
    return ALL.stream()
        .filter(setting -> !setting.secret())
        .map(setting -> setting.name() + "=" + ShownSettings.text(this, setting))
        .collect(Collectors.joining(", ", "Settings[", "]"));
  }
}
