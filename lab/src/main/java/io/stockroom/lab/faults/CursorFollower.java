package io.stockroom.lab.faults;

import io.stockroom.client.Credentials;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Random;
import java.util.function.Supplier;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A client that follows {@code /Changes} from the first change on, on any node. */
final class CursorFollower implements AutoCloseable {
  private static final JsonMapper JSON = new JsonMapper();
  private static final Duration PAUSE = Duration.ofMillis(50);
  private static final int MAX_WAIT_SECONDS = 3;
  private static final int FEW_CHANGES = 20;

  private final Credentials credentials;
  private final Supplier<String> url;
  private final Random random;
  private final boolean isBroken;
  private final StockCopy copy = new StockCopy();
  private final Thread thread = Thread.ofVirtual().unstarted(this::follow);
  private volatile boolean closing;
  private boolean hasDropped;

  private CursorFollower(
      Credentials credentials, Supplier<String> url, Random random, boolean isBroken) {
    this.credentials = credentials;
    this.url = url;
    this.random = random;
    this.isBroken = isBroken;
    thread.start();
  }

  static CursorFollower start(Credentials credentials, Supplier<String> url, Random random) {
    return new CursorFollower(credentials, url, random, false);
  }

  /** A control: loses one change. */
  static CursorFollower startBroken(Credentials credentials, Supplier<String> url, Random random) {
    return new CursorFollower(credentials, url, random, true);
  }

  StockCopy copy() {
    return copy;
  }

  private void follow() {
    String cursor = "";
    while (!closing) {
      String form =
          "limit=%d&wait=%d%s"
              .formatted(
                  random.nextBoolean() ? 1 + random.nextInt(FEW_CHANGES) : 1000,
                  random.nextInt(MAX_WAIT_SECONDS),
                  cursor.isEmpty()
                      ? ""
                      : "&after=" + URLEncoder.encode(cursor, StandardCharsets.UTF_8));
      Answer answer =
          HttpCalls.post(
              url.get() + "/Changes", credentials.headers(Instant.now()), HttpCalls.FORM, form);
      if (answer.status() == 200 && answer.text().startsWith("{\"success\":true")) {
        JsonNode page = JSON.readTree(answer.text());
        page.get("changes").forEach(this::apply);
        cursor = page.get("cursor").asString();
      } else if (answer.status() == 0 || answer.status() >= 500) {
        Await.pause(PAUSE);
      } else {
        copy.problem("answered %d: %s".formatted(answer.status(), answer.text()));
        return;
      }
    }
  }

  private void apply(JsonNode change) {
    if (isBroken && !hasDropped && change.has("entries")) {
      hasDropped = true;
    } else {
      copy.apply(change);
    }
  }

  @Override
  public void close() {
    closing = true;
    Await.forEnd(thread);
  }
}
