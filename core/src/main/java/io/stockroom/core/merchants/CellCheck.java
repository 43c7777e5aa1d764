package io.stockroom.core.merchants;

import io.stockroom.core.database.Cells;
import io.stockroom.core.database.Database;
import io.stockroom.core.database.Sql;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Compares the directory with the cells. They agree unless one of them was restored to another time
 * than the others.
 */
public final class CellCheck {
  /** How many ids a problem names. */
  private static final int MAX_NAMED = 20;

  private static final Sql PLACES = Sql.of("select merchant_id, cell_id from merchant");

  private static final Sql WITH_DATA =
      Sql.of("select merchant_id from merchant_data where merchant_id > 0");

  private static final Sql HIGHEST =
      Sql.of(
          """
          select
            (select coalesce(max(merchant_id), 0) from merchant_data) as merchant,
            greatest(
              (select coalesce(max(product_id), 0) from product),
              (select coalesce(max(product_id), 0) from archived_product)) as product,
            (select coalesce(max(import_id), 0) from import) as import
          """);

  /** A sequence of the directory, and the column of {@link #HIGHEST} with its ids in a cell. */
  private enum Ids {
    MERCHANT("merchant", "merchant_merchant_id_seq"),
    PRODUCT("product", "product_id"),
    IMPORT("import", "import_id");

    private final String word;
    private final Sql last;
    private final Sql move;

    Ids(String word, String sequence) {
      this.word = word;
      this.last =
          Sql.of("select case when is_called then last_value else 0 end from " + sequence);
      this.move =
          Sql.of(
              "select setval('%1$s', greatest(:id, last_value)) from %1$s".formatted(sequence));
    }
  }

  /** Something that the directory and a cell disagree about. */
  public record Problem(String cell, String kind, int count, List<Integer> ids) {}

  /**
   * What the check found.
   *
   * @param unreachable the cells that were not checked
   * @param merchants how many merchants were compared
   */
  public record Result(List<Problem> problems, List<String> unreachable, int merchants) {}

  private final Cells cells;

  public CellCheck(Cells cells) {
    this.cells = cells;
  }

  /**
   * Checks every cell.
   *
   * @param repair moves the directory's sequences beyond every id in the cells, so that no id is
   *     given out twice; nothing else is changed
   */
  public Result run(boolean repair) throws SQLException {
    Map<Integer, TreeSet<Integer>> places = new HashMap<>();
    cells
        .directory()
        .read(
            connection -> {
              places.clear();
              PLACES
                  .on(connection)
                  .forEach(
                      row ->
                          places
                              .computeIfAbsent(row.getInt("cell_id"), _ -> new TreeSet<>())
                              .add(row.getInt("merchant_id")));
              return places;
            });
    List<Problem> problems = new ArrayList<>();
    List<String> unreachable = new ArrayList<>(cells.unusable().keySet());
    int merchants = 0;
    for (Cells.Cell cell : cells.all()) {
      TreeSet<Integer> expected = places.getOrDefault(cell.id(), new TreeSet<>());
      try {
        compare(cell, expected, problems);
        compareIds(cell, repair, problems);
        merchants += expected.size();
      } catch (SQLException failure) {
        if (!Database.isUnavailable(failure)) {
          throw failure;
        }
        unreachable.add(cell.name());
      }
    }
    return new Result(problems, unreachable, merchants);
  }

  private static void compare(Cells.Cell cell, TreeSet<Integer> expected, List<Problem> problems)
      throws SQLException {
    List<Integer> ids =
        cell.database()
            .read(connection -> WITH_DATA.on(connection).list(row -> row.getInt("merchant_id")));
    TreeSet<Integer> found = new TreeSet<>(ids);
    TreeSet<Integer> missing = new TreeSet<>(expected);
    missing.removeAll(found);
    found.removeAll(expected);
    add(problems, cell, "merchants-without-data", missing);
    add(problems, cell, "data-without-merchant", found);
  }

  private static void add(
      List<Problem> problems, Cells.Cell cell, String kind, TreeSet<Integer> ids) {
    if (!ids.isEmpty()) {
      problems.add(
          new Problem(
              cell.name(), kind, ids.size(), ids.stream().limit(MAX_NAMED).toList()));
    }
  }

  private void compareIds(Cells.Cell cell, boolean repair, List<Problem> problems)
      throws SQLException {
    Map<Ids, Integer> highest =
        cell.database()
            .read(
                connection ->
                    HIGHEST
                        .on(connection)
                        .one(
                            row -> {
                              Map<Ids, Integer> ids = new TreeMap<>();
                              for (Ids each : Ids.values()) {
                                ids.put(each, row.getInt(each.word));
                              }
                              return ids;
                            }));
    for (Map.Entry<Ids, Integer> each : highest.entrySet()) {
      Ids ids = each.getKey();
      int used = each.getValue();
      long last =
          cells
              .directory()
              .read(connection -> ids.last.on(connection).one(row -> row.getLong(1)));
      if (last >= used) {
        continue;
      }
      problems.add(new Problem(cell.name(), ids.word + "-ids-ahead", 1, List.of(used)));
      if (repair) {
        cells
            .directory()
            .write(
                connection -> ids.move.on(connection).set("id", used).one(row -> row.getLong(1)));
      }
    }
  }
}
