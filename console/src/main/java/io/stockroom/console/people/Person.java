package io.stockroom.console.people;

import io.stockroom.core.database.Sql;
import io.stockroom.core.merchants.MerchantStatus;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A user of the console.
 *
 * @param merchantId null for an operator, except while viewing
 * @param merchantName the merchant's name; empty for an operator
 * @param status of the merchant; active for an operator
 * @param viewing whether this is an operator who sees the console of a merchant, read-only, and has
 *     the roles of the merchant's people meanwhile
 * @param hasPassword whether the person has chosen a password
 * @param hasSecondFactor whether signing in requires a code
 * @param preferences language, theme and time zone
 */
public record Person(
    int personId,
    String email,
    @Nullable Integer merchantId,
    String merchantName,
    MerchantStatus status,
    boolean viewing,
    Set<Role> roles,
    boolean hasPassword,
    boolean hasSecondFactor,
    PersonPreferences preferences,
    Instant createdAt) {

  static final String COLUMNS =
      """
      p.person_id, p.email, m.merchant_id, coalesce(m.name, '') as merchant_name, p.roles,
      %s,
      p.password is not null as has_password,
      p.totp_confirmed_at is not null as has_second_factor, p.created_at, %s
      """
          .formatted(MerchantStatus.COLUMNS, PersonPreferences.COLUMNS);

  static Person read(ResultSet row) throws SQLException {
    Set<Role> roles = EnumSet.noneOf(Role.class);
    for (String word : Sql.texts(row, "roles")) {
      Role.of(word).ifPresent(roles::add);
    }
    Integer merchantId = (Integer) row.getObject("merchant_id");
    // an operator belongs to no merchant
    boolean viewing = merchantId != null && roles.contains(Role.OPERATOR);
    return new Person(
        row.getInt("person_id"),
        row.getString("email"),
        merchantId,
        row.getString("merchant_name"),
        MerchantStatus.read(row),
        viewing,
        viewing ? EnumSet.of(Role.MERCHANT, Role.DEVELOPER) : roles,
        row.getBoolean("has_password"),
        row.getBoolean("has_second_factor"),
        PersonPreferences.read(row),
        Sql.instant(row, "created_at"));
  }

  /** Whether this person may change nothing of the merchant. */
  public boolean isReadOnly() {
    return viewing || !status.isActive();
  }

  public boolean is(Role role) {
    return roles.contains(role);
  }
}
