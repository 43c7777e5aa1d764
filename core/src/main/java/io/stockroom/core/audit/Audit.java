package io.stockroom.core.audit;

import io.stockroom.core.database.AbsentMerchants;
import io.stockroom.core.database.Cells;
import io.stockroom.core.database.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Writes and verifies the audit log. Each merchant has a hash chain of its own, and the server has
 * chain 0: a row's hash covers the row and the hash before it, so a row that is changed, inserted
 * or removed later breaks the chain from there on.
 */
public final class Audit {
  /** The chain of changes that concern no single merchant. */
  public static final int SERVER = 0;

  private static final int PAGE = 50;

  /** What a row's hash covers beside the hash before it; the separator occurs in no field. */
  static final String TEXT =
      """
      convert_to(concat_ws(chr(31), merchant_id, number, (extract(epoch from at) * 1000000)::bigint,
        actor, action, subject, details, address, first_change, last_change), 'UTF8')
      """;

  public record Entry(
      int merchantId,
      long number,
      Instant at,
      String actor,
      String action,
      String subject,
      String details,
      String address,
      String hash) {}

  public record Page(int page, int totalPages, List<Entry> entries) {}

  /**
   * Whether every chain is whole; where one is not, the first row that does not fit.
   *
   * @param archived where chains begin whose older entries are in archives
   */
  public record Verdict(
      long entries,
      int chains,
      String head,
      List<AuditArchive.End> archived,
      @Nullable Integer merchantId,
      @Nullable Long number) {
    public boolean intact() {
      return merchantId == null;
    }

    /** One for all cells; their heads are joined in the order of the cells. */
    static Verdict of(List<Verdict> ofCells) {
      Verdict first =
          ofCells.stream().filter(each -> !each.intact()).findFirst().orElse(ofCells.getFirst());
      return new Verdict(
          ofCells.stream().mapToLong(Verdict::entries).sum(),
          ofCells.stream().mapToInt(Verdict::chains).sum(),
          ofCells.stream().map(Verdict::head).collect(Collectors.joining("+")),
          ofCells.stream().flatMap(each -> each.archived.stream()).toList(),
          first.merchantId,
          first.number);
    }
  }

  /**
   * Table expressions that append an entry: {@code entry} is what they write. They need a table
   * expression {@code counted (changes)}, the number of changes that the statement records beside
   * the entry, and a head for the merchant, which they lock until the transaction ends.
   */
  public static final String APPEND =
      """
      head as (
        select * from log_head where merchant_id = :merchantId for no key update
      ), fresh as materialized (
        select head.merchant_id, head.number + 1 as number,
          greatest(head.at, clock_timestamp()) as at, :actor::text as actor,
          :action::text as action, :subject::text as subject, :details::text as details,
          :address::text as address,
          case when counted.changes > 0 then head.last_change + 1 end as first_change,
          case when counted.changes > 0 then head.last_change + counted.changes end as last_change,
          head.hash as hash_before
        from head cross join counted
      ), entry as materialized (
        select fresh.*, sha256(hash_before || %s) as hash from fresh
      ), moved as (
        update log_head h
        set number = e.number, at = e.at, hash = e.hash,
          last_change = coalesce(e.last_change, h.last_change)
        from entry e where h.merchant_id = e.merchant_id
      ), added as (
        insert into audit (merchant_id, number, at, actor, action, subject, details, address,
          first_change, last_change, hash)
        select merchant_id, number, at, actor, action, subject, details, address, first_change,
          last_change, hash
        from entry
      )
      """
          .formatted(TEXT);

  private static final Sql ADD =
      Sql.of("with counted as (select 0 as changes), " + APPEND + "select number from entry");

  private static final Sql ADD_LATER =
      Sql.of(
          "with counted as (select 0 as changes), "
              + APPEND.replace("clock_timestamp()", ":at::timestamptz")
              + "select number from entry");

  private static final Sql CREATE_HEAD =
      Sql.of("insert into log_head (merchant_id) values (:merchantId) on conflict do nothing");

  private static final Sql PAGE_OF_ENTRIES =
      Sql.of(
          """
          select a.merchant_id, a.number, a.at, a.actor, a.action, a.subject, a.details,
                 a.address, a.hash, t.total
          from (
            select coalesce(sum(number - archived_number), 0) as total from log_head
            where (:merchantId::int is null and %1$s) or merchant_id = :merchantId
          ) t
          left join (
            select * from audit
            where (:merchantId::int is null and %1$s) or merchant_id = :merchantId
            order by at desc, merchant_id, number desc
            limit :limit offset :offset
          ) a on true
          order by a.at desc, a.merchant_id, a.number desc
          """
              .formatted(AbsentMerchants.PRESENT));

  private final Cells cells;
  private final AuditOutbox outbox;

  public Audit(Cells cells) {
    this.cells = cells;
    this.outbox = new AuditOutbox(cells, this);
  }

  /**
   * Adds a row within the caller's transaction. Call it last: it holds the chain's head until the
   * transaction ends.
   */
  public void add(
      Connection connection,
      int merchantId,
      Actor actor,
      String action,
      String subject,
      String details)
      throws SQLException {
    if (!append(connection, merchantId, actor, action, subject, details)) {
      CREATE_HEAD.on(connection).set("merchantId", merchantId).update();
      append(connection, merchantId, actor, action, subject, details);
    }
  }

  /**
   * Adds a row within the caller's transaction in the directory. If the merchant's data is in
   * another database, the row is kept in the directory, and appended after the commit.
   */
  public void addFromDirectory(
      Connection connection,
      int merchantId,
      Actor actor,
      String action,
      String subject,
      String details)
      throws SQLException {
    if (cells.isSingle()) {
      add(connection, merchantId, actor, action, subject, details);
    } else {
      outbox.add(connection, merchantId, actor, action, subject, details);
    }
  }

  /** Appends what could not be appended before, because a cell was down or a node failed. */
  public void deliver() throws SQLException {
    outbox.deliverAll();
  }

  /** How long the oldest entry has waited that is not appended yet, as of a few seconds ago. */
  public Duration queueAge(Instant now) {
    return outbox.age(now);
  }

  /** Deletes the ids of entries that were appended and deleted from the directory long ago. */
  public void forgetReceipts() throws SQLException {
    outbox.forgetOld();
  }

  /** As {@link #add}, with the time of something that the directory told before. */
  void add(
      Connection connection,
      int merchantId,
      Instant at,
      Actor actor,
      String action,
      String subject,
      String details)
      throws SQLException {
    CREATE_HEAD.on(connection).set("merchantId", merchantId).update();
    ADD_LATER
        .on(connection)
        .set("merchantId", merchantId)
        .set("at", at)
        .set("actor", actor.name())
        .set("action", action)
        .set("subject", subject)
        .set("details", details)
        .set("address", actor.address())
        .exists();
  }

  /** Returns whether the chain has a head. */
  private static boolean append(
      Connection connection,
      int merchantId,
      Actor actor,
      String action,
      String subject,
      String details)
      throws SQLException {
    return ADD.on(connection)
        .set("merchantId", merchantId)
        .set("actor", actor.name())
        .set("action", action)
        .set("subject", subject)
        .set("details", details)
        .set("address", actor.address())
        .exists();
  }

  /** Adds a row about something that changes nothing in the database, in its own transaction. */
  public void note(int merchantId, Actor actor, String action, String subject, String details)
      throws SQLException {
    cells
        .of(merchantId)
        .write(
            connection -> {
              add(connection, merchantId, actor, action, subject, details);
              return merchantId;
            });
  }

  /** As {@link #note}, also while the merchant's cell is down: then the directory keeps the row. */
  public void noteFromDirectory(
      int merchantId, Actor actor, String action, String subject, String details)
      throws SQLException {
    cells
        .directory()
        .write(
            connection -> {
              addFromDirectory(connection, merchantId, actor, action, subject, details);
              return merchantId;
            });
  }

  /** A page of the audit log, newest first; of one chain if {@code merchantId} is given. */
  public Page page(@Nullable Integer merchantId, int page) throws SQLException {
    if (merchantId != null) {
      return cells.of(merchantId).read(connection -> page(connection, merchantId, page));
    }
    if (cells.all().size() == 1) {
      return cells.of(SERVER).read(connection -> page(connection, null, page));
    }
    List<Entry> newest = new ArrayList<>();
    long total = 0;
    for (Page each : cells.list(connection -> List.of(upTo(connection, page)))) {
      newest.addAll(each.entries);
      total += each.totalPages;
    }
    newest.sort(
        Comparator.comparing(Entry::at)
            .reversed()
            .thenComparingInt(Entry::merchantId)
            .thenComparing(Comparator.comparingLong(Entry::number).reversed()));
    return new Page(
        page,
        (int) Math.ceilDiv(total, (long) PAGE),
        newest.stream().skip((page - 1L) * PAGE).limit(PAGE).toList());
  }

  /** All entries of a cell up to that page; instead of the pages it counts the entries. */
  private static Page upTo(Connection connection, int page) throws SQLException {
    return page(connection, null, 1, page * PAGE, 0);
  }

  private static Page page(Connection connection, @Nullable Integer merchantId, int page)
      throws SQLException {
    Page found = page(connection, merchantId, page, PAGE, (page - 1L) * PAGE);
    return new Page(page, Math.ceilDiv(found.totalPages, PAGE), found.entries);
  }

  private static Page page(
      Connection connection, @Nullable Integer merchantId, int page, int limit, long offset)
      throws SQLException {
    List<Entry> entries = new ArrayList<>();
    AtomicLong total = new AtomicLong();
    PAGE_OF_ENTRIES
        .on(connection)
        .set("merchantId", merchantId)
        .set("limit", limit)
        .set("offset", offset)
        .forEach(
            row -> {
              total.set(row.getLong("total"));
              if (row.getObject("number") != null) {
                entries.add(AuditSearch.entry(row));
              }
            });
    return new Page(page, (int) total.get(), entries);
  }

  /** Walks every chain from its beginning, and compares its end with the stored head. */
  public Verdict verify() throws SQLException {
    List<Verdict> verdicts = new ArrayList<>();
    for (Cells.Cell cell : cells.all()) {
      verdicts.add(
          cell.database()
              .write(
                  connection -> {
                    AuditChains.beginSnapshot(connection);
                    return AuditChains.verify(connection, (_, _) -> {});
                  }));
    }
    return Verdict.of(verdicts);
  }
}
