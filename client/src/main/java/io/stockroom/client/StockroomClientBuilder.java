package io.stockroom.client;

import io.stockroom.protocol.ErrorCode;
import io.stockroom.protocol.Language;
import io.stockroom.protocol.request.AuthenticationHeaders;
import io.stockroom.protocol.request.CreateReader;
import io.stockroom.protocol.request.InvalidRequest;
import io.stockroom.protocol.request.Problems;
import java.net.URI;
import java.net.http.HttpClient;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.DoubleSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The settings of a {@link StockroomClient}; everything has a sensible default. */
public final class StockroomClientBuilder {
  private static final Duration MAX_CONNECT = Duration.ofSeconds(10);

  private final String address;
  private final Credentials credentials;
  private SignatureMethod signatureMethod = SignatureMethod.MD5;
  private Language language = Language.ENGLISH;
  private Duration timeout = Duration.ofSeconds(30);
  private int retries = 4;
  private Duration longestWait = Duration.ofMinutes(1);
  private Duration rateLimitBudget = Duration.ofMinutes(1);
  private int createGroups = CreateReader.DEFAULT_MAX_GROUPS;
  private Duration createInterval = Duration.ofSeconds(2);
  private Clock clock = Clock.systemUTC();
  private Pause pause = Pause.SLEEP;
  private DoubleSupplier chance = () -> ThreadLocalRandom.current().nextDouble();
  private @Nullable HttpClient http;

  StockroomClientBuilder(String address, Credentials credentials) {
    this.address = address;
    this.credentials = credentials;
  }

  /**
   * How requests are signed: MD5 unless set. An application that must sign with HMAC is refused
   * with {@code SIGN_METHOD_REQUIRED} otherwise.
   *
   * @param method the method
   * @return this builder
   */
  public StockroomClientBuilder signatureMethod(SignatureMethod method) {
    this.signatureMethod = method;
    return this;
  }

  /**
   * The language of messages, the server's and the SDK's own refusals alike: English unless set.
   *
   * @param messages the language
   * @return this builder
   */
  public StockroomClientBuilder language(Language messages) {
    this.language = messages;
    return this;
  }

  /**
   * How long one attempt may take, from connecting to the last byte: 30 seconds unless set.
   *
   * @param perAttempt the longest time
   * @return this builder
   */
  public StockroomClientBuilder timeout(Duration perAttempt) {
    requirePositive("timeout", perAttempt);
    this.timeout = perAttempt;
    return this;
  }

  /**
   * How many attempts may follow the first one of a call: 4 unless set; 0 for none. Attempts after
   * a 429 do not count; they are bounded by {@link #rateLimitBudget}.
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
   * The longest wait between two attempts: a minute unless set. Where the server asks for a longer
   * one, the call fails at once and says so.
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
   * How long one call may wait for the rate limit (429) in total, over all its attempts: a minute
   * unless set; zero to fail at the first 429. Each request of {@link StockroomClient#createStock}
   * has the whole budget. Where many programs of one application create for one merchant, allow
   * several intervals for each of them.
   *
   * @param total the longest time
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
   * How many color groups a create request holds at most: 300 unless the operator set another.
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
   * The time between two creates where the server's answers do not tell it: 2 seconds unless set. A
   * Stockroom server always tells it.
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
   * The clock that requests are signed by: the system's unless set.
   *
   * @param signing the clock
   * @return this builder
   */
  public StockroomClientBuilder clock(Clock signing) {
    this.clock = signing;
    return this;
  }

  /**
   * The HTTP client to send with, for a proxy, certificates or an executor of your own. It stays
   * yours to close, and should not follow redirects: a signed request must not wander.
   *
   * @param client the HTTP client
   * @return this builder
   */
  public StockroomClientBuilder httpClient(HttpClient client) {
    this.http = client;
    return this;
  }

  /** For tests: how it waits, and what stands for chance. */
  StockroomClientBuilder waiting(Pause waits, DoubleSupplier numbers) {
    this.pause = waits;
    this.chance = numbers;
    return this;
  }

  /**
   * Builds the client; nothing is sent yet.
   *
   * @return the client; close it when you are done
   * @throws InvalidRequestException where one of the credentials can't be right
   * @throws IllegalArgumentException where the address is none; its message says how to write it
   */
  public StockroomClient build() {
    URI base = ServerAddress.parse(address);
    checkCredentials();
    HttpClient client = http == null ? newHttpClient() : http;
    Transport transport =
        new Transport(base, credentials, signatureMethod, language, timeout, client, http == null);
    SigningClock signing = new SigningClock(clock);
    Retries again = new Retries(retries, longestWait, rateLimitBudget, pause, chance);
    CreateTurns turns = new CreateTurns(clock, signing, again, createInterval);
    return new StockroomClient(
        transport,
        new Calls(transport, signing, again),
        new Creates(transport, signing, again, turns, createGroups, language),
        language);
  }

  private HttpClient newHttpClient() {
    return HttpClient.newBuilder()
        .version(HttpClient.Version.HTTP_1_1)
        .followRedirects(HttpClient.Redirect.NEVER)
        .connectTimeout(timeout.compareTo(MAX_CONNECT) < 0 ? timeout : MAX_CONNECT)
        .build();
  }

  /** Reads the headers as the server will. */
  private void checkCredentials() {
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
      throw new IllegalArgumentException(name + " must be longer than nothing, not " + duration);
    }
  }
}
