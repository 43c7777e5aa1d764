package io.stockroom.console.overview;

import io.stockroom.core.audit.Audit;
import io.stockroom.core.database.Cells;
import io.stockroom.core.database.Sql;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What is left to do on a new server, or for a new merchant. Every step is read from the data. */
public final class FirstSteps {
  /**
   * The newest entries of the server's own audit log that are searched for a backup. Who has made a
   * backup and done the rest never sees the checklist again.
   */
  private static final int AUDIT_ENTRIES = 5000;

  /**
   * One step.
   *
   * @param name selects its texts {@code first.NAME}
   * @param path the page where to do it
   */
  public record Step(String name, boolean done, String path) {}

  /**
   * The checklist.
   *
   * @param appid the newest application, for the first call; null if there is none
   */
  public record Checklist(List<Step> steps, @Nullable String appid) {
    public boolean isFinished() {
      return steps.stream().allMatch(Step::done);
    }

    public long getDone() {
      return steps.stream().filter(Step::done).count();
    }

    /** The first step that is not done; null if there is none. */
    public @Nullable String getNext() {
      return steps.stream().filter(step -> !step.done).map(Step::name).findFirst().orElse(null);
    }
  }

  private record Directory(
      boolean merchant, boolean token, boolean person, boolean call, @Nullable String appid) {}

  private static final Sql DIRECTORY =
      Sql.of(
          """
          select exists (select 1 from merchant) as merchant,
            exists (select 1 from access_token where revoked_at is null) as token,
            exists (select 1 from person where merchant_id is not null) as person,
            exists (select 1 from access_token where last_used_at is not null) as call,
            (select appid from application order by application_id desc limit 1) as appid
          """);

  private static final Sql BACKUP =
      Sql.of(
          """
          select 1 from (
            select action from audit where merchant_id = :merchantId
            order by number desc limit :limit
          ) newest
          where action = 'server.backup' limit 1
          """);

  private static final Sql CONNECTED =
      Sql.of(
          """
          select 1 from access_token
          where merchant_id = :merchantId and last_used_at is not null limit 1
          """);

  private static final Sql MERCHANT_DATA =
      Sql.of(
          """
          select
            exists (select 1 from product where merchant_id = :merchantId) as products,
            exists (select 1 from stock_entry where merchant_id = :merchantId) as stock,
            exists (select 1 from low_stock_threshold where merchant_id = :merchantId)
              or exists (select 1 from merchant_data
                where merchant_id = :merchantId and low_below <> :usual) as threshold
          """);

  /** What {@code merchant_data.low_below} is until somebody sets it. */
  private static final int USUAL_THRESHOLD = 5;

  private final Cells cells;

  public FirstSteps(Cells cells) {
    this.cells = cells;
  }

  /** From an empty server to the first call and the first backup. */
  public Checklist ofOperator() throws SQLException {
    Directory known =
        cells
            .directory()
            .read(
                connection ->
                    DIRECTORY
                        .on(connection)
                        .one(
                            row ->
                                new Directory(
                                    row.getBoolean("merchant"),
                                    row.getBoolean("token"),
                                    row.getBoolean("person"),
                                    row.getBoolean("call"),
                                    row.getString("appid"))));
    boolean backup =
        cells
            .of(Audit.SERVER)
            .read(
                connection ->
                    BACKUP
                        .on(connection)
                        .set("merchantId", Audit.SERVER)
                        .set("limit", AUDIT_ENTRIES)
                        .exists());
    String application =
        known.appid == null ? "/console/applications" : "/console/applications/" + known.appid;
    return new Checklist(
        List.of(
            new Step("merchant", known.merchant, "/console/merchants"),
            new Step("application", known.appid != null, "/console/applications"),
            new Step("token", known.token, application),
            new Step("person", known.person, "/console/people"),
            new Step("call", known.call, "/console/explorer"),
            new Step("backup", backup, "/docs/operators/backup.html")),
        known.appid);
  }

  /** From an empty merchant to stock that programs keep up to date. */
  public Checklist ofMerchant(int merchantId) throws SQLException {
    boolean connected =
        cells
            .directory()
            .read(connection -> CONNECTED.on(connection).set("merchantId", merchantId).exists());
    List<Step> steps =
        cells
            .of(merchantId)
            .read(
                connection ->
                    MERCHANT_DATA
                        .on(connection)
                        .set("merchantId", merchantId)
                        .set("usual", USUAL_THRESHOLD)
                        .one(
                            row ->
                                List.of(
                                    new Step(
                                        "products", row.getBoolean("products"), "/console/imports"),
                                    new Step(
                                        "stock",
                                        row.getBoolean("stock"),
                                        "/console/products?status=none-yet"),
                                    new Step("connect", connected, "/console/applications"),
                                    new Step(
                                        "threshold",
                                        row.getBoolean("threshold"),
                                        "/console/products"))));
    return new Checklist(steps, null);
  }
}
