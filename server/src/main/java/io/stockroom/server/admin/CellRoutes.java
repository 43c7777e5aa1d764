package io.stockroom.server.admin;

import static io.stockroom.server.admin.AdminResponse.fields;

import io.stockroom.core.call.Answer;
import io.stockroom.core.call.Rejection;
import io.stockroom.core.merchants.CellCheck;
import io.stockroom.core.merchants.CellDirectory;
import io.stockroom.core.moves.MoveText;
import java.io.IOException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
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
    String name = request.text(body, "name", true);
    String url = request.text(body, "databaseUrl", true);
    String user = request.text(body, "databaseUser", false);
    String password = request.text(body, "databasePassword", false);
    if (name == null || url == null || request.problems().any()) {
      return request.rejection();
    }
    try {
      cells.add(name, url, user, password, request.actor());
    } catch (CellDirectory.CellRejection rejection) {
      return Rejection.of("", rejection.code(), MoveText.of(rejection.argument()));
    }
    List<Map<String, @Nullable Object>> added = new ArrayList<>();
    for (CellDirectory.Shown cell : cells.all()) {
      if (cell.name().equals(name)) {
        added.add(shown(cell));
      }
    }
    return AdminResponse.created(added.getFirst());
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
