package io.stockroom.core.changes;

import io.stockroom.core.admission.CallKind;
import io.stockroom.core.call.Answer;
import io.stockroom.core.call.Call;
import io.stockroom.core.call.Endpoint;
import io.stockroom.core.call.Rejection;
import io.stockroom.core.call.WaitingAnswer;
import io.stockroom.core.changes.ChangeFeed.Page;
import io.stockroom.core.changes.ChangeWaiters.Waiter;
import io.stockroom.protocol.ErrorCode;
import io.stockroom.protocol.Language;
import io.stockroom.protocol.request.FeedReader;
import io.stockroom.protocol.request.FeedReader.ChangesRequest;
import io.stockroom.protocol.request.InvalidRequest;
import io.stockroom.protocol.request.RequestContent;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/** {@code POST /Changes}: the merchant's changes after a cursor, with long polling. */
public final class Changes implements Endpoint<Changes.Request> {
  /**
   * A well-formed request.
   *
   * @param after null for the oldest change that is kept
   * @param limit 0 if only the current cursor is wanted
   */
  record Request(@Nullable Cursor after, int limit, Duration maxWait) {
    long number() {
      return after == null ? 0 : after.number();
    }
  }

  /** The changes, as JSON. */
  private record Found(Page page) implements Answer {
    /** Of a change with one entry. */
    private static final int CHANGE_BYTES = 320;

    @Override
    public int expectedBytes() {
      return CHANGE_BYTES * (1 + page.changes().size());
    }

    @Override
    public void write(JsonGenerator out, Language language) {
      writePage(out, page);
    }
  }

  /** No changes yet: what the caller gets unless one comes in time. */
  private final class Nothing implements WaitingAnswer {
    private final int merchantId;
    private final Request request;
    private final Page page;
    private final Waiter waiter;

    private Nothing(int merchantId, Request request, Page page, Waiter waiter) {
      this.merchantId = merchantId;
      this.request = request;
      this.page = page;
      this.waiter = waiter;
    }

    @Override
    public CompletableFuture<Boolean> ended() {
      return waiter.ended();
    }

    @Override
    public Answer again() throws SQLException {
      return page(feed.after(merchantId, request.number(), request.limit), request);
    }

    @Override
    public void write(JsonGenerator out, Language language) {
      writePage(out, page);
    }
  }

  private final ChangeFeed feed;
  private final ChangeWaiters waiters;

  public Changes(ChangeFeed feed, ChangeWaiters waiters) {
    this.feed = feed;
    this.waiters = waiters;
  }

  @Override
  public CallKind kind() {
    return CallKind.FEED;
  }

  @Override
  public Request read(Call call, RequestContent content) throws InvalidRequest {
    ChangesRequest read = FeedReader.changes(content);
    Duration wait = Duration.ofSeconds(read.waitSeconds());
    if (read.after().equals(FeedReader.LATEST)) {
      return new Request(null, 0, Duration.ZERO);
    }
    if (read.after().isEmpty()) {
      return new Request(null, read.limit(), wait);
    }
    Cursor cursor = Cursor.parse(read.after());
    if (cursor == null) {
      throw wrongCursor(read.after());
    }
    return new Request(cursor, read.limit(), wait);
  }

  static InvalidRequest wrongCursor(String text) {
    return InvalidRequest.of("after", ErrorCode.CURSOR_FORMAT, text);
  }

  /** Registers before it reads, so that no change can slip in between. */
  @Override
  public Answer answer(Call call, Request request) throws SQLException {
    int merchantId = call.caller().merchantId();
    Waiter waiter =
        request.maxWait.isZero()
            ? null
            : waiters.add(merchantId, call.caller().tokenId(), request.maxWait);
    boolean isWaiting = false;
    try {
      Page page = feed.after(merchantId, request.number(), request.limit);
      Answer answer = page(page, request);
      isWaiting = waiter != null && answer instanceof Found && page.changes().isEmpty();
      if (waiter == null || !isWaiting) {
        return answer;
      }
      waiter.after(page.lastChange());
      return new Nothing(merchantId, request, page, waiter);
    } finally {
      if (waiter != null && !isWaiting) {
        waiter.close();
      }
    }
  }

  private static Answer page(Page page, Request request) {
    Cursor after = request.after;
    if (after != null && !page.knows(after)) {
      return Rejection.of("after", ErrorCode.CURSOR_FORMAT, after.text());
    }
    if (after != null && page.isExpired(after.number())) {
      ErrorCode code = ErrorCode.CURSOR_EXPIRED;
      return Rejection.of("after", code, page.oldest()).with(Answer.ERROR_CODE, code.name());
    }
    return new Found(page);
  }

  private static void writePage(JsonGenerator out, Page page) {
    out.writeStartObject();
    out.writeBooleanProperty("success", true);
    out.writeStringProperty("msg", "");
    out.writeStringProperty("cursor", page.cursor().text());
    out.writeBooleanProperty("more", page.hasMore());
    out.writeArrayPropertyStart("changes");
    page.changes().forEach(change -> change.write(out));
    out.writeEndArray();
    out.writeEndObject();
  }
}
