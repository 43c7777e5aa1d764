package io.stockroom.protocol.check;

import io.stockroom.protocol.Signature;
import io.stockroom.protocol.check.CapturedRequest.Header;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** A valid request that a test changes in one respect. */
final class Sent {
  static final String SECRET = "ETWuvOcUXDb7divkQ2mXh0m3";
  static final String APPID = "app_11ihrxlnwsqjh";
  static final String TOKEN = "srt_" + "7gnQIbF20OuLBLl0".repeat(3).substring(0, 43);
  static final String TIME = "1700000000";

  private String method = "POST";
  private String target = "/Stock/List";
  private final List<Header> headers = new ArrayList<>();
  private @Nullable String body = "productid=1";
  private UnaryOperator<Known> known = UnaryOperator.identity();

  private Sent() {
    with("appid", APPID)
        .with("sign", Signature.sign(SECRET, TIME))
        .with("timestamp", TIME)
        .with("accesstoken", TOKEN)
        .with("Content-Type", "application/x-www-form-urlencoded");
  }

  static Sent right() {
    return new Sent();
  }

  /** A create with this body. */
  static Sent create(String json) {
    return right().to("/Stock/Creat").with("Content-Type", "application/json").body(json);
  }

  Sent to(String other) {
    target = other;
    return this;
  }

  Sent method(String other) {
    method = other;
    return this;
  }

  /** Replaces a header, or adds it. */
  Sent with(String name, String value) {
    without(name);
    return and(name, value);
  }

  Sent and(String name, String value) {
    headers.add(new Header(name, value));
    return this;
  }

  Sent without(String name) {
    headers.removeIf(header -> header.name().equalsIgnoreCase(name));
    return this;
  }

  Sent body(@Nullable String text) {
    body = text;
    return this;
  }

  /** Signs the whole request in its current state with HMAC. */
  Sent hmac() {
    byte[] bytes = String.valueOf(body).getBytes(StandardCharsets.UTF_8);
    String text =
        Signature.signedText(
            method,
            target,
            TIME,
            TOKEN,
            bytes,
            captured().value("sign-nonce"),
            captured().value("Idempotency-Key"));
    return with("sign-method", "hmac-sha256").with("sign", Signature.hmac(SECRET, text));
  }

  /** Changes what the check knows besides the request. */
  Sent knowing(UnaryOperator<Known> change) {
    UnaryOperator<Known> before = known;
    known = all -> change.apply(before.apply(all));
    return this;
  }

  Sent at(long now, boolean ofRequest) {
    return knowing(
        all -> all.withClock(new Known.Clock(Instant.ofEpochSecond(now), ofRequest, 300)));
  }

  CapturedRequest captured() {
    return new CapturedRequest(method, target, headers, body);
  }

  Report checked() {
    Known all =
        Known.nothing()
            .withAppid(APPID)
            .withSecret(SECRET)
            .withAccesstoken(TOKEN)
            .withClock(new Known.Clock(Instant.ofEpochSecond(Long.parseLong(TIME)), true, 300));
    return RequestCheck.check(captured(), known.apply(all));
  }

  /** The causes that the check finds, in order. */
  List<Cause> causes() {
    return checked().all().stream().map(CheckProblem::cause).toList();
  }
}
