package io.stockroom.server.admin;

import static io.stockroom.server.admin.AdminResponse.fields;

import io.stockroom.core.call.Answer;
import io.stockroom.core.merchants.DefaultLimits;
import io.stockroom.core.merchants.DefaultLimits.Effective;
import io.stockroom.core.merchants.Merchants;
import io.stockroom.core.settings.LimitText;
import io.stockroom.core.settings.Limits;
import io.stockroom.protocol.Language;
import io.stockroom.protocol.Problem;
import java.io.IOException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Routes for limits: the defaults, and those of one merchant. */
public final class LimitRoutes {
  private final Merchants merchants;
  private final DefaultLimits defaults;

  public LimitRoutes(Merchants merchants, DefaultLimits defaults) {
    this.merchants = merchants;
    this.defaults = defaults;
  }

  Answer showDefaults(AdminRequest request) throws SQLException {
    return answer(Map.of());
  }

  Answer setDefaults(AdminRequest request) throws SQLException, IOException {
    Map<String, @Nullable String> changes = changes(request);
    if (request.problems().any()) {
      return request.rejection();
    }
    defaults.change(changes, request.actor());
    return answer(Map.of());
  }

  Answer setOfMerchant(AdminRequest request) throws SQLException, IOException {
    Map<String, @Nullable String> changes = changes(request);
    if (request.problems().any()) {
      return request.rejection();
    }
    return MerchantRoutes.withMerchant(
        merchants,
        request,
        merchant -> {
          merchants.change(merchant.merchantId(), changes, request.actor());
          Merchants.Merchant changed = merchants.find(merchant.merchantId());
          return answer((changed == null ? merchant : changed).limits());
        });
  }

  private Answer answer(Map<String, String> ofMerchant) throws SQLException {
    return AdminResponse.ok(fields("limits", shown(defaults.effective(ofMerchant))));
  }

  private static Map<String, @Nullable String> changes(AdminRequest request) throws IOException {
    Map<String, @Nullable String> changes = new LinkedHashMap<>();
    for (Map.Entry<String, JsonNode> field : request.body().properties()) {
      String name = field.getKey();
      String text = field.getValue().isNull() ? null : AdminRequest.plain(field.getValue());
      Problem problem = Limits.problem(name, text);
      if (problem == null) {
        changes.put(name, text == null ? null : Limits.stored(name, text));
      } else {
        request.problems().add(problem);
      }
    }
    return changes;
  }

  static List<Map<String, @Nullable Object>> shown(List<Effective> limits) {
    List<Map<String, @Nullable Object>> shown = new ArrayList<>();
    for (Effective limit : limits) {
      shown.add(
          fields(
              "name",
              limit.setting().name(),
              "value",
              limit.value(),
              "source",
              limit.source(),
              "text",
              LimitText.of(limit.setting().name(), limit.value(), Language.ENGLISH),
              "meaning",
              limit.setting().meaning()));
    }
    return shown;
  }
}
