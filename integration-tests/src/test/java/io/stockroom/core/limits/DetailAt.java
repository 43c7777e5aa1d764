package io.stockroom.core.limits;

import io.stockroom.core.database.Sql;
import io.stockroom.core.settings.Limits;
import io.stockroom.core.settings.Settings;
import io.stockroom.protocol.ErrorCode;
import io.stockroom.protocol.Problem;
import io.stockroom.server.testing.TestMerchant;
import io.stockroom.server.testing.TestServer;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Fetches product details for a merchant at times that the test chooses. */
final class DetailAt {
  /** Why a fetch was rejected, and when a retry may succeed. */
  record Refusal(ErrorCode code, Instant retryAt, Problem problem) {}

  private static final Sql HOLD = DetailUsage.beside("select * from facts");

  private static final Sql ROWS_READ =
      Sql.of(
          """
          select coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0)
          from pg_stat_xact_user_tables where relname = 'detail_fetch'
          """);

  private final TestMerchant merchant;
  private final Limits limits;

  /**
   * @param changes limits that differ from the defaults, by setting name
   */
  DetailAt(TestMerchant merchant, Map<String, String> changes) {
    this.merchant = merchant;
    this.limits = Limits.of(Settings.with(Map.of()), changes);
  }

  /** Fetches {@code pid} without a store; returns the error code, or null. */
  @Nullable ErrorCode fetch(String at, int pid) {
    return fetch(at, pid, "");
  }

  @Nullable ErrorCode fetch(String at, int pid, String store) {
    Refusal refusal = attempt(Instant.parse(at), pid, store);
    return refusal == null ? null : refusal.code;
  }

  @Nullable Refusal attempt(Instant at, int pid, String store) {
    try {
      return TestServer.shared()
          .database()
          .write(connection -> judge(connection, at, pid, store, true));
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The result of a fetch, without fetching. */
  @Nullable ErrorCode look(String at) {
    try {
      Refusal refusal =
          TestServer.shared()
              .database()
              .write(connection -> judge(connection, Instant.parse(at), -1, "", false));
      return refusal == null ? null : refusal.code;
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  /** How many rows of {@code detail_fetch} a fetch reads. */
  long rowsRead(String at, int pid) {
    try {
      return TestServer.shared()
          .database()
          .write(
              connection -> {
                long before = rowsRead(connection);
                if (judge(connection, Instant.parse(at), pid, "", true) != null) {
                  throw new IllegalStateException("the fetch was rejected");
                }
                return rowsRead(connection) - before;
              });
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private static long rowsRead(Connection connection) throws SQLException {
    return ROWS_READ.on(connection).one(row -> row.getLong(1));
  }

  private @Nullable Refusal judge(
      Connection connection, Instant at, int pid, String store, boolean fetch) throws SQLException {
    DetailLimits detail = new DetailLimits(() -> Optional.of(at));
    DetailLimits.Fetch asked = new DetailLimits.Fetch(merchant.id(), store, pid, limits);
    DetailLimits.Account account = detail.hold(connection, HOLD, asked, DetailUsage::read);
    Problem problem = detail.problem(connection, asked, account);
    if (problem != null) {
      detail.keep(connection, asked, account);
      Instant retryAt = detail.retryAt(connection, asked, account.moment(), problem.code());
      return new Refusal(problem.code(), retryAt, problem);
    }
    if (fetch) {
      detail.charge(connection, asked, account);
    }
    return null;
  }
}
