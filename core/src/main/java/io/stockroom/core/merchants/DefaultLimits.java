package io.stockroom.core.merchants;

import io.stockroom.core.audit.Actor;
import io.stockroom.core.audit.Audit;
import io.stockroom.core.database.Database;
import io.stockroom.core.database.Sql;
import io.stockroom.core.settings.Limits;
import io.stockroom.core.settings.Setting;
import io.stockroom.core.settings.Settings;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The limits that operators set for all merchants. They replace the settings on every node within a
 * second, without a restart; what is set for one merchant replaces both.
 */
public final class DefaultLimits {
  private static final Sql ALL = Sql.of("select name, value from default_limit");

  private static final Sql SET =
      Sql.of(
          """
          insert into default_limit (name, value) values (:name, :value)
          on conflict (name) do update set value = excluded.value
          """);

  private static final Sql UNSET = Sql.of("delete from default_limit where name = :name");

  private final Database database;
  private final Audit audit;
  private final Settings settings;

  public DefaultLimits(Database database, Audit audit, Settings settings) {
    this.database = database;
    this.audit = audit;
    this.settings = settings;
  }

  /** What is set, by the name of the limit. */
  public Map<String, String> all() throws SQLException {
    return database.read(DefaultLimits::all);
  }

  private static Map<String, String> all(Connection connection) throws SQLException {
    Map<String, String> limits = new TreeMap<>();
    ALL.on(connection).forEach(row -> limits.put(row.getString("name"), row.getString("value")));
    return limits;
  }

  /** All limits as they apply to a merchant with these limits of its own. */
  public Limits with(Map<String, String> ofMerchant) throws SQLException {
    return with(all(), ofMerchant);
  }

  /** The same, with what {@link #all} has returned. */
  Limits with(Map<String, String> all, Map<String, String> ofMerchant) {
    return Limits.of(settings, all, ofMerchant);
  }

  /**
   * One limit as it applies.
   *
   * @param setting the setting that it replaces
   * @param configured the value of the setting, as the operator wrote it
   * @param ofAll what is set for all merchants; null: the setting applies
   * @param ofMerchant what is set for the merchant; null: what applies to all
   */
  public record Effective(
      Setting<?> setting, String configured, @Nullable String ofAll, @Nullable String ofMerchant) {
    /** The value for all merchants. */
    public String common() {
      return ofAll == null ? configured : ofAll;
    }

    public String value() {
      return ofMerchant == null ? common() : ofMerchant;
    }

    /** {@code override}, {@code default} or {@code setting}. */
    public String source() {
      return ofMerchant != null ? "override" : ofAll != null ? "default" : "setting";
    }
  }

  /** Every limit as it applies to a merchant with these limits of its own. */
  public List<Effective> effective(Map<String, String> ofMerchant) throws SQLException {
    Map<String, String> all = all();
    return Limits.SETTINGS.stream()
        .map(
            setting ->
                new Effective(
                    setting,
                    settings.origin(setting).text(),
                    all.get(setting.name()),
                    ofMerchant.get(setting.name())))
        .toList();
  }

  /** Sets limits, in the form in which they are stored; null restores the limit of the settings. */
  public void change(Map<String, @Nullable String> limits, Actor actor) throws SQLException {
    if (limits.isEmpty()) {
      return;
    }
    database.write(
        connection -> {
          String details = LimitHistory.details(all(connection), limits);
          for (Map.Entry<String, @Nullable String> limit : limits.entrySet()) {
            String value = limit.getValue();
            Sql.Call call = (value == null ? UNSET : SET).on(connection);
            if (value != null) {
              call.set("value", value);
            }
            call.set("name", limit.getKey()).update();
          }
          audit.addFromDirectory(
              connection, Audit.SERVER, actor, "limits.change", "limits", details);
          return limits.size();
        });
  }
}
