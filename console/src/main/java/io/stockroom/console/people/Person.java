package io.stockroom.console.people;

import io.stockroom.core.database.Rows;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A user of the console.
 *
 * @param merchantId null for an operator
 * @param merchantName the merchant's name; empty for an operator
 * @param hasPassword whether the person has chosen a password
 * @param hasSecondFactor whether signing in requires a code
 * @param preferences language, theme and time zone
 */
public record Person(
    int personId,
    String email,
    @Nullable Integer merchantId,
    String merchantName,
    Set<Role> roles,
    boolean hasPassword,
    boolean hasSecondFactor,
    PersonPreferences preferences,
    Instant createdAt) {

  static final String COLUMNS =
      """
      p.person_id, p.email, p.merchant_id, coalesce(m.name, '') as merchant_name, p.roles,
      p.password is not null as has_password,
      p.totp_confirmed_at is not null as has_second_factor, p.created_at,
      """
          + PersonPreferences.COLUMNS;

  static Person read(ResultSet row) throws SQLException {
    Set<Role> roles = EnumSet.noneOf(Role.class);
    for (String word : Rows.texts(row, "roles")) {
      Role.of(word).ifPresent(roles::add);
    }
    return new Person(
        row.getInt("person_id"),
        row.getString("email"),
        (Integer) row.getObject("merchant_id"),
        row.getString("merchant_name"),
        roles,
        row.getBoolean("has_password"),
        row.getBoolean("has_second_factor"),
        PersonPreferences.read(row),
        Rows.instant(row, "created_at"));
  }

  public boolean is(Role role) {
    return roles.contains(role);
  }
}
