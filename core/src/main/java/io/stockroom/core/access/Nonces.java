package io.stockroom.core.access;

import io.stockroom.core.call.Call.Caller;
import io.stockroom.core.database.Cells;
import io.stockroom.core.database.Sql;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Arrays;

/** Stores the nonces of signed requests for all nodes, so that no request can be replayed. */
public final class Nonces {
  /** How a nonce was used before. */
  public enum Use {
    FIRST,
    /** By a request that is the same to the byte. */
    SAME_REQUEST,
    OTHER_REQUEST
  }

  /** A row that was just inserted has no xmax. */
  private static final Sql USE =
      Sql.of(
          """
          insert into nonce as n (merchant_id, application_id, nonce, request_hash)
          values (:merchantId, :applicationId, :nonce, :requestHash)
          on conflict (merchant_id, application_id, nonce)
            do update set request_hash = n.request_hash
          returning xmax = 0 as is_new, request_hash
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
   */
  public Use use(Caller caller, String nonce, String signedText) throws SQLException {
    byte[] hash = Credentials.hash(signedText);
    return cells
        .of(caller.merchantId())
        .write(
            connection ->
                USE.on(connection)
                    .set("merchantId", caller.merchantId())
                    .set("applicationId", caller.applicationId())
                    .set("nonce", nonce)
                    .set("requestHash", hash)
                    .one(row -> use(row.getBoolean("is_new"), row.getBytes("request_hash"), hash)));
  }

  private static Use use(boolean isNew, byte[] stored, byte[] hash) {
    if (isNew) {
      return Use.FIRST;
    }
    return Arrays.equals(stored, hash) ? Use.SAME_REQUEST : Use.OTHER_REQUEST;
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
