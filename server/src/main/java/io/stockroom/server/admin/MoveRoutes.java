package io.stockroom.server.admin;

import static io.stockroom.server.admin.AdminResponse.fields;

import io.stockroom.core.call.Answer;
import io.stockroom.core.call.Rejection;
import io.stockroom.core.moves.MerchantMoves;
import io.stockroom.core.moves.Move;
import io.stockroom.core.moves.MoveRejection;
import java.io.IOException;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Routes for moves of merchants between cells. */
public final class MoveRoutes {
  private final MerchantMoves moves;

  public MoveRoutes(MerchantMoves moves) {
    this.moves = moves;
  }

  Answer list(AdminRequest request) throws SQLException {
    return AdminResponse.ok(fields("moves", moves.all().stream().map(MoveRoutes::shown).toList()));
  }

  /** The last move of the merchant. */
  Answer show(AdminRequest request) throws SQLException {
    try {
      return AdminResponse.ok(shown(moves.known(request.id("merchant"))));
    } catch (MoveRejection rejection) {
      return rejected(rejection);
    }
  }

  Answer request(AdminRequest request) throws SQLException, IOException {
    String to = request.text(request.body(), "to", true);
    if (to == null) {
      return request.rejection();
    }
    try {
      return AdminResponse.created(
          shown(moves.request(request.id("merchant"), to, request.actor())));
    } catch (MoveRejection rejection) {
      return rejected(rejection);
    }
  }

  Answer cancel(AdminRequest request) throws SQLException {
    try {
      moves.cancel(request.id("merchant"), request.actor());
      return show(request);
    } catch (MoveRejection rejection) {
      return rejected(rejection);
    }
  }

  Answer drain(AdminRequest request) throws SQLException, IOException {
    String to = request.text(request.optionalBody(), "to", false);
    if (request.problems().any()) {
      return request.rejection();
    }
    try {
      return AdminResponse.ok(
          fields("moves", moves.drain(request.part("cell"), to, request.actor())));
    } catch (MoveRejection rejection) {
      return rejected(rejection);
    }
  }

  Answer activate(AdminRequest request) throws SQLException {
    try {
      moves.activate(request.part("cell"), request.actor());
      return AdminResponse.ok(fields("state", "active"));
    } catch (MoveRejection rejection) {
      return rejected(rejection);
    }
  }

  private static Rejection rejected(MoveRejection rejection) {
    return new Rejection(List.of(rejection.problem()), 1);
  }

  private static Map<String, @Nullable Object> shown(Move move) {
    return fields(
        "merchantId",
        move.merchantId(),
        "from",
        move.from(),
        "to",
        move.to(),
        "phase",
        move.phase().text(),
        "message",
        move.message(),
        "rowsCopied",
        move.rowsCopied(),
        "rowsTotal",
        move.rowsTotal(),
        "pauseMillis",
        move.pauseMillis(),
        "createdAt",
        move.createdAt().toString(),
        "endedAt",
        move.endedAt() == null ? null : move.endedAt().toString());
  }
}
