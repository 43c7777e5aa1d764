package io.stockroom.server.admin;

import static io.stockroom.server.admin.AdminResponse.fields;

import io.stockroom.core.access.KeyRotation;
import io.stockroom.core.audit.Audit;
import io.stockroom.core.call.Answer;
import io.stockroom.core.call.Rejection;
import io.stockroom.core.moves.MoveText;
import io.stockroom.protocol.ErrorCode;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Routes for the server as a whole: its key and its audit log. */
public final class ServerRoutes {
  private final KeyRotation rotation;
  private final Audit audit;

  public ServerRoutes(KeyRotation rotation, Audit audit) {
    this.rotation = rotation;
    this.audit = audit;
  }

  Answer rotateKey(AdminRequest request) throws SQLException {
    if (!rotation.isPossible()) {
      return Rejection.of("secret-key", ErrorCode.KEY_FROM_ELSEWHERE);
    }
    Map<String, String> unreachable = rotation.unreachable();
    return unreachable.isEmpty()
        ? AdminResponse.ok(fields("resealed", rotation.run(request.actor())))
        : Rejection.of(
            "",
            ErrorCode.CELL_REFUSED,
            MoveText.of("these cells cannot be reached, and have secrets: " + named(unreachable)));
  }

  private static String named(Map<String, String> cells) {
    return cells.entrySet().stream()
        .map(cell -> "%s (%s)".formatted(cell.getKey(), cell.getValue()))
        .collect(Collectors.joining(", "));
  }

  Answer audit(AdminRequest request) throws SQLException {
    String merchant = request.query("merchant");
    String page = request.query("page");
    Integer merchantId = merchant == null ? null : chain(request, merchant);
    int number = page == null ? 1 : request.problems().positive("page", page);
    if (request.problems().any()) {
      return request.rejection();
    }
    Audit.Page found = audit.page(merchantId, number);
    List<Map<String, @Nullable Object>> entries = new ArrayList<>();
    for (Audit.Entry entry : found.entries()) {
      entries.add(
          fields(
              "merchantId", entry.merchantId(),
              "number", entry.number(),
              "at", entry.at(),
              "actor", entry.actor(),
              "action", entry.action(),
              "subject", entry.subject(),
              "details", entry.details(),
              "address", entry.address(),
              "hash", entry.hash()));
    }
    return AdminResponse.ok(
        fields("page", number, "totalPages", found.totalPages(), "entries", entries));
  }

  Answer verifyAudit(AdminRequest request) throws SQLException {
    Audit.Verdict verdict = audit.verify();
    if (verdict.intact()) {
      return AdminResponse.ok(
          fields(
              "intact", true,
              "entries", verdict.entries(),
              "chains", verdict.chains(),
              "head", verdict.head(),
              "archived",
                  verdict.archived().stream()
                      .map(
                          end ->
                              fields(
                                  "merchantId", end.merchantId(),
                                  "number", end.number(),
                                  "hash", end.hash()))
                      .toList()));
    }
    return AdminResponse.ok(
        fields(
            "intact", false,
            "entries", verdict.entries(),
            "chains", verdict.chains(),
            "brokenMerchantId", verdict.merchantId(),
            "brokenNumber", verdict.number(),
            "msg",
                "Row %d of chain %d does not follow from the rows before it: it, or one before it, was changed, inserted or removed."
                    .formatted(verdict.number(), verdict.merchantId())));
  }

  /** Chain 0 is the server's own. */
  private static int chain(AdminRequest request, String text) {
    return text.equals("0") ? 0 : request.problems().positive("merchant", text);
  }
}
