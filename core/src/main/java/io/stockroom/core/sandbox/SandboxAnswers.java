package io.stockroom.core.sandbox;

import io.stockroom.core.call.Answer;
import io.stockroom.core.call.Call;
import io.stockroom.core.call.Call.Caller;
import io.stockroom.core.call.CutAnswer;
import io.stockroom.core.call.Interceptor;
import io.stockroom.core.call.Rejection;
import io.stockroom.core.catalogue.ProductDetail;
import io.stockroom.core.database.Cells;
import io.stockroom.core.limits.Allowance.Limited;
import io.stockroom.core.limits.DetailLimits;
import io.stockroom.core.limits.DetailLimits.Account;
import io.stockroom.core.limits.DetailLimits.Facts;
import io.stockroom.core.limits.DetailLimits.Fetch;
import io.stockroom.core.limits.DetailLimits.Moment;
import io.stockroom.core.limits.RateLimit;
import io.stockroom.core.settings.Limits;
import io.stockroom.core.stock.AdjustStock;
import io.stockroom.core.stock.CreateStock;
import io.stockroom.protocol.ErrorCode;
import io.stockroom.protocol.Problem;
import io.stockroom.protocol.request.RequestContent;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.util.HexFormat;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Answers that a server gives rarely, on request. */
final class SandboxAnswers implements Interceptor {
  private static final String DETAIL = "/Product/Detail";

  private final Cells cells;
  private final DetailLimits limits;
  private final Clock clock;

  SandboxAnswers(Cells cells, DetailLimits limits, Clock clock) {
    this.cells = cells;
    this.limits = limits;
    this.clock = clock;
  }

  @Override
  public @Nullable Answer answer(String path, Call call, RequestContent content)
      throws SQLException {
    SandboxProduct.Wish wish = SandboxProduct.in(content);
    return wish == null ? null : to(wish, path, call.caller());
  }

  /** The wished answer; null if the endpoint answers itself, because no such product exists. */
  private @Nullable Answer to(SandboxProduct.Wish wish, String path, Caller caller)
      throws SQLException {
    return switch (wish.product()) {
      case CONNECTION_CUT -> new CutAnswer();
      case PRODUCT_MISSING -> null;
      case SLOW -> {
        sleep(wish.delay());
        yield null;
      }
      case RATE_LIMIT -> tooEarly(path, caller.limits());
      case INTERNAL -> internal();
      case OVERLOADED -> retry(ErrorCode.OVERLOADED, 1);
      case UNAVAILABLE -> retry(ErrorCode.UNAVAILABLE, 2);
      case DETAIL_PER_DAY, PUBLISH_SHARE, STORE_PRODUCTS ->
          path.equals(DETAIL)
              ? cells
                  .of(caller.merchantId())
                  .write(connection -> limited(connection, wish.product(), caller))
              : null;
    };
  }

  private @Nullable Answer tooEarly(String path, Limits of) {
    return switch (path) {
      case CreateStock.PATH -> RateLimit.ofCreates(of).tooEarly(clock.instant());
      case AdjustStock.PATH -> RateLimit.ofAdjusts(of).tooEarly(clock.instant());
      default -> null;
    };
  }

  private static Answer retry(ErrorCode code, int seconds) {
    return Rejection.of("", code, seconds).with("Retry-After", Integer.toString(seconds));
  }

  private static Answer internal() {
    String id = HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextLong());
    return Rejection.of("", ErrorCode.INTERNAL, id).with("X-Request-Id", id);
  }

  /** What the limit says when everything is used; nothing is counted. */
  private @Nullable Answer limited(Connection connection, SandboxProduct product, Caller caller)
      throws SQLException {
    Limits of = caller.limits();
    Fetch fetch = new Fetch(caller.merchantId(), caller.boundStore(), 0, of);
    int used = product == SandboxProduct.DETAIL_PER_DAY ? of.detailPerDay() : 0;
    Moment moment = limits.look(connection, fetch).moment().withUsedToday(used);
    Facts facts =
        new Facts(
            product == SandboxProduct.PUBLISH_SHARE ? Math.max(1, of.publishMinimum()) : 0,
            0,
            0,
            product == SandboxProduct.STORE_PRODUCTS ? of.storeProducts() : 0,
            product != SandboxProduct.STORE_PRODUCTS);
    Account account = new Account(moment, facts, false);
    Problem problem = limits.problem(connection, fetch, account);
    return problem == null
        ? null
        : Limited.of(
                new ProductDetail.Rejected(problem),
                DetailLimits.allowances(of, account),
                moment.now())
            .retryAt(moment.now(), limits.retryAt(connection, fetch, moment, problem.code()));
  }

  private static void sleep(Duration time) {
    long deadline = System.nanoTime() + time.toNanos();
    for (long left = time.toNanos(); left > 0; left = deadline - System.nanoTime()) {
      LockSupport.parkNanos(left);
      if (Thread.currentThread().isInterrupted()) {
        return;
      }
    }
  }
}
