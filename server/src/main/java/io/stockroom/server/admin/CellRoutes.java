package io.stockroom.server.admin;

import static io.stockroom.server.admin.AdminResponse.fields;

import io.stockroom.core.audit.Actor;
import io.stockroom.core.call.Answer;
import io.stockroom.core.call.Rejection;
import io.stockroom.core.merchants.CellCheck;
import io.stockroom.core.merchants.CellDirectory;
import io.stockroom.core.moves.MoveText;
import java.io.IOException;
import java.sql.SQLException;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Routes for the databases in which the data of merchants lives. */
public final class CellRoutes {
  private final CellDirectory cells;
  private final CellCheck check;

  public CellRoutes(CellDirectory cells, CellCheck check) {
    this.cells = cells;
    this.check = check;
  }

  /** Compares the directory with the cells; {@code repair=true} also moves the sequences of ids. */
  Answer check(AdminRequest request) throws SQLException {
    boolean repair = request.flag("repair", false);
    if (request.problems().any()) {
      return request.rejection();
    }
    CellCheck.Result result = check.run(repair);
    return AdminResponse.ok(
        fields(
            "merchants",
            result.merchants(),
            "problems",
            result.problems().stream()
                .map(
                    each ->
                        fields(
                            "cell",
                            each.cell(),
                            "kind",
                            each.kind(),
                            "count",
                            each.count(),
                            "ids",
                            each.ids()))
                .toList(),
            "unreachable",
            result.unreachable(),
            "repaired",
            repair));
  }

  Answer list(AdminRequest request) throws SQLException {
    return AdminResponse.ok(fields("cells", cells.all().stream().map(CellRoutes::shown).toList()));
  }

  Answer add(AdminRequest request) throws SQLException, IOException {
    JsonNode body = request.body();
    return put(request, body, request.text(body, "name", true), cells::add, AdminResponse::created);
  }

  Answer update(AdminRequest request) throws SQLException, IOException {
    return put(request, request.body(), request.part("cell"), cells::update, AdminResponse::ok);
  }

  Answer remove(AdminRequest request) throws SQLException {
    try {
      cells.remove(request.part("cell"), request.actor());
      return AdminResponse.ok(fields("removed", request.part("cell")));
    } catch (CellDirectory.CellRejection rejection) {
      return Rejection.of("", rejection.code(), MoveText.of(rejection.argument()));
    }
  }

  /** Stores the address of a cell. */
  private interface Change {
    void make(
        String name, String url, @Nullable String user, @Nullable String password, Actor actor)
        throws SQLException, CellDirectory.CellRejection;
  }

  private Answer put(
      AdminRequest request,
      JsonNode body,
      @Nullable String name,
      Change change,
      Function<Map<String, @Nullable Object>, Answer> answer)
      throws SQLException {
    String url = request.text(body, "databaseUrl", true);
    String user = request.text(body, "databaseUser", false);
    String password = request.text(body, "databasePassword", false);
    if (name == null || url == null || request.problems().any()) {
      return request.rejection();
    }
    try {
      change.make(name, url, user, password, request.actor());
    } catch (CellDirectory.CellRejection rejection) {
      return Rejection.of("", rejection.code(), MoveText.of(rejection.argument()));
    }
    return cells.all().stream()
        .filter(cell -> cell.name().equals(name))
        .findFirst()
        .map(CellRoutes::shown)
        .map(answer)
        .orElseThrow();
  }

  private static Map<String, @Nullable Object> shown(CellDirectory.Shown cell) {
    CellDirectory.State state = cell.state();
    return fields(
        "name",
        cell.name(),
        "databaseUrl",
        cell.url(),
        "state",
        state == null ? "unreachable" : cell.isDraining() ? "draining" : "active",
        "merchants",
        cell.merchants(),
        "bytes",
        state == null ? null : state.bytes(),
        "connections",
        state == null ? null : state.connections(),
        "load",
        state == null ? null : state.load(),
        "lagBytes",
        state == null ? null : state.lagBytes(),
        "schemaVersion",
        state == null ? null : state.schemaVersion(),
        "trouble",
        cell.trouble());
  }
}
