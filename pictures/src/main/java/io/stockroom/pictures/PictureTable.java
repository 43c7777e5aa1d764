package io.stockroom.pictures;

import io.stockroom.core.database.Cells;
import io.stockroom.core.database.Sql;
import io.stockroom.core.limits.Usage;
import io.stockroom.core.settings.FileSize;
import io.stockroom.protocol.ErrorCode;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The table of the pictures of each merchant, and the bytes of those that lie in the database. */
final class PictureTable {
  /** Where the bytes of a picture lie. */
  enum Place {
    DATABASE("database"),
    S3("s3");

    private final String word;

    Place(String word) {
      this.word = word;
    }

    String word() {
      return word;
    }

    static Place of(String word) {
      return word.equals(S3.word) ? S3 : DATABASE;
    }
  }

  /**
   * A stored picture.
   *
   * @param thumbnails their sizes
   */
  record Row(
      String sha256,
      PictureType type,
      int width,
      int height,
      List<Integer> thumbnails,
      Place place) {
    /** The size whose bytes are shown if {@code wanted} is asked for. */
    int shown(int wanted) {
      return thumbnails.contains(wanted) ? wanted : 0;
    }

    static Row read(ResultSet row) throws SQLException {
      return new Row(
          HexFormat.of().formatHex(row.getBytes("sha256")),
          PictureType.ofWord(row.getString("type")),
          row.getInt("width"),
          row.getInt("height"),
          List.of((Integer[]) row.getArray("thumbnails_int").getArray()),
          Place.of(row.getString("place")));
    }
  }

  /** A picture with the bytes that were asked for; null if they lie elsewhere. */
  record Found(Row row, byte @Nullable [] content) {}

  static final String COLUMNS =
      "sha256, type, width, height, thumbnails::int[] as thumbnails_int, place";

  /** Also tells whether the row is new. A picture that is sent again counts as just stored. */
  private static final Sql INSERT =
      Sql.of(
          """
          insert into picture (merchant_id, sha256, type, width, height, thumbnails, bytes, place)
          values (:merchantId, :sha256, :type, :width, :height, :thumbnails, :bytes, :place)
          on conflict (merchant_id, sha256) do update
            set unused_since = case when picture.unused_since is not null then now() end
          returning xmax = 0 as is_new
          """);

  private static final Sql COUNT =
      Sql.of(
          """
          insert into picture_usage as u (merchant_id, pictures, bytes)
          values (:merchantId, 1, :bytes)
          on conflict (merchant_id) do update
            set pictures = u.pictures + 1, bytes = u.bytes + excluded.bytes
          returning bytes
          """);

  private static final Sql INSERT_CONTENT =
      Sql.of(
          """
          insert into picture_content (merchant_id, sha256, size, content)
          values (:merchantId, :sha256, :size, :content)
          """);

  private static final Sql FIND =
      Sql.of(
          """
          select %s from picture where merchant_id = :merchantId and sha256 = :sha256
          """
              .formatted(COLUMNS));

  private static final Sql OPEN =
      Sql.of(
          """
          select p.*, thumbnails::int[] as thumbnails_int, c.content
          from picture p left join picture_content c on c.merchant_id = p.merchant_id
            and c.sha256 = p.sha256
            and c.size = case when :size = any (p.thumbnails) then :size else 0 end
          where p.merchant_id = :merchantId and p.sha256 = :sha256
          """);

  private static final Sql TOUCH =
      Sql.of(
          """
          update picture set unused_since = now()
          where merchant_id = :merchantId and sha256 = :sha256 and unused_since is not null
          """);

  private final Cells cells;
  private final long quota;

  PictureTable(Cells cells, long quota) {
    this.cells = cells;
    this.quota = quota;
  }

  /** The picture, if it is stored; it then counts as just stored. */
  @Nullable Row touch(int merchantId, String sha256) throws SQLException {
    if (find(merchantId, sha256) == null) {
      return null;
    }
    cells
        .of(merchantId)
        .write(connection -> keyed(TOUCH.on(connection), merchantId, sha256).update());
    // it may have been deleted before
    return find(merchantId, sha256);
  }

  @Nullable Row find(int merchantId, String sha256) throws SQLException {
    return cells
        .of(merchantId)
        .<@Nullable Row>read(
            connection -> keyed(FIND.on(connection), merchantId, sha256).first(Row::read));
  }

  @Nullable Found open(int merchantId, String sha256, int size) throws SQLException {
    return cells
        .of(merchantId)
        .<@Nullable Found>read(
            connection ->
                keyed(OPEN.on(connection), merchantId, sha256)
                    .set("size", size)
                    .first(row -> new Found(Row.read(row), row.getBytes("content"))));
  }

  /** Rolls back a transaction whose picture exceeds the quota. */
  private static final class OverQuota extends RuntimeException {
    private static final long serialVersionUID = 1;
  }

  /**
   * Stores a picture, and its bytes if they belong into the database.
   *
   * @param contents the bytes of each size
   * @return whether it is new
   */
  boolean insert(int merchantId, Row row, Map<Integer, byte[]> contents)
      throws SQLException, PictureRejection {
    try {
      return cells
          .of(merchantId)
          .write(connection -> insert(connection, merchantId, row, contents));
    } catch (OverQuota tooMuch) {
      throw new PictureRejection(ErrorCode.PICTURE_QUOTA, merchantId, FileSize.shown(quota));
    }
  }

  private boolean insert(
      Connection connection, int merchantId, Row row, Map<Integer, byte[]> contents)
      throws SQLException {
    long bytes = contents.values().stream().mapToLong(content -> content.length).sum();
    boolean isNew =
        keyed(INSERT.on(connection), merchantId, row.sha256)
            .set("type", row.type.word())
            .set("width", row.width)
            .set("height", row.height)
            .set("thumbnails", row.thumbnails.toArray(Integer[]::new))
            .set("bytes", bytes)
            .set("place", row.place.word())
            .one(found -> found.getBoolean("is_new"));
    if (!isNew) {
      return false;
    }
    long stored =
        COUNT
            .on(connection)
            .set("merchantId", merchantId)
            .set("bytes", bytes)
            .one(found -> found.getLong("bytes"));
    if (stored > quota) {
      throw new OverQuota();
    }
    if (row.place == Place.DATABASE) {
      insertContents(connection, merchantId, row.sha256, contents);
    }
    return true;
  }

  static void insertContents(
      Connection connection, int merchantId, String sha256, Map<Integer, byte[]> contents)
      throws SQLException {
    for (Map.Entry<Integer, byte[]> content : contents.entrySet()) {
      keyed(INSERT_CONTENT.on(connection), merchantId, sha256)
          .set("size", content.getKey())
          .set("content", content.getValue())
          .update();
    }
  }

  private static final Sql CONTENTS =
      Sql.of(
          """
          select size, content from picture_content
          where merchant_id = :merchantId and sha256 = :sha256
          """);

  private static final Sql MOVE =
      Sql.of(
          """
          update picture set place = :to
          where merchant_id = :merchantId and sha256 = :sha256 and place = :from
          """);

  private static final Sql DELETE_CONTENTS =
      Sql.of("delete from picture_content where merchant_id = :merchantId and sha256 = :sha256");

  /** The bytes of every size that lie in the database. */
  Map<Integer, byte[]> contents(int merchantId, Row row) throws SQLException {
    Map<Integer, byte[]> contents = new LinkedHashMap<>();
    cells
        .of(merchantId)
        .read(
            connection -> {
              keyed(CONTENTS.on(connection), merchantId, row.sha256)
                  .forEach(found -> contents.put(found.getInt("size"), found.getBytes("content")));
              return contents;
            });
    return contents;
  }

  /** Says where a picture lies from now on; false if it was moved or deleted meanwhile. */
  boolean move(int merchantId, Row row, Place to, Map<Integer, byte[]> contents)
      throws SQLException {
    return cells
        .of(merchantId)
        .write(
            connection -> {
              int moved =
                  keyed(MOVE.on(connection), merchantId, row.sha256)
                      .set("to", to.word())
                      .set("from", row.place.word())
                      .update();
              if (moved == 0) {
                return false;
              }
              if (to == Place.DATABASE) {
                insertContents(connection, merchantId, row.sha256, contents);
              } else {
                keyed(DELETE_CONTENTS.on(connection), merchantId, row.sha256).update();
              }
              return true;
            });
  }

  /** How much a merchant has stored. */
  Usage.Line usage(int merchantId) throws SQLException {
    Long used =
        cells
            .of(merchantId)
            .<@Nullable Long>read(
                connection ->
                    USED.on(connection)
                        .set("merchantId", merchantId)
                        .<Long>first(row -> row.getLong("bytes")));
    long bytes = used == null ? 0 : used;
    return new Usage.Line(
        "pictures-bytes",
        null,
        quota,
        bytes,
        Math.max(0, quota - bytes),
        null,
        "%s of %s of pictures are stored".formatted(FileSize.shown(bytes), FileSize.shown(quota)));
  }

  private static final Sql USED =
      Sql.of("select bytes from picture_usage where merchant_id = :merchantId");

  private static Sql.Call keyed(Sql.Call call, int merchantId, String sha256) {
    return call.set("merchantId", merchantId).set("sha256", HexFormat.of().parseHex(sha256));
  }
}
