package io.stockroom.core.merchants;

import io.stockroom.core.audit.Actor;
import io.stockroom.core.audit.Audit;
import io.stockroom.core.database.Database;
import io.stockroom.core.database.Sql;
import io.stockroom.core.webhooks.Webhook;
import io.stockroom.core.webhooks.Webhooks;
import java.sql.SQLException;

/** Renames, suspends, resumes and closes merchants. Every node applies it within a second. */
public final class MerchantLifecycle {
  public static final int REASON_CHARACTERS = 200;

  private static final Sql RENAME =
      Sql.of(
          """
          update merchant set name = :name where merchant_id = :merchantId and closed_at is null
          """);

  private static final Sql SUSPEND =
      Sql.of(
          """
          update merchant
          set suspended_at = coalesce(suspended_at, now()), suspension_reason = :reason
          where merchant_id = :merchantId and closed_at is null
          """);

  private static final Sql RESUME =
      Sql.of(
          """
          update merchant set suspended_at = null, suspension_reason = ''
          where merchant_id = :merchantId and closed_at is null
          """);

  private static final Sql CLOSE =
      Sql.of(
          """
          with closed as (
            update merchant set closed_at = now()
            where merchant_id = :merchantId and closed_at is null
            returning merchant_id
          )
          update access_token t set revoked_at = now()
          from closed c where t.merchant_id = c.merchant_id and t.revoked_at is null
          """);

  private final Database database;
  private final Audit audit;
  private final Webhooks webhooks;

  public MerchantLifecycle(Database database, Audit audit, Webhooks webhooks) {
    this.database = database;
    this.audit = audit;
    this.webhooks = webhooks;
  }

  /** Changes the merchant's name; the names of its store stay, because products show them. */
  public void rename(Merchants.Merchant merchant, String name, Actor actor) throws SQLException {
    if (merchant.name().equals(name)) {
      return;
    }
    String details = merchant.name() + " → " + name;
    write(
        merchant,
        actor,
        "merchant.rename",
        details,
        connection -> RENAME.on(connection).set("name", name));
  }

  /** Rejects every call for the merchant until it is resumed; or changes the reason. */
  public void suspend(Merchants.Merchant merchant, String reason, Actor actor) throws SQLException {
    if (merchant.status().isSuspended() && merchant.status().reason().equals(reason)) {
      return;
    }
    write(
        merchant,
        actor,
        "merchant.suspend",
        reason,
        connection -> SUSPEND.on(connection).set("reason", reason));
  }

  public void resume(Merchants.Merchant merchant, Actor actor) throws SQLException {
    if (merchant.status().isSuspended()) {
      write(merchant, actor, "merchant.resume", "", RESUME::on);
    }
  }

  /** Closes the merchant for good: revokes its tokens and disables its webhooks. Its data stays. */
  public void close(Merchants.Merchant merchant, Actor actor) throws SQLException {
    if (merchant.status().isClosed()) {
      return;
    }
    write(merchant, actor, "merchant.close", merchant.name(), CLOSE::on);
    for (Webhook webhook : webhooks.list(merchant.merchantId())) {
      if (webhook.state() != Webhook.State.DISABLED) {
        var _ = webhooks.disable(merchant.merchantId(), webhook.id(), actor);
      }
    }
  }

  private void write(
      Merchants.Merchant merchant,
      Actor actor,
      String action,
      String details,
      Database.Work<Sql.Call> change)
      throws SQLException {
    int merchantId = merchant.merchantId();
    database.write(
        connection -> {
          change.run(connection).set("merchantId", merchantId).update();
          audit.addFromDirectory(
              connection, merchantId, actor, action, merchant.storeUrl(), details);
          return merchantId;
        });
  }
}
