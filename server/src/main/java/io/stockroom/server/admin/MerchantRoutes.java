package io.stockroom.server.admin;

import static io.stockroom.server.admin.AdminResponse.fields;

import io.stockroom.core.call.Answer;
import io.stockroom.core.call.Rejection;
import io.stockroom.core.limits.Usage;
import io.stockroom.core.merchants.Merchants;
import io.stockroom.core.settings.Limits;
import io.stockroom.core.settings.Setting;
import io.stockroom.core.settings.Settings;
import io.stockroom.files.imports.Imports;
import io.stockroom.protocol.ErrorCode;
import io.stockroom.protocol.Language;
import io.stockroom.protocol.Problem;
import java.io.IOException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.JsonNode;

/** Routes for merchants, their limits and their usage. */
public final class MerchantRoutes {
  private final Merchants merchants;
  private final Usage usage;
  private final Imports imports;
  private final Settings settings;

  /** A usage report as a JSON object. */
  private record UsageAnswer(Usage.Report report) implements Answer {
    @Override
    public void write(JsonGenerator out, Language language) {
      out.writeStartObject();
      report.writeFields(out);
      out.writeEndObject();
    }
  }

  public MerchantRoutes(Merchants merchants, Usage usage, Imports imports, Settings settings) {
    this.merchants = merchants;
    this.usage = usage;
    this.imports = imports;
    this.settings = settings;
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
        request,
        merchant -> {
          Map<String, @Nullable Object> shown = shown(merchant);
          shown.put("limits", limits(merchant));
          return AdminResponse.ok(shown);
        });
  }

  Answer setLimits(AdminRequest request) throws SQLException, IOException {
    JsonNode body = request.body();
    Map<String, @Nullable String> changes = new LinkedHashMap<>();
    body.properties().forEach(field -> check(request, field, changes));
    if (request.problems().any()) {
      return request.rejection();
    }
    return withMerchant(
        request,
        merchant -> {
          merchants.change(merchant.merchantId(), changes, request.actor());
          Merchants.Merchant changed = merchants.find(merchant.merchantId());
          return AdminResponse.ok(fields("limits", limits(changed == null ? merchant : changed)));
        });
  }

  Answer usage(AdminRequest request) throws SQLException {
    String page = request.query("page");
    String store = request.query("store");
    int number = page == null ? 1 : request.problems().positive("page", page);
    if (request.problems().any()) {
      return request.rejection();
    }
    return withMerchant(
        request,
        merchant ->
            new UsageAnswer(
                usage
                    .report(
                        merchant.merchantId(),
                        null,
                        store == null ? "" : store,
                        Limits.of(settings, merchant.limits()),
                        number)
                    .with(imports.use(merchant.merchantId()).lines())));
  }

  /** An action on an existing merchant. */
  private interface Work {
    Answer run(Merchants.Merchant merchant) throws SQLException;
  }

  private Answer withMerchant(AdminRequest request, Work work) throws SQLException {
    int merchantId = request.id("merchant");
    if (request.problems().any()) {
      return request.rejection();
    }
    Merchants.Merchant merchant = merchants.find(merchantId);
    return merchant == null
        ? Rejection.of("merchant", ErrorCode.MERCHANT_MISSING, merchantId)
        : work.run(merchant);
  }

  private static void check(
      AdminRequest request,
      Map.Entry<String, JsonNode> field,
      Map<String, @Nullable String> changes) {
    String name = field.getKey();
    String text = field.getValue().isNull() ? null : AdminRequest.plain(field.getValue());
    Problem problem = Limits.problem(name, text);
    if (problem == null) {
      changes.put(name, text);
    } else {
      request.problems().add(problem);
    }
  }

  private List<Map<String, @Nullable Object>> limits(Merchants.Merchant merchant) {
    List<Map<String, @Nullable Object>> limits = new ArrayList<>();
    for (Setting<?> setting : Limits.SETTINGS) {
      String changed = merchant.limits().get(setting.name());
      limits.add(
          fields(
              "name",
              setting.name(),
              "value",
              changed == null ? settings.origin(setting).text() : changed,
              "source",
              changed == null ? "setting" : "override",
              "meaning",
              setting.meaning()));
    }
    return limits;
  }

  private static Map<String, @Nullable Object> shown(Merchants.Merchant merchant) {
    return fields(
        "merchantId", merchant.merchantId(),
        "name", merchant.name(),
        "storeUrl", merchant.storeUrl(),
        "storeName", merchant.storeName(),
        "products", merchant.products(),
        "productsWithStock", merchant.productsWithStock(),
        "createdAt", merchant.createdAt());
  }
}
