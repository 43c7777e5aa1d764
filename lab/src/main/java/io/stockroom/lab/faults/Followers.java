package io.stockroom.lab.faults;

import io.stockroom.client.Credentials;
import io.stockroom.client.StockroomClient;
import io.stockroom.client.mirror.MirrorStore;
import io.stockroom.client.mirror.StockMirror;
import io.stockroom.client.mirror.Verification;
import io.stockroom.lab.Answer;
import io.stockroom.lab.Await;
import io.stockroom.lab.HttpCalls;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Random;
import java.util.function.Supplier;
import tools.jackson.databind.JsonNode;

/** Clients that keep a copy of a merchant's stock by its changes, on nodes that die. */
final class Followers {
  private Followers() {}

  /** Asks {@code /Changes} of any node, from the first change on. */
  static final class Cursor implements AutoCloseable {
    private static final Duration PAUSE = Duration.ofMillis(50);
    private static final int MAX_WAIT_SECONDS = 3;
    private static final int FEW_CHANGES = 20;

    private final Credentials credentials;
    private final Supplier<String> url;
    private final Random random;
    private final StockCopy copy = new StockCopy();
    private final Thread thread;
    private volatile boolean closing;
    private boolean losesOne;

    /** With {@code losesOne} it is a control, which loses a change. */
    Cursor(Credentials credentials, Supplier<String> url, Random random, boolean losesOne) {
      this.credentials = credentials;
      this.url = url;
      this.random = random;
      this.losesOne = losesOne;
      this.thread = Thread.ofVirtual().start(this::follow);
    }

    StockCopy copy() {
      return copy;
    }

    private void follow() {
      String after = "";
      while (!closing) {
        int limit = random.nextBoolean() ? 1 + random.nextInt(FEW_CHANGES) : 1000;
        String form =
            "limit=%d&wait=%d%s".formatted(limit, random.nextInt(MAX_WAIT_SECONDS), after);
        Answer answer = HttpCalls.call(credentials, url.get() + "/Changes", form);
        if (answer.isDone()) {
          JsonNode page = answer.json();
          page.get("changes").forEach(this::apply);
          String cursor = page.get("cursor").asString();
          after = "&after=" + URLEncoder.encode(cursor, StandardCharsets.UTF_8);
        } else if (answer.isUnknown()) {
          Await.pause(PAUSE);
        } else {
          copy.problem("answered %d: %s".formatted(answer.status(), answer.text()));
          return;
        }
      }
    }

    private void apply(JsonNode change) {
      if (losesOne && change.has("entries")) {
        losesOne = false;
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

  /** The SDK's mirror; it follows one node. */
  static final class Mirror implements AutoCloseable {
    private final StockroomClient client;
    private final MirrorStore store;
    private final StockMirror mirror;
    private final Thread thread;

    Mirror(String url, Credentials credentials, MirrorStore store) {
      this.client = StockroomClient.builder().address(url).credentials(credentials).build();
      this.store = store;
      this.mirror = new StockMirror(client, store);
      this.thread = Thread.ofVirtual().start(mirror::follow);
    }

    /** Ends the following, brings the mirror to the end of the log, and compares its digests. */
    Verification end() {
      mirror.close();
      Await.forEnd(thread);
      mirror.sync();
      return mirror.verify();
    }

    StockCopy copy() {
      StockCopy copy = new StockCopy();
      store.read(
          product ->
              product
                  .entries()
                  .forEach(
                      entry ->
                          copy.put(product.pid(), entry.color(), entry.size(), entry.stock())));
      return copy;
    }

    @Override
    public void close() {
      mirror.close();
      client.close();
    }
  }
}
