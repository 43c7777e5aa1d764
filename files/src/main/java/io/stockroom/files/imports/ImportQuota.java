package io.stockroom.files.imports;

import io.stockroom.core.database.AdvisoryLock;
import io.stockroom.core.database.Cells;
import io.stockroom.core.database.Sql;
import io.stockroom.core.settings.FileSize;
import io.stockroom.protocol.ErrorCode;
import java.sql.Connection;
import java.sql.SQLException;

/** Limits the open imports and the stored bytes of each merchant. */
final class ImportQuota {
  /** A query for how many bytes {@code :merchantId} has stored. */
  static final String STORED_BYTES =
      """
      select coalesce(sum(octet_length(content)), 0) from import_piece
      where merchant_id = :merchantId
      """;

  private static final Sql STORED = Sql.of(STORED_BYTES);
  private static final Sql OPEN =
      Sql.of(
          """
          select count(*) from import
          where merchant_id = :merchantId
            and state in ('waiting', 'planning', 'planned', 'applying')
          """);

  private final Cells cells;
  private final int maxOpen;
  private final long maxBytes;

  ImportQuota(Cells cells, int maxOpen, long maxBytes) {
    this.cells = cells;
    this.maxOpen = maxOpen;
    this.maxBytes = maxBytes;
  }

  long maxBytes() {
    return maxBytes;
  }

  ImportUse use(int merchantId) throws SQLException {
    return cells
        .of(merchantId)
        .read(
            connection ->
                new ImportUse(
                    number(connection, OPEN, merchantId),
                    maxOpen,
                    number(connection, STORED, merchantId),
                    maxBytes));
  }

  /**
   * Rejects an upload that would exceed the quota, before any of it is read.
   *
   * @param bytes the size of the upload; negative if it is unknown
   */
  void check(int merchantId, long bytes) throws SQLException, JobRejection {
    ImportUse use = use(merchantId);
    if (use.open() >= maxOpen) {
      throw tooManyOpen(merchantId);
    }
    if (use.bytes() + Math.max(1, bytes) > maxBytes) {
      throw tooManyBytes(merchantId);
    }
  }

  /**
   * Whether the merchant may open one more import. Holds a lock until the transaction ends, so that
   * two uploads cannot both take the last slot.
   */
  boolean admits(Connection connection, int merchantId) throws SQLException {
    AdvisoryLock.IMPORT_QUOTA.hold(connection, merchantId);
    return number(connection, OPEN, merchantId) < maxOpen;
  }

  JobRejection tooManyOpen(int merchantId) {
    return new JobRejection(ErrorCode.IMPORTS_OPEN, merchantId, maxOpen);
  }

  JobRejection tooManyBytes(int merchantId) {
    return new JobRejection(ErrorCode.IMPORT_BYTES, merchantId, FileSize.shown(maxBytes));
  }

  private static long number(Connection connection, Sql count, int merchantId) throws SQLException {
    return count.on(connection).set("merchantId", merchantId).one(row -> row.getLong(1));
  }
}
