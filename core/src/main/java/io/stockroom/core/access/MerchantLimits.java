package io.stockroom.core.access;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/** Reads the limits that an operator has set for a merchant in place of the settings. */
public final class MerchantLimits {
  private static final JsonMapper JSON = JsonMapper.shared();
  private static final TypeReference<Map<String, String>> BY_NAME = new TypeReference<>() {};

  private MerchantLimits() {}

  /** Reads the column {@code limits} of {@code merchant}; empty if nothing is set. */
  public static Map<String, String> read(ResultSet row) throws SQLException {
    return read(row.getString("limits"));
  }

  /** Reads the column {@code default_limits}: what is set for all merchants. */
  static Map<String, String> readDefaults(ResultSet row) throws SQLException {
    return read(row.getString("default_limits"));
  }

  private static Map<String, String> read(@Nullable String json) {
    return json == null || json.equals("{}") ? Map.of() : JSON.readValue(json, BY_NAME);
  }
}
