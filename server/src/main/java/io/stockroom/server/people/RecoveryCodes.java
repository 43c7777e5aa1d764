package io.stockroom.server.people;

import java.security.SecureRandom;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.bouncycastle.util.encoders.Base32;

/** Codes for when the phone is lost. Each works once; only hashes are stored. */
final class RecoveryCodes {
  static final int COUNT = 10;

  /** 80 bits: nobody can guess one, so a plain hash is enough. */
  private static final int BYTES = 10;

  private static final SecureRandom RANDOM = new SecureRandom();

  private RecoveryCodes() {}

  /** Makes new ones in place of the old; gives them as people read them: ABCD-EFGH-IJKL-MNOP. */
  static List<String> renew(Connection connection, int personId) throws SQLException {
    delete(connection, personId);
    List<String> shown = new ArrayList<>();
    try (PreparedStatement statement =
        connection.prepareStatement("insert into recovery_code (person_id, hash) values (?, ?)")) {
      for (int i = 0; i < COUNT; i++) {
        byte[] bytes = new byte[BYTES];
        RANDOM.nextBytes(bytes);
        String code = Base32.toBase32String(bytes);
        statement.setInt(1, personId);
        statement.setBytes(2, Opaque.hash(code));
        statement.addBatch();
        shown.add(code.replaceAll("(.{4})(?=.)", "$1-"));
      }
      statement.executeBatch();
    }
    return shown;
  }

  /** Uses one up; says whether there was such a code. */
  static boolean use(Connection connection, int personId, String code) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement("delete from recovery_code where person_id = ? and hash = ?")) {
      statement.setInt(1, personId);
      statement.setBytes(2, Opaque.hash(code.toUpperCase(Locale.ROOT)));
      return statement.executeUpdate() == 1;
    }
  }

  static void delete(Connection connection, int personId) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement("delete from recovery_code where person_id = ?")) {
      statement.setInt(1, personId);
      statement.executeUpdate();
    }
  }

  static int left(Connection connection, int personId) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement("select count(*) from recovery_code where person_id = ?")) {
      statement.setInt(1, personId);
      try (ResultSet row = statement.executeQuery()) {
        row.next();
        return row.getInt(1);
      }
    }
  }
}
