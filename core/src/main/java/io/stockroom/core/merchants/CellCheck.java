package io.stockroom.core.merchants;

import io.stockroom.core.database.Cells;
import io.stockroom.core.database.Sql;
import io.stockroom.core.database.SqlFailures;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
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
      Sql.of(
          """
          select merchant_id
          from merchant_data
          where merchant_id > 0
            and merchant_id not in (select merchant_id from absent_merchant)
          """);

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
  private record Ids(String word, Sql last, Sql move) {
    private static final List<Ids> ALL =
        List.of(
            of("merchant", "merchant_merchant_id_seq"),
            of("product", "product_id"),
            of("import", "import_id"));

    private static Ids of(String word, String sequence) {
      return new Ids(
          word,
          Sql.of("select case when is_called then last_value else 0 end from " + sequence),
          Sql.of("select setval('%1$s', greatest(:id, last_value)) from %1$s".formatted(sequence)));
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
    Map<Integer, Set<Integer>> places = new HashMap<>();
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
      Set<Integer> expected = places.getOrDefault(cell.id(), new TreeSet<>());
      try {
        compare(cell, expected, problems);
        compareIds(cell, repair, problems);
        merchants += expected.size();
      } catch (SQLException failure) {
        if (!SqlFailures.isUnavailable(failure)) {
          throw failure;
        }
        unreachable.add(cell.name());
      }
    }
    return new Result(problems, unreachable, merchants);
  }

  private static void compare(Cells.Cell cell, Set<Integer> expected, List<Problem> problems)
      throws SQLException {
    List<Integer> ids =
        cell.database()
            .read(connection -> WITH_DATA.on(connection).list(row -> row.getInt("merchant_id")));
    Set<Integer> found = new TreeSet<>(ids);
    Set<Integer> missing = new TreeSet<>(expected);
    missing.removeAll(found);
    found.removeAll(expected);
    add(problems, cell, "merchants-without-data", missing);
    add(problems, cell, "data-without-merchant", found);
  }

  private static void add(List<Problem> problems, Cells.Cell cell, String kind, Set<Integer> ids) {
    if (!ids.isEmpty()) {
      problems.add(
          new Problem(cell.name(), kind, ids.size(), ids.stream().limit(MAX_NAMED).toList()));
    }
  }

  private void compareIds(Cells.Cell cell, boolean repair, List<Problem> problems)
      throws SQLException {
    Map<String, Integer> highest = new HashMap<>();
    cell.database()
        .read(
            connection -> {
              HIGHEST
                  .on(connection)
                  .forEach(
                      row -> {
                        for (Ids ids : Ids.ALL) {
                          highest.put(ids.word, row.getInt(ids.word));
                        }
                      });
              return highest;
            });
    for (Ids ids : Ids.ALL) {
      int used = highest.getOrDefault(ids.word, 0);
      long last =
          cells.directory().read(connection -> ids.last.on(connection).one(row -> row.getLong(1)));
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
