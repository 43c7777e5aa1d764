package io.stockroom.client;

import io.stockroom.protocol.ErrorCode;
import io.stockroom.protocol.Language;
import io.stockroom.protocol.request.AuthenticationHeaders;
import io.stockroom.protocol.request.CreateReader;
import io.stockroom.protocol.request.InvalidRequest;
import io.stockroom.protocol.request.Problems;
import java.net.ProxySelector;
import java.net.URI;
import java.net.http.HttpClient;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.DoubleSupplier;
import java.util.function.Function;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a {@link StockroomClient}. All but the address and the credentials have a
 * default.
 */
public final class StockroomClientBuilder {
  private static final Duration MAX_CONNECT = Duration.ofSeconds(10);

  private @Nullable String address;
  private @Nullable Credentials credentials;
  private SignatureMethod signatureMethod = SignatureMethod.MD5;
  private Language language = Language.ENGLISH;
  private Duration timeout = Duration.ofSeconds(30);
  private int retries = 4;
  private Duration longestWait = Duration.ofMinutes(1);
  private Duration rateLimitBudget = Duration.ofMinutes(1);
  private int createGroups = CreateReader.DEFAULT_MAX_GROUPS;
  private Duration createInterval = Duration.ofSeconds(2);
  private Clock clock = Clock.systemUTC();
  private Sleeper pause = Sleeper.SLEEP;
  private DoubleSupplier chance = () -> ThreadLocalRandom.current().nextDouble();
  private @Nullable HttpClient http;
  private @Nullable ProxySelector proxy;
  private @Nullable SSLContext sslContext;
  private @Nullable Executor executor;

  StockroomClientBuilder() {}

  /**
   * Sets the server's URL.
   *
   * @param url such as {@code https://stock.example}
   * @return this builder
   */
  public StockroomClientBuilder address(String url) {
    this.address = url;
    return this;
  }

  /**
   * Sets the credentials that the operator issued.
   *
   * @param issued the credentials
   * @return this builder
   */
  public StockroomClientBuilder credentials(Credentials issued) {
    this.credentials = issued;
    return this;
  }

  /**
   * Sets address and credentials from the environment variables {@code STOCKROOM_SERVER}, {@code
   * STOCKROOM_APPID}, {@code STOCKROOM_SECRET} and {@code STOCKROOM_TOKEN}.
   *
   * @return this builder
   * @throws IllegalArgumentException if one of them is not set
   */
  public StockroomClientBuilder fromEnvironment() {
    return from(System::getenv);
  }

  StockroomClientBuilder from(Function<String, @Nullable String> environment) {
    return address(variable(environment, "STOCKROOM_SERVER"))
        .credentials(
            Credentials.of(
                variable(environment, "STOCKROOM_APPID"),
                variable(environment, "STOCKROOM_SECRET"),
                variable(environment, "STOCKROOM_TOKEN")));
  }

  private static String variable(Function<String, @Nullable String> environment, String name) {
    String value = environment.apply(name);
    if (value == null || value.isBlank()) {
      throw new IllegalArgumentException("The environment variable " + name + " is not set.");
    }
    return value;
  }

  /**
   * Sends requests through an HTTP proxy.
   *
   * @param selector such as {@link ProxySelector#of}
   * @return this builder
   */
  public StockroomClientBuilder proxy(ProxySelector selector) {
    this.proxy = selector;
    return this;
  }

  /**
   * Sets the certificates that the client trusts, and its own. The default is that of the JVM.
   *
   * @param context the TLS settings
   * @return this builder
   */
  public StockroomClientBuilder sslContext(SSLContext context) {
    this.sslContext = context;
    return this;
  }

  /**
   * Sets what runs the calls of {@link StockroomClient#async}. The default starts a thread for each
   * call and reuses idle ones.
   *
   * @param runner such as an executor of virtual threads; you close it
   * @return this builder
   */
  public StockroomClientBuilder executor(Executor runner) {
    this.executor = runner;
    return this;
  }

  /**
   * Sets the signature method. The default is MD5. The server rejects an application that must sign
   * with HMAC otherwise, with {@code SIGN_METHOD_REQUIRED}.
   *
   * @param method the method
   * @return this builder
   */
  public StockroomClientBuilder signatureMethod(SignatureMethod method) {
    this.signatureMethod = method;
    return this;
  }

  /**
   * Sets the language of messages, both the server's and the SDK's own. The default is English.
   *
   * @param messages the language
   * @return this builder
   */
  public StockroomClientBuilder language(Language messages) {
    this.language = messages;
    return this;
  }

  /**
   * Sets the timeout of one attempt, from connecting to the last byte. The default is 30 seconds.
   *
   * @param perAttempt the timeout
   * @return this builder
   */
  public StockroomClientBuilder timeout(Duration perAttempt) {
    requirePositive("timeout", perAttempt);
    this.timeout = perAttempt;
    return this;
  }

  /**
   * Sets the maximum number of retries of a call. The default is 4; 0 turns retries off. Retries
   * after a 429 do not count; {@link #rateLimitBudget} limits them.
   *
   * @param most from 0 to 100
   * @return this builder
   */
  public StockroomClientBuilder retries(int most) {
    if (most < 0 || most > 100) {
      throw new IllegalArgumentException("retries must be from 0 to 100, not " + most);
    }
    this.retries = most;
    return this;
  }

  /**
   * Sets the longest wait between two attempts. The default is a minute. If the server asks for a
   * longer wait, the call fails immediately.
   *
   * @param wait the longest wait
   * @return this builder
   */
  public StockroomClientBuilder longestWait(Duration wait) {
    requirePositive("longestWait", wait);
    this.longestWait = wait;
    return this;
  }

  /**
   * Sets how long one call may wait for the rate limit (429) in total, over all its attempts. The
   * default is a minute; zero fails at the first 429. Each request of {@link
   * StockroomClient#createStock} has the whole budget. If many programs of one application create
   * for one merchant, allow several intervals for each of them.
   *
   * @param total the budget
   * @return this builder
   */
  public StockroomClientBuilder rateLimitBudget(Duration total) {
    if (total.isNegative()) {
      throw new IllegalArgumentException("rateLimitBudget must not be negative: " + total);
    }
    this.rateLimitBudget = total;
    return this;
  }

  /**
   * Sets the maximum number of color groups in a create request. The default is 300; change it only
   * if the operator did.
   *
   * @param most 1 or more
   * @return this builder
   */
  public StockroomClientBuilder createGroups(int most) {
    if (most < 1) {
      throw new IllegalArgumentException("createGroups must be 1 or more, not " + most);
    }
    this.createGroups = most;
    return this;
  }

  /**
   * Sets the time between two creates if the server's responses do not state it. The default is 2
   * seconds. A Stockroom server always states it.
   *
   * @param interval the time; zero for none
   * @return this builder
   */
  public StockroomClientBuilder createInterval(Duration interval) {
    if (interval.isNegative()) {
      throw new IllegalArgumentException("createInterval must not be negative: " + interval);
    }
    this.createInterval = interval;
    return this;
  }

  /**
   * Sets the clock for signing requests. The default is the system clock.
   *
   * @param signing the clock
   * @return this builder
   */
  public StockroomClientBuilder clock(Clock signing) {
    this.clock = signing;
    return this;
  }

  /**
   * Sets the HTTP client, with its proxy and its TLS settings. You have to close it. It should not
   * follow redirects: a signed request must not go to another server.
   *
   * @param client the HTTP client
   * @return this builder
   */
  public StockroomClientBuilder httpClient(HttpClient client) {
    this.http = client;
    return this;
  }

  /** For tests: replaces sleeping and random numbers. */
  StockroomClientBuilder waiting(Sleeper waits, DoubleSupplier numbers) {
    this.pause = waits;
    this.chance = numbers;
    return this;
  }

  /**
   * Builds the client; sends nothing yet.
   *
   * @return the client; close it when you are done
   * @throws InvalidRequestException if one of the credentials cannot be valid
   * @throws IllegalArgumentException if the URL is invalid, or address or credentials are missing
   */
  public StockroomClient build() {
    if (address == null || credentials == null) {
      throw new IllegalArgumentException(
          "Set address(…) and credentials(Credentials.of(appid, secret, accesstoken)), or"
              + " fromEnvironment().");
    }
    if (http != null && (proxy != null || sslContext != null)) {
      throw new IllegalArgumentException(
          "Set proxy and sslContext in your HTTP client, or leave httpClient out.");
    }
    URI base = ServerAddress.parse(address);
    checkCredentials(credentials);
    HttpClient client = http == null ? newHttpClient() : http;
    Transport transport =
        new Transport(base, credentials, signatureMethod, language, timeout, client, http == null);
    SigningClock signing = new SigningClock(clock);
    Retries again = new Retries(retries, longestWait, rateLimitBudget, pause, chance);
    CreateTurns turns = new CreateTurns(clock, again, createInterval);
    return new StockroomClient(
        transport,
        new Calls(transport, signing, again, language),
        new Creates(transport, signing, again, turns, createGroups, language),
        again,
        executor == null ? StockroomAsyncClient.newExecutor() : executor);
  }

  private HttpClient newHttpClient() {
    HttpClient.Builder client =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .followRedirects(HttpClient.Redirect.NEVER)
            .connectTimeout(timeout.compareTo(MAX_CONNECT) < 0 ? timeout : MAX_CONNECT);
    if (proxy != null) {
      client.proxy(proxy);
    }
    if (sslContext != null) {
      client.sslContext(sslContext);
    }
    return client.build();
  }

  /** Checks the headers as the server would. */
  private void checkCredentials(Credentials credentials) {
    Map<String, String> headers = credentials.headers(Instant.now());
    Problems problems = new Problems();
    try {
      AuthenticationHeaders.read(name -> Stream.ofNullable(headers.get(name)).toList());
    } catch (InvalidRequest invalid) {
      invalid.problems().forEach(problems::add);
    }
    if (credentials.secret().isEmpty()) {
      problems.add("secret", ErrorCode.TEXT_EMPTY);
    }
    try {
      problems.throwIfAny();
    } catch (InvalidRequest invalid) {
      throw InvalidRequestException.unsent(invalid, language);
    }
  }

  private static void requirePositive(String name, Duration duration) {
    if (duration.isNegative() || duration.isZero()) {
      throw new IllegalArgumentException(name + " must be positive, not " + duration);
    }
  }
}
