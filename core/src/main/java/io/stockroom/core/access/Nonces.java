package io.stockroom.core.access;

import io.stockroom.core.call.Call.Caller;
import io.stockroom.core.database.Cells;
import io.stockroom.core.database.Sql;
import java.sql.SQLException;
import java.time.Duration;

/** Stores the nonces of signed requests for all nodes, so that no request can be replayed. */
public final class Nonces {
  /** How a nonce was used before. */
  public enum Use {
    FIRST,
    /** A short time ago, by a request that is the same to the byte. */
    SAME_REQUEST,
    USED
  }

  /** A row that was just inserted has no xmax. */
  private static final Sql USE =
      Sql.of(
          """
          insert into nonce as n (merchant_id, application_id, nonce, request_hash)
          values (:merchantId, :applicationId, :nonce, :requestHash)
          on conflict (merchant_id, application_id, nonce)
            do update set request_hash = n.request_hash
          returning xmax = 0 as is_new,
            request_hash = :requestHash and seen_at > now() - :seconds * interval '1 second'
              as is_same
          """);

  private static final Sql FORGET =
      Sql.of("delete from nonce where seen_at < now() - :seconds * interval '1 second'");

  private final Cells cells;

  public Nonces(Cells cells) {
    this.cells = cells;
  }

  /**
   * Stores a nonce and returns how it was used before. Of two concurrent requests, one is the
   * first.
   *
   * @param signedText everything that the signature covers
   * @param repeatable how long the same request may be sent again
   */
  public Use use(Caller caller, String nonce, String signedText, Duration repeatable)
      throws SQLException {
    return cells
        .of(caller.merchantId())
        .write(
            connection ->
                USE.on(connection)
                    .set("merchantId", caller.merchantId())
                    .set("applicationId", caller.applicationId())
                    .set("nonce", nonce)
                    .set("requestHash", Credentials.hash(signedText))
                    .set("seconds", repeatable.toSeconds())
                    .one(row -> use(row.getBoolean("is_new"), row.getBoolean("is_same"))));
  }

  private static Use use(boolean isNew, boolean isSame) {
    return isNew ? Use.FIRST : isSame ? Use.SAME_REQUEST : Use.USED;
  }

  /** Deletes nonces whose timestamps are no longer accepted. */
  public void forgetOld(Duration window) throws SQLException {
    // a request may be signed for the end of the window ahead, and arrive at once
    long seconds = window.toSeconds() * 2 + 60;
    cells.each(
        database ->
            database.write(connection -> FORGET.on(connection).set("seconds", seconds).update()));
  }
}
