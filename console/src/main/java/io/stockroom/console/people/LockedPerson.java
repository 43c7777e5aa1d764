package io.stockroom.console.people;

import io.stockroom.core.database.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * A person whose row stays locked until the transaction ends. Every transaction that changes how a
 * person signs in locks the person first, then their sessions, tickets, links and browsers, and
 * writes to the audit log last. With this one order no two of them can deadlock.
 *
 * @param passwordHash null until the person has chosen a password
 */
record LockedPerson(Person person, @Nullable String passwordHash) {
  private static final Sql LOCK =
      Sql.of(
          """
          select %s, p.password
          from person p left join merchant m using (merchant_id)
          where p.person_id = :personId
          for update of p
          """
              .formatted(Person.COLUMNS));

  /** Waits for the lock and reads the person; null if there is none. */
  static @Nullable LockedPerson of(Connection connection, int personId) throws SQLException {
    return LOCK.on(connection)
        .set("personId", personId)
        .first(row -> new LockedPerson(Person.read(row), row.getString("password")));
  }
}
