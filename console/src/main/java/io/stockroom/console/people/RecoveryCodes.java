package io.stockroom.console.people;

import io.stockroom.core.database.Sql;
import java.security.SecureRandom;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.bouncycastle.util.encoders.Base32;

/** Recovery codes for a lost phone. Each works once; the database stores only hashes. */
final class RecoveryCodes {
  static final int COUNT = 10;

  /** 80 random bits cannot be guessed, so an unsalted hash is enough. */
  private static final int BYTES = 10;

  private static final SecureRandom RANDOM = new SecureRandom();

  private static final Sql INSERT =
      Sql.of("insert into recovery_code (person_id, hash) values (:personId, :hash)");
  private static final Sql USE =
      Sql.of("delete from recovery_code where person_id = :personId and hash = :hash");
  private static final Sql DELETE = Sql.of("delete from recovery_code where person_id = :personId");
  private static final Sql COUNT_LEFT =
      Sql.of("select count(*) from recovery_code where person_id = :personId");

  private RecoveryCodes() {}

  /** Replaces all codes; returns the new ones in readable form: ABCD-EFGH-IJKL-MNOP. */
  static List<String> renew(Connection connection, int personId) throws SQLException {
    delete(connection, personId);
    List<String> shown = new ArrayList<>();
    try (Sql.Batch insert = INSERT.batch(connection)) {
      for (int i = 0; i < COUNT; i++) {
        byte[] bytes = new byte[BYTES];
        RANDOM.nextBytes(bytes);
        String code = Base32.toBase32String(bytes);
        insert.set("personId", personId).set("hash", TokenHash.of(code)).add();
        shown.add(code.replaceAll("(.{4})(?=.)", "$1-"));
      }
      insert.run();
    }
    return shown;
  }

  /** Uses a code; returns whether it was valid. */
  static boolean use(Connection connection, int personId, String code) throws SQLException {
    byte[] hash = TokenHash.of(code.toUpperCase(Locale.ROOT));
    return USE.on(connection).set("personId", personId).set("hash", hash).update() == 1;
  }

  static void delete(Connection connection, int personId) throws SQLException {
    DELETE.on(connection).set("personId", personId).update();
  }

  static int left(Connection connection, int personId) throws SQLException {
    return COUNT_LEFT.on(connection).set("personId", personId).one(row -> row.getInt(1));
  }
}
