package io.stockroom.server.admin;

import static io.stockroom.server.admin.AdminResponse.fields;

import io.stockroom.core.audit.Audit;
import io.stockroom.core.call.Answer;
import io.stockroom.core.call.Rejection;
import io.stockroom.pictures.PictureMove;
import io.stockroom.pictures.PictureMove.Step;
import io.stockroom.pictures.StoreUnavailable;
import io.stockroom.protocol.ErrorCode;
import java.io.IOException;
import java.sql.SQLException;
import tools.jackson.databind.JsonNode;

/** The route that moves pictures to another store. */
public final class PictureRoutes {
  private static final int RETRY_SECONDS = 5;

  private final PictureMove move;
  private final Audit audit;

  public PictureRoutes(PictureMove move, Audit audit) {
    this.move = move;
    this.audit = audit;
  }

  /**
   * Moves some pictures to the store of the settings; the command repeats it until none is left.
   */
  Answer move(AdminRequest request) throws SQLException, IOException {
    JsonNode skip = request.body().path("skip");
    if (!skip.isMissingNode() && !(skip.canConvertToInt() && skip.intValue() >= 0)) {
      return Rejection.of("skip", ErrorCode.NUMBER_FORMAT, skip.toString(), 0, Integer.MAX_VALUE);
    }
    try {
      Step step = move.step(skip.asInt(0));
      if (step.moved() > 0) {
        audit.note(0, request.actor(), "pictures.move", step.to(), step.moved() + " pictures");
      }
      return AdminResponse.ok(
          fields(
              "to",
              step.to(),
              "moved",
              step.moved(),
              "missing",
              step.missing(),
              "left",
              step.left()));
    } catch (StoreUnavailable away) {
      return Rejection.of("", ErrorCode.PICTURES_UNAVAILABLE, RETRY_SECONDS)
          .with("Retry-After", String.valueOf(RETRY_SECONDS));
    }
  }
}
