package io.stockroom.core.access;

import io.stockroom.core.database.CellTable;
import java.sql.Connection;
import java.sql.SQLException;

/** The passwords of cells, encrypted with the server's secret key. */
public final class CellPasswords {
  private final Credentials credentials;

  public CellPasswords(Credentials credentials) {
    this.credentials = credentials;
  }

  /** Decrypts a password, for the server that has just started. */
  public static String open(SecretBox box, byte[] sealed, String cell) {
    return box.open(sealed, owner(cell));
  }

  /** Encrypts a password, for a command while no server runs. */
  public static byte[] seal(SecretBox box, String password, String cell) {
    return box.seal(password, owner(cell));
  }

  /** Encrypts a password; blocks key rotations until the transaction ends. */
  public byte[] seal(Connection connection, String password, String cell) throws SQLException {
    credentials.holdKey(connection);
    return seal(password, cell);
  }

  /** Encrypts all passwords again, with the newest key; returns how many there are. */
  public int reseal(Connection connection) throws SQLException {
    int resealed = 0;
    for (CellTable.Row row : CellTable.withMerchants(connection)) {
      if (row.password() != null) {
        CellTable.reseal(connection, row, this::open, this::seal);
        resealed++;
      }
    }
    return resealed;
  }

  private String open(byte[] sealed, String cell) {
    return credentials.open(sealed, owner(cell));
  }

  private byte[] seal(String password, String cell) {
    return credentials.seal(password, owner(cell));
  }

  /** What a password is bound to. */
  private static String owner(String cell) {
    return "cell " + cell;
  }
}
