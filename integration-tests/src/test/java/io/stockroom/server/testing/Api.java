package io.stockroom.server.testing;

import io.stockroom.protocol.Signature;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A client of the interface: one application's access for one merchant. Every request has a
 * different timestamp within the window, because a create is identified by its timestamp.
 */
public final class Api {
  private static final int OLDEST_SECONDS = 250;
  private static final int NEWEST_SECONDS = 250;

  private final TestServer server;
  private final String appid;
  private final String secret;
  private final String accesstoken;
  private final AtomicLong next;

  Api(TestServer server, String appid, String secret, String accesstoken) {
    this(
        server,
        appid,
        secret,
        accesstoken,
        new AtomicLong(Instant.now().getEpochSecond() - OLDEST_SECONDS));
  }

  private Api(TestServer server, String appid, String secret, String accesstoken, AtomicLong next) {
    this.server = server;
    this.appid = appid;
    this.secret = secret;
    this.accesstoken = accesstoken;
    this.next = next;
  }

  /** Access with existing credentials. */
  public static Api of(TestServer server, String appid, String secret, String accesstoken) {
    return new Api(server, appid, secret, accesstoken);
  }

  /** The same access through another server. */
  public Api on(TestServer other) {
    return new Api(other, appid, secret, accesstoken, next);
  }

  /** The same application with another token. */
  public Api withToken(String token) {
    return new Api(server, appid, secret, token, next);
  }

  /** The same appid and token, signed with another secret. */
  public Api withSecret(String other) {
    return new Api(server, appid, other, accesstoken, next);
  }

  /** The same secret and token under another appid. */
  public Api withAppid(String other) {
    return new Api(server, other, secret, accesstoken, next);
  }

  public String appid() {
    return appid;
  }

  public String secret() {
    return secret;
  }

  public String accesstoken() {
    return accesstoken;
  }

  public TestServer server() {
    return server;
  }

  /** A valid request that the test can still change. */
  public Call call(String path) {
    return new Call(this, path).at(nextTimestamp());
  }

  public Reply products(String form) {
    return call("/Stock/Product").form(form).send();
  }

  public Reply stock(int pid) {
    return call("/Stock/List").form("productid=" + pid).send();
  }

  public Reply create(String json) {
    return call("/Stock/Creat").json(json).send();
  }

  public Reply adjust(String json) {
    return call("/Stock/Adjust").json(json).send();
  }

  public Reply detail(int pid) {
    return call("/Product/Detail").form("pid=" + pid).send();
  }

  /** A timestamp that no earlier request of this access used. */
  public long nextTimestamp() {
    // a test that takes minutes must stay within the window
    long oldest = Instant.now().getEpochSecond() - OLDEST_SECONDS;
    long timestamp = next.updateAndGet(last -> Math.max(last + 1, oldest));
    if (timestamp > Instant.now().getEpochSecond() + NEWEST_SECONDS) {
      throw new IllegalStateException("too many requests for one access within one test");
    }
    return timestamp;
  }

  public String sign(String timestamp) {
    return Signature.sign(secret, timestamp);
  }
}
