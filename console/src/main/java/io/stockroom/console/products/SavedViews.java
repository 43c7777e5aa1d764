package io.stockroom.console.products;

import io.stockroom.core.database.Database;
import io.stockroom.core.database.Sql;
import java.sql.SQLException;
import java.util.List;

/** The views of the product list that a person saved by name. */
public final class SavedViews {
  static final int MAX_NAME = 40;
  private static final int MAX_VIEWS = 20;

  /**
   * One view.
   *
   * @param query of its address, without the question mark
   */
  public record SavedView(String name, String query) {}

  private static final Sql LIST =
      Sql.of(
          """
          select name, query from saved_view where person_id = :personId
          order by lower(name), name
          """);

  private static final Sql SAVE =
      Sql.of(
          """
          insert into saved_view (person_id, name, query)
          select :personId, :name, :query
          where (select count(*) from saved_view
                 where person_id = :personId and name <> :name) < :max
          on conflict (person_id, name) do update set query = excluded.query
          """);

  private static final Sql DELETE =
      Sql.of("delete from saved_view where person_id = :personId and name = :name");

  private final Database database;

  public SavedViews(Database database) {
    this.database = database;
  }

  List<SavedView> of(int personId) throws SQLException {
    return database.read(
        connection ->
            LIST.on(connection)
                .set("personId", personId)
                .list(row -> new SavedView(row.getString("name"), row.getString("query"))));
  }

  /** Saves a view, instead of the one with the same name; false if there are too many. */
  boolean save(int personId, String name, String query) throws SQLException {
    return database.write(
        connection ->
            SAVE.on(connection)
                    .set("personId", personId)
                    .set("name", name)
                    .set("query", query)
                    .set("max", MAX_VIEWS)
                    .update()
                > 0);
  }

  void delete(int personId, String name) throws SQLException {
    database.write(
        connection -> DELETE.on(connection).set("personId", personId).set("name", name).update());
  }
}
