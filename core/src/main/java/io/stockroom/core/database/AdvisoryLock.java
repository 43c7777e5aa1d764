package io.stockroom.core.database;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/**
 * Every advisory lock of the server, each with a number of its own. They end with the transaction
 * that took them, unless they say otherwise.
 */
public enum AdvisoryLock {
  /** Shared while a secret is sealed, alone while the key is rotated. */
  SECRET_KEY(301),
  /** Of several links for the first operator only one may be used. */
  FIRST_OPERATOR(302),
  /** One node at a time writes the request log. */
  REQUEST_LOG(303),
  /** One merchant's uploads are counted one after the other. */
  IMPORT_QUOTA(304),
  /** One merchant's webhooks are counted one after the other. */
  WEBHOOK_QUOTA(305),
  /** Shared by the transactions of a merchant that may be moving, alone while it is paused. */
  MERCHANT_MOVE(306),
  /** One node at a time removes the data of a merchant. It ends with the connection. */
  MERCHANT_REMOVAL(307),
  /**
   * Held at the new address of a cell: if it is held at the old one, too, both are one database.
   */
  CELL_ADDRESS(308),
  /**
   * Shared by the transactions that write what products show, alone while unused pictures are
   * deleted. The trigger {@code product_detail_pictures} takes it, too, by its number.
   */
  PICTURES_IN_USE(309),
  /** One check of the audit log at a time. */
  AUDIT_CHECK(311);

  /** Far from the small numbers that other programs on the same database would choose. */
  private static final long FIRST = 7_305_510_498_000L;

  private final int number;

  AdvisoryLock(int number) {
    this.number = number;
  }

  /** What PostgreSQL knows it by. */
  public long key() {
    return FIRST + number;
  }

  /** Waits until nobody else holds it. */
  public void hold(Connection connection) throws SQLException {
    run(connection, "select pg_advisory_xact_lock(?)");
  }

  /** Takes the shared lock; waits while the exclusive one is held. */
  public void holdShared(Connection connection) throws SQLException {
    run(connection, "select pg_advisory_xact_lock_shared(?)");
  }

  /** Says whether it is held now; does not wait. */
  public boolean tryHold(Connection connection) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement("select pg_try_advisory_xact_lock(?)")) {
      statement.setLong(1, key());
      try (ResultSet row = statement.executeQuery()) {
        row.next();
        return row.getBoolean(1);
      }
    }
  }

  /** Takes the exclusive lock of a merchant; these locks have a key space of their own. */
  public void hold(Connection connection, int merchantId) throws SQLException {
    run(connection, merchantId, "select pg_advisory_xact_lock(?, ?)");
  }

  /** Takes the shared lock of a merchant; waits while the exclusive one is held. */
  public void holdShared(Connection connection, int merchantId) throws SQLException {
    run(connection, merchantId, "select pg_advisory_xact_lock_shared(?, ?)");
  }

  /**
   * Takes the lock of a merchant until the connection ends; says whether it is held, and does not
   * wait.
   */
  public boolean tryHoldForConnection(Connection connection, int merchantId) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement("select pg_try_advisory_lock(?, ?)")) {
      statement.setInt(1, number);
      statement.setInt(2, merchantId);
      try (ResultSet row = statement.executeQuery()) {
        row.next();
        return row.getBoolean(1);
      }
    }
  }

  private void run(Connection connection, int merchantId, String sql) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setInt(1, number);
      statement.setInt(2, merchantId);
      statement.execute();
    }
  }

  /** The first part of what PostgreSQL knows a merchant's lock by. */
  public int space() {
    return number;
  }

  private void run(Connection connection, String sql) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setLong(1, key());
      statement.execute();
    }
  }
}
