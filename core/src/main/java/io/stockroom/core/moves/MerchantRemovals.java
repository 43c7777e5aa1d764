package io.stockroom.core.moves;

import io.stockroom.core.audit.Actor;
import io.stockroom.core.audit.Audit;
import io.stockroom.core.database.Database;
import io.stockroom.core.database.Sql;
import io.stockroom.core.merchants.Merchants;
import java.sql.SQLException;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Removals of the data of closed merchants: asks for them, and shows how far they are. The people
 * and tokens of the merchant are gone at once; {@link RemovalRunner} removes the rest.
 */
public final class MerchantRemovals {
  private static final Sql FIND =
      Sql.of(
          """
          select removal_requested_at, removed_at from merchant
          where merchant_id = :merchantId and removal_requested_at is not null
          """);

  private static final Sql REQUEST =
      Sql.of(
          """
          update merchant set removal_requested_at = now()
          where merchant_id = :merchantId and closed_at is not null
            and removal_requested_at is null
          """);

  private static final Sql DELETE_PEOPLE =
      Sql.of("delete from person where merchant_id = :merchantId");

  private static final Sql DELETE_TOKENS =
      Sql.of("delete from access_token where merchant_id = :merchantId");

  private static final Sql END_VIEWS =
      Sql.of(
          """
          update session set viewed_merchant_id = null where viewed_merchant_id = :merchantId
          """);

  /**
   * A removal.
   *
   * @param removedAt when all data was gone; null while it is being removed
   */
  public record Removal(Instant requestedAt, @Nullable Instant removedAt) {}

  private final Database directory;
  private final Audit audit;

  public MerchantRemovals(Database directory, Audit audit) {
    this.directory = directory;
    this.audit = audit;
  }

  /** The removal of a merchant's data; null if none was requested. */
  public @Nullable Removal find(int merchantId) throws SQLException {
    return directory.<@Nullable Removal>read(
        connection ->
            FIND.on(connection)
                .set("merchantId", merchantId)
                .first(
                    row ->
                        new Removal(
                            Sql.instant(row, "removal_requested_at"),
                            Sql.instantOrNull(row, "removed_at"))));
  }

  /** Asks for the removal of a closed merchant's data. A second request changes nothing. */
  public void request(Merchants.Merchant merchant, Actor actor) throws SQLException {
    int merchantId = merchant.merchantId();
    directory.write(
        connection -> {
          int requested = REQUEST.on(connection).set("merchantId", merchantId).update();
          if (requested == 1) {
            END_VIEWS.on(connection).set("merchantId", merchantId).update();
            DELETE_TOKENS.on(connection).set("merchantId", merchantId).update();
            DELETE_PEOPLE.on(connection).set("merchantId", merchantId).update();
            audit.addFromDirectory(
                connection,
                merchantId,
                actor,
                "merchant.remove",
                merchant.storeUrl(),
                merchant.name());
          }
          return requested;
        });
  }
}
