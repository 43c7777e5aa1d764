package io.stockroom.server.imports;

import io.stockroom.protocol.ErrorCode;
import io.stockroom.server.database.AdvisoryLock;
import io.stockroom.server.database.Database;
import io.stockroom.server.settings.FileSize;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/** How many imports one merchant may have open, and how many bytes of files it may have stored. */
final class ImportQuota {
  /** Its place in the statement is the merchant's. */
  static final String STORED_BYTES =
      """
      select coalesce(sum(octet_length(content)), 0) from import_piece where merchant_id = ?
      """;

  private static final String OPEN =
      """
      select count(*) from import
      where merchant_id = ? and state in ('waiting', 'planning', 'planned', 'applying')
      """;

  private final Database database;
  private final int mostOpen;
  private final long mostBytes;

  ImportQuota(Database database, int mostOpen, long mostBytes) {
    this.database = database;
    this.mostOpen = mostOpen;
    this.mostBytes = mostBytes;
  }

  long mostBytes() {
    return mostBytes;
  }

  ImportUse use(int merchantId) throws SQLException {
    return database.read(
        connection ->
            new ImportUse(
                number(connection, OPEN, merchantId),
                mostOpen,
                number(connection, STORED_BYTES, merchantId),
                mostBytes));
  }

  /**
   * Refuses before a byte is read what would be refused in the end.
   *
   * @param bytes how many will come; less than 0 where that is not known
   */
  void check(int merchantId, long bytes) throws SQLException, UploadRefused {
    ImportUse use = use(merchantId);
    if (use.open() >= mostOpen) {
      throw tooManyOpen(merchantId);
    }
    if (use.bytes() + Math.max(1, bytes) > mostBytes) {
      throw tooManyBytes(merchantId);
    }
  }

  /**
   * Says whether the merchant may open one more import. Until the transaction ends nobody else can
   * open one of this merchant.
   */
  boolean admits(Connection connection, int merchantId) throws SQLException {
    AdvisoryLock.IMPORT_QUOTA.hold(connection, merchantId);
    return number(connection, OPEN, merchantId) < mostOpen;
  }

  UploadRefused tooManyOpen(int merchantId) {
    return new UploadRefused(ErrorCode.IMPORTS_OPEN, merchantId, mostOpen);
  }

  UploadRefused tooManyBytes(int merchantId) {
    return new UploadRefused(ErrorCode.IMPORT_BYTES, merchantId, FileSize.shown(mostBytes));
  }

  private static long number(Connection connection, String sql, int merchantId)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setInt(1, merchantId);
      try (ResultSet row = statement.executeQuery()) {
        row.next();
        return row.getLong(1);
      }
    }
  }
}
