package io.stockroom.server.testing;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.net.URLEncoder;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.time.Duration;
import java.util.Set;

/** A merchant's imports, through the admin API. */
public final class TestImports {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final Set<String> MOVING = Set.of("waiting", "planning", "applying");

  private final Admin admin;
  private final String path;

  public TestImports(TestServer server, int merchantId) {
    this(Admin.of(server), "/admin/merchants/" + merchantId + "/imports");
  }

  private TestImports(Admin admin, String path) {
    this.admin = admin;
    this.path = path;
  }

  /** The same imports in another language. */
  public TestImports reading(String language) {
    return new TestImports(admin.reading(language), path);
  }

  public Reply plan(String name, String text) {
    return run(name, text.getBytes(UTF_8), "apply=false");
  }

  public Reply apply(String name, String text) {
    return run(name, text.getBytes(UTF_8), "apply=true");
  }

  /**
   * Uploads a file and waits until the import pauses or ends; {@code query} such as {@code
   * apply=true}.
   */
  public Reply run(String name, byte[] content, String query) {
    Reply sent = send(name, BodyPublishers.ofByteArray(content), query);
    return sent.status() == 202 ? end(sent.json().get("importId").asInt()) : sent;
  }

  public Reply send(String name, BodyPublisher content, String query) {
    return admin.upload(path + "?name=" + URLEncoder.encode(name, UTF_8) + "&" + query, content);
  }

  public Reply show(int importId) {
    return admin.get(path + "/" + importId);
  }

  /** The import after it paused or ended. */
  public Reply end(int importId) {
    Reply[] last = new Reply[1];
    boolean rests =
        Eventually.within(
            PATIENCE,
            () -> {
              last[0] = show(importId);
              return last[0].status() != 200
                  || !MOVING.contains(last[0].json().get("state").asString());
            });
    if (!rests) {
      throw new IllegalStateException("it does not end: " + last[0].body());
    }
    return last[0];
  }

  public Reply ask(int importId, String what, String body) {
    return admin.post(path + "/" + importId + "/" + what, body);
  }

  public byte[] rejected(int importId) {
    return admin.download(path + "/" + importId + "/rejected");
  }

  public String path() {
    return path;
  }
}
