package io.stockroom.pictures;

import io.stockroom.core.database.Cells;
import io.stockroom.core.database.Database;
import io.stockroom.core.database.Sql;
import io.stockroom.pictures.PictureTable.Place;
import io.stockroom.pictures.PictureTable.Row;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Moves pictures to the store that the setting {@code pictures.store} names, some at a time, while
 * they are used. Their addresses stay.
 */
public final class PictureMove {
  private static final Logger log = LoggerFactory.getLogger(PictureMove.class);

  private static final int AT_ONCE = 50;

  /** After this time a step ends, so that its answer does not time out. */
  private static final Duration MAX_STEP = Duration.ofSeconds(5);

  /**
   * How far it is.
   *
   * @param to {@code database} or {@code s3}
   * @param moved by this step
   * @param missing pictures whose bytes are lost; they stay where they are
   * @param left how many are still elsewhere, with the missing ones
   */
  public record Step(String to, int moved, int missing, long left) {}

  private record Item(int merchantId, Row row) {}

  private static final Sql NEXT =
      Sql.of(
          """
          select merchant_id, %s from picture where place <> :place
          order by merchant_id, sha256 offset :skip limit :limit
          """
              .formatted(PictureTable.COLUMNS));

  private static final Sql COUNT = Sql.of("select count(*) from picture where place <> :place");

  private final Cells cells;
  private final PictureTable table;
  private final PictureContents contents;

  PictureMove(Cells cells, PictureTable table, PictureContents contents) {
    this.cells = cells;
    this.table = table;
    this.contents = contents;
  }

  /**
   * Moves some pictures.
   *
   * @param skip how many to leave, because their bytes are missing
   */
  public Step step(int skip) throws SQLException, IOException {
    Place to = contents.place();
    List<Item> next = new ArrayList<>();
    long[] left = {0};
    int[] skipped = {skip};
    cells.each(
        database -> {
          long here = count(database, to);
          left[0] += here;
          if (next.isEmpty()) {
            next.addAll(next(database, to, skipped[0]));
            skipped[0] = (int) Math.max(0, skipped[0] - here);
          }
        });
    int moved = 0;
    int missing = 0;
    long end = System.nanoTime() + MAX_STEP.toNanos();
    for (Item item : next) {
      if (moved + missing > 0 && System.nanoTime() > end) {
        break;
      }
      if (move(item, to)) {
        moved++;
      } else {
        missing++;
        log.warn("The bytes of picture {} are missing", item.row.sha256());
      }
    }
    return new Step(to.word(), moved, missing, left[0] - moved);
  }

  private static long count(Database database, Place to) throws SQLException {
    return database.read(
        connection -> COUNT.on(connection).set("place", to.word()).one(row -> row.getLong(1)));
  }

  private static List<Item> next(Database database, Place to, int skip) throws SQLException {
    return database.read(
        connection ->
            NEXT.on(connection)
                .set("place", to.word())
                .set("skip", skip)
                .set("limit", AT_ONCE)
                .list(row -> new Item(row.getInt("merchant_id"), Row.read(row))));
  }

  /** Writes the bytes at the new place, then says so, then deletes them at the old one. */
  private boolean move(Item item, Place to) throws SQLException, IOException {
    int merchantId = item.merchantId;
    Row row = item.row;
    Map<Integer, byte[]> bytes =
        to == Place.S3 ? table.contents(merchantId, row) : contents.all(merchantId, row);
    if (bytes == null || !bytes.containsKey(0)) {
      return false;
    }
    if (to == Place.S3) {
      contents.put(merchantId, row, bytes);
    }
    boolean isThere = table.move(merchantId, row, to, bytes);
    if (isThere && to == Place.DATABASE) {
      contents.delete(merchantId, row);
    }
    return true;
  }
}
