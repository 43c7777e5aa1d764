package io.stockroom.server.access;

import io.stockroom.server.call.Caller;
import io.stockroom.server.database.Database;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Arrays;

/** Remembers the nonces of signed requests, over all nodes, so that no request can be replayed. */
public final class Nonces {
  /** How a nonce was used before. */
  public enum Use {
    FIRST,
    /** By a request that is the same to the byte. */
    SAME_REQUEST,
    OTHER_REQUEST
  }

  private final Database database;

  public Nonces(Database database) {
    this.database = database;
  }

  /**
   * Remembers a nonce and tells how it was used before. Of two requests at the same moment, one is
   * the first.
   *
   * @param signedText everything that the signature covers
   */
  public Use use(Caller caller, String nonce, String signedText) throws SQLException {
    byte[] hash = Credentials.hash(signedText);
    return database.write(
        connection -> {
          try (PreparedStatement statement =
              connection.prepareStatement(
                  """
                  insert into sign_nonce as n (merchant_id, application_id, nonce, request_hash)
                  values (?, ?, ?, ?)
                  on conflict (merchant_id, application_id, nonce)
                    do update set request_hash = n.request_hash
                  -- a row that was just inserted has no xmax
                  returning xmax = 0, request_hash
                  """)) {
            statement.setInt(1, caller.merchantId());
            statement.setInt(2, caller.applicationId());
            statement.setString(3, nonce);
            statement.setBytes(4, hash);
            try (ResultSet row = statement.executeQuery()) {
              row.next();
              if (row.getBoolean(1)) {
                return Use.FIRST;
              }
              return Arrays.equals(row.getBytes(2), hash) ? Use.SAME_REQUEST : Use.OTHER_REQUEST;
            }
          }
        });
  }

  /** Forgets nonces whose timestamps are no longer accepted. */
  public void forgetOld(Duration window) throws SQLException {
    database.write(
        connection -> {
          try (PreparedStatement statement =
              connection.prepareStatement(
                  "delete from sign_nonce where seen_at < now() - ? * interval '1 second'")) {
            // a request may be signed for the end of the window ahead, and come at once
            statement.setLong(1, window.toSeconds() * 2 + 60);
            return statement.executeUpdate();
          }
        });
  }
}
