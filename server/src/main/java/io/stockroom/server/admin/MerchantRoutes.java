package io.stockroom.server.admin;

import static io.stockroom.server.admin.AdminResponse.fields;

import io.stockroom.core.call.Answer;
import io.stockroom.core.call.Rejection;
import io.stockroom.core.limits.Usage;
import io.stockroom.core.merchants.DefaultLimits;
import io.stockroom.core.merchants.MerchantLifecycle;
import io.stockroom.core.merchants.Merchants;
import io.stockroom.core.moves.MerchantRemovals;
import io.stockroom.files.imports.Imports;
import io.stockroom.pictures.Pictures;
import io.stockroom.protocol.ErrorCode;
import io.stockroom.protocol.Language;
import io.stockroom.protocol.Text;
import java.io.IOException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.JsonNode;

/** Routes for merchants, their status and their usage. */
public final class MerchantRoutes {
  private final Merchants merchants;
  private final MerchantLifecycle lifecycle;
  private final Usage usage;
  private final Imports imports;
  private final Pictures pictures;
  private final DefaultLimits defaults;
  private final MerchantRemovals removals;

  /** A usage report as a JSON object. */
  private record UsageAnswer(Usage.Report report) implements Answer {
    @Override
    public void write(JsonGenerator out, Language language) {
      out.writeStartObject();
      report.writeFields(out);
      out.writeEndObject();
    }
  }

  public MerchantRoutes(
      Merchants merchants,
      MerchantLifecycle lifecycle,
      Usage usage,
      Imports imports,
      Pictures pictures,
      DefaultLimits defaults,
      MerchantRemovals removals) {
    this.merchants = merchants;
    this.lifecycle = lifecycle;
    this.usage = usage;
    this.imports = imports;
    this.pictures = pictures;
    this.defaults = defaults;
    this.removals = removals;
  }

  Answer create(AdminRequest request) throws SQLException, IOException {
    JsonNode body = request.body();
    String name = request.name(body, "name");
    String storeUrl = request.name(body, "storeUrl");
    String storeName = request.name(body, "storeName");
    String cell = request.text(body, "cell", false);
    Integer cellId = cell == null ? null : merchants.cell(cell);
    if (cell != null && cellId == null) {
      request.problems().add("cell", ErrorCode.CELL_MISSING, cell);
    }
    if (name == null || storeUrl == null || storeName == null || request.problems().any()) {
      return request.rejection();
    }
    int merchantId = merchants.create(name, storeUrl, storeName, cellId, request.actor());
    Merchants.Merchant merchant = merchants.find(merchantId);
    return merchant == null
        ? Rejection.of("merchant", ErrorCode.MERCHANT_MISSING, merchantId)
        : AdminResponse.created(shown(merchant));
  }

  Answer list(AdminRequest request) throws SQLException {
    List<Map<String, @Nullable Object>> list = new ArrayList<>();
    merchants.all().forEach(merchant -> list.add(shown(merchant)));
    return AdminResponse.ok(fields("merchants", list));
  }

  Answer show(AdminRequest request) throws SQLException {
    return withMerchant(
        merchants,
        request,
        merchant -> {
          Map<String, @Nullable Object> shown = withRemoval(merchant);
          shown.put("limits", LimitRoutes.shown(defaults.effective(merchant.limits())));
          return AdminResponse.ok(shown);
        });
  }

  Answer rename(AdminRequest request) throws SQLException, IOException {
    String name = request.name(request.body(), "name");
    return name == null
        ? request.rejection()
        : change(request, merchant -> lifecycle.rename(merchant, name, request.actor()));
  }

  Answer suspend(AdminRequest request) throws SQLException, IOException {
    String given = request.text(request.body(), "reason", true);
    String reason =
        given == null
            ? null
            : request
                .problems()
                .check("reason", () -> Text.name(given, MerchantLifecycle.REASON_CHARACTERS));
    return reason == null
        ? request.rejection()
        : change(request, merchant -> lifecycle.suspend(merchant, reason, request.actor()));
  }

  Answer resume(AdminRequest request) throws SQLException {
    return change(request, merchant -> lifecycle.resume(merchant, request.actor()));
  }

  /** Closing is final, so the request repeats the short name of the store. */
  Answer close(AdminRequest request) throws SQLException, IOException {
    return confirmed(
        request,
        merchant -> {
          lifecycle.close(merchant, request.actor());
          return answer(merchant);
        });
  }

  /** Removes the data of a closed merchant; the request repeats the short name of the store. */
  Answer remove(AdminRequest request) throws SQLException, IOException {
    return confirmed(
        request,
        merchant -> {
          if (!merchant.status().isClosed()) {
            return Rejection.of("merchant", ErrorCode.MERCHANT_NOT_CLOSED, merchant.merchantId());
          }
          removals.request(merchant, request.actor());
          return AdminResponse.ok(withRemoval(merchant));
        });
  }

  private Answer confirmed(AdminRequest request, Work work) throws SQLException, IOException {
    String confirm = request.text(request.body(), "confirm", true);
    if (confirm == null) {
      return request.rejection();
    }
    return withMerchant(
        merchants,
        request,
        merchant ->
            confirm.strip().equals(merchant.storeUrl())
                ? work.run(merchant)
                : Rejection.of(
                    "confirm",
                    ErrorCode.TEXT_FORMAT,
                    confirm,
                    "the short name of the merchant's store"));
  }

  /** An action on a merchant that is not closed. */
  private interface Change {
    void make(Merchants.Merchant merchant) throws SQLException;
  }

  private Answer change(AdminRequest request, Change change) throws SQLException {
    return withMerchant(
        merchants,
        request,
        merchant -> {
          if (merchant.status().isClosed()) {
            return closed(merchant);
          }
          change.make(merchant);
          return answer(merchant);
        });
  }

  private Answer answer(Merchants.Merchant former) throws SQLException {
    Merchants.Merchant changed = merchants.find(former.merchantId());
    return AdminResponse.ok(shown(changed == null ? former : changed));
  }

  static Answer closed(Merchants.Merchant merchant) {
    return Rejection.of(
        "merchant",
        ErrorCode.MERCHANT_CLOSED,
        merchant.merchantId(),
        Objects.requireNonNull(merchant.status().closedAt()));
  }

  Answer usage(AdminRequest request) throws SQLException {
    String page = request.query("page");
    String store = request.query("store");
    int number = page == null ? 1 : request.problems().positive("page", page);
    if (request.problems().any()) {
      return request.rejection();
    }
    return withMerchant(
        merchants,
        request,
        merchant ->
            new UsageAnswer(
                usage
                    .report(
                        merchant.merchantId(),
                        null,
                        store == null ? "" : store,
                        defaults.with(merchant.limits()),
                        number)
                    .with(imports.use(merchant.merchantId()).lines())
                    .with(List.of(pictures.usage(merchant.merchantId())))));
  }

  /** An action on an existing merchant. */
  interface Work {
    Answer run(Merchants.Merchant merchant) throws SQLException;
  }

  static Answer withMerchant(Merchants merchants, AdminRequest request, Work work)
      throws SQLException {
    int merchantId = request.id("merchant");
    if (request.problems().any()) {
      return request.rejection();
    }
    Merchants.Merchant merchant = merchants.find(merchantId);
    return merchant == null
        ? Rejection.of("merchant", ErrorCode.MERCHANT_MISSING, merchantId)
        : work.run(merchant);
  }

  private Map<String, @Nullable Object> withRemoval(Merchants.Merchant merchant)
      throws SQLException {
    MerchantRemovals.Removal removal = removals.find(merchant.merchantId());
    Map<String, @Nullable Object> shown = shown(merchant);
    shown.put("removalRequestedAt", removal == null ? null : removal.requestedAt());
    shown.put("removedAt", removal == null ? null : removal.removedAt());
    return shown;
  }

  private static Map<String, @Nullable Object> shown(Merchants.Merchant merchant) {
    return fields(
        "merchantId", merchant.merchantId(),
        "name", merchant.name(),
        "storeUrl", merchant.storeUrl(),
        "storeName", merchant.storeName(),
        "products", merchant.products(),
        "productsWithStock", merchant.productsWithStock(),
        "createdAt", merchant.createdAt(),
        "status", merchant.status().word(),
        "suspendedAt", merchant.status().suspendedAt(),
        "suspensionReason", merchant.status().reason(),
        "closedAt", merchant.status().closedAt());
  }
}
