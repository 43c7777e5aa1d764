package io.stockroom.server.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.stockroom.protocol.Language;
import io.stockroom.server.load.Load;
import io.stockroom.server.load.Places;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiConsumer;
import org.apache.tomcat.util.http.FastHttpDateFormat;
import org.jspecify.annotations.Nullable;

/**
 * Counts the calls of the interface in, and refuses those that would be refused inside, before a
 * thread begins to serve them. So a refusal costs hardly more than reading and writing it, keeps
 * its connection, and does not wait for those who are inside.
 */
public final class Door {
  private static final ScopedValue<Ticket> TICKET = ScopedValue.newInstance();

  private final Routes routes;
  private final Load load;
  private final Languages languages;
  private final BiConsumer<String, String> refused;
  private final Map<Language, byte[][]> bodies = new EnumMap<>(Language.class);

  /**
   * Makes the door of the interface.
   *
   * @param refused takes note of the address and the request id of each refusal
   */
  public Door(Routes routes, Load load, Languages languages, BiConsumer<String, String> refused) {
    this.routes = routes;
    this.load = load;
    this.languages = languages;
    this.refused = refused;
    for (Language language : Language.values()) {
      byte[][] each = new byte[Load.MOST_RETRY_SECONDS + 1][];
      for (int seconds = 1; seconds < each.length; seconds++) {
        each[seconds] = Json.bytes(Responses.overloaded(seconds), language);
      }
      bodies.put(language, each);
    }
  }

  /** What the door says to a request. */
  sealed interface Verdict permits Ticket, Refusal {}

  /** A call that is inside: counted until its answer is ready to be sent. */
  static final class Ticket implements Verdict {
    private final Places places;
    private final String caller;
    private boolean isGivenBack;

    private Ticket(Places places, String caller) {
      this.places = places;
      this.caller = caller;
    }

    /** Runs what serves the call, on this thread. */
    void run(Runnable serving) {
      try {
        ScopedValue.where(TICKET, this).run(serving);
      } finally {
        giveBack();
      }
    }

    /** The call is no longer inside; said once or more. */
    void giveBack() {
      if (!isGivenBack) {
        isGivenBack = true;
        places.gone(caller);
      }
    }
  }

  /** A whole answer, as bytes. */
  record Refusal(byte[] bytes) implements Verdict {}

  /**
   * Whether the call that this thread serves was counted in. One that follows on the same
   * connection before the thread has left it was not.
   */
  static boolean hasTicket() {
    return TICKET.isBound() && !TICKET.get().isGivenBack;
  }

  /** The answer of the call that this thread serves is ready: how long it takes to send is not. */
  static void isAnswered() {
    if (TICKET.isBound()) {
      TICKET.get().giveBack();
    }
  }

  /** Null where this is for others to judge: it is no call, or not to be read at a glance. */
  @Nullable Verdict judge(byte[] bytes, int length) {
    PlainRequest request = PlainRequest.read(bytes, length);
    Route<?> route = request == null ? null : routes.find(request.path());
    if (request == null || route == null) {
      return null;
    }
    Places places = load.of(route.endpoint().kind());
    return places.arrive(request.caller())
        ? new Ticket(places, request.caller())
        : new Refusal(refusal(route, languages.of(request.language())));
  }

  private byte[] refusal(Route<?> route, Language language) {
    String id = Responses.newRequestId();
    int seconds = Load.retrySeconds();
    byte[] body = Objects.requireNonNull(bodies.get(language))[seconds];
    String head =
        "HTTP/1.1 503 \r\n"
            + Responses.REQUEST_ID
            + ": "
            + id
            + "\r\nRetry-After: "
            + seconds
            + "\r\nContent-Type: "
            + Responses.JSON
            + "\r\nContent-Length: "
            + body.length
            + "\r\nDate: "
            + FastHttpDateFormat.getCurrentDate()
            + "\r\n\r\n";
    byte[] bytes = new byte[head.length() + body.length];
    System.arraycopy(head.getBytes(ISO_8859_1), 0, bytes, 0, head.length());
    System.arraycopy(body, 0, bytes, head.length(), body.length);
    refused.accept(route.path(), id);
    return bytes;
  }
}
