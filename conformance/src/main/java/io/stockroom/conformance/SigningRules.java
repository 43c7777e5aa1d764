package io.stockroom.conformance;

import static io.stockroom.conformance.Rule.owed;
import static io.stockroom.conformance.Rule.settled;

import io.stockroom.protocol.Signature;
import java.util.List;
import java.util.Locale;
import java.util.Objects;

/** Authentication and signatures. */
final class SigningRules {
  private static final List<String> HEADERS = List.of("appid", "sign", "timestamp", "accesstoken");
  private static final int MINUTE = 60;
  private static final int HOUR = 3600;

  private SigningRules() {}

  static List<Rule> rules() {
    return List.of(
        owed(
            "signing.upper-case",
            "accepts a request signed with the upper-case MD5 of secret and timestamp",
            probe -> call(probe).send().hasStatus(200)),
        owed(
            "signing.header-missing",
            "rejects a request that lacks one of the four headers, or has it empty, with 400",
            SigningRules::headerMissing),
        settled(
            "signing.header-repeated",
            "rejects a repeated header with 400",
            probe ->
                HEADERS.forEach(
                    name -> {
                      RequestBuilder ask = call(probe);
                      ask.also(name, ask.request().header(name)).send().rejected(name + " twice");
                    })),
        owed(
            "signing.unknown-appid",
            "rejects an unknown appid with 400",
            probe -> unknownApplication(probe).send().rejected()),
        owed(
            "signing.other-secret",
            "rejects a signature made with another secret with 400",
            probe -> otherSecret(probe).send().rejected()),
        owed(
            "signing.other-time",
            "rejects a signature made for another timestamp with 400",
            probe -> {
              long now = probe.now();
              call(probe).at(now).header("timestamp", Long.toString(now - 1)).send().rejected();
            }),
        owed(
            "signing.unknown-token",
            "rejects an unknown access token with 400",
            probe -> unknownToken(probe).send().rejected()),
        settled(
            "signing.foreign-token",
            "responds to another application's token exactly as to an unknown one",
            probe -> {
              String token = Objects.requireNonNull(probe.target().foreignToken());
              Answer unknown = unknownToken(probe).send();
              Answer foreign = call(probe).header("accesstoken", token).send();
              requireSame(foreign, unknown, "an unknown token");
            },
            Need.FOREIGN_TOKEN),
        settled(
            "signing.one-answer",
            "gives the same response to unknown appid, wrong signature and unknown token",
            probe -> {
              Answer application = unknownApplication(probe).send();
              requireSame(otherSecret(probe).send(), application, "an unknown appid");
              requireSame(unknownToken(probe).send(), application, "an unknown appid");
            }),
        settled(
            "signing.lower-case",
            "accepts a signature in lower case",
            probe -> {
              RequestBuilder ask = call(probe);
              String sign = ask.request().header("sign").toLowerCase(Locale.ROOT);
              ask.header("sign", sign).send().hasStatus(200);
            }),
        settled(
            "signing.sixteen-characters",
            "rejects the 16-character form of the signature with 400",
            probe -> {
              RequestBuilder ask = call(probe);
              ask.header("sign", ask.request().header("sign").substring(8, 24)).send().rejected();
            }),
        owed(
            "signing.milliseconds",
            "rejects a timestamp in milliseconds with 400",
            probe -> call(probe).at(probe.now() * 1000).send().rejected()),
        settled(
            "signing.clock-inside",
            "accepts a clock that is a minute off, either way",
            probe -> {
              call(probe).at(probe.now() - MINUTE).send().hasStatus(200);
              call(probe).at(probe.now() + MINUTE).send().hasStatus(200);
            }),
        settled(
            "signing.clock-outside",
            "rejects a clock that is an hour off, either way, with 400",
            probe -> {
              call(probe).at(probe.now() - HOUR).send().rejected("an hour late");
              call(probe).at(probe.now() + HOUR).send().rejected("an hour early");
            }),
        settled(
            "signing.hmac",
            "accepts a request signed with sign-method: hmac-sha256",
            probe -> call(probe).hmac().send().hasStatus(200)),
        settled(
            "signing.hmac-whole",
            "rejects an hmac-sha256 request that was changed after signing with 400",
            probe -> {
              call(probe).hmac().form("page=2").send().rejected("another body");
              call(probe).hmac().query("stock=true").send().rejected("another query");
            }),
        settled(
            "signing.before-body",
            "checks credentials before parameters: wrong ones get the same response either way",
            probe -> {
              Answer good = otherSecret(probe).send();
              Answer bad = otherSecret(probe).form("page=x").send();
              requireSame(bad, good, "the same credentials with right parameters");
            }));
  }

  private static RequestBuilder call(Probe probe) {
    return probe.ask(Probe.PRODUCTS).form("page=1");
  }

  private static RequestBuilder unknownApplication(Probe probe) {
    return call(probe).header("appid", "app_0conformance0");
  }

  private static RequestBuilder otherSecret(Probe probe) {
    String timestamp = Long.toString(probe.now());
    String sign = Signature.sign(probe.target().secret() + "0", timestamp);
    return call(probe).header("timestamp", timestamp).header("sign", sign);
  }

  private static RequestBuilder unknownToken(Probe probe) {
    return call(probe).header("accesstoken", "srt_conformance0000000000000000000000000000000000");
  }

  private static void headerMissing(Probe probe) {
    for (String name : HEADERS) {
      call(probe).without(name).send().rejected("without " + name);
      call(probe).header(name, "").send().rejected("with an empty " + name);
    }
  }

  private static void requireSame(Answer answer, Answer other, String what) {
    answer.require(
        answer.status() == other.status() && answer.body().equals(other.body()),
        "expected the response of " + what + ": " + other.status() + " " + other.body());
  }
}
