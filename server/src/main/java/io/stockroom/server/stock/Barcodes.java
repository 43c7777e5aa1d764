package io.stockroom.server.stock;

import io.stockroom.protocol.ErrorCode;
import io.stockroom.protocol.Problem;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Keeps a barcode on one entry of a merchant: finds those that a request would put on a second. */
final class Barcodes {
  private final Connection connection;
  private final int merchantId;
  private final List<NewEntry> coded;

  private record Key(int productId, String colour, int size) {}

  Barcodes(Connection connection, int merchantId, List<NewEntry> entries) {
    this.connection = connection;
    this.merchantId = merchantId;
    this.coded = entries.stream().filter(entry -> entry.barCode() != null).toList();
  }

  /** Requests with barcodes of one merchant go one after the other, so that none slips between. */
  void hold() throws SQLException {
    if (coded.isEmpty()) {
      return;
    }
    try (PreparedStatement statement =
        connection.prepareStatement(
            "select 1 from merchant_data where merchant_id = ? for no key update")) {
      statement.setInt(1, merchantId);
      statement.executeQuery().close();
    }
  }

  /**
   * Judges by how things would be after the request: a barcode that moves from one entry to another
   * within it is fine.
   */
  List<Problem> alreadyUsed() throws SQLException {
    if (coded.isEmpty()) {
      return List.of();
    }
    Map<String, Key> owners = new HashMap<>();
    Map<Key, String> next = new HashMap<>();
    coded.forEach(entry -> next.put(key(entry), String.valueOf(entry.barCode())));
    for (Map.Entry<Key, String> present : present().entrySet()) {
      boolean replaced = next.containsKey(present.getKey());
      if (!replaced) {
        owners.put(present.getValue(), present.getKey());
      }
    }
    List<Problem> problems = new ArrayList<>();
    for (NewEntry entry : coded) {
      String barCode = String.valueOf(entry.barCode());
      if (barCode.isEmpty()) {
        continue; // taken away
      }
      Key own = key(entry);
      Key owner = owners.putIfAbsent(barCode, own);
      if (owner != null && !owner.equals(own)) {
        problems.add(
            Problem.of(
                "barCode",
                ErrorCode.BARCODE_USED,
                barCode,
                own.productId,
                own.colour,
                own.size,
                owner.productId,
                owner.colour,
                owner.size));
      }
    }
    return problems;
  }

  private Map<Key, String> present() throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement(
            """
            select e.product_id, c.color, e.size, e.barcode
            from stock_entry e
            join stock_color c using (merchant_id, product_id, color_no)
            where e.merchant_id = ? and e.barcode = any (?)
            """)) {
      statement.setInt(1, merchantId);
      statement.setObject(2, coded.stream().map(NewEntry::barCode).toArray(String[]::new));
      Map<Key, String> present = new HashMap<>();
      try (ResultSet rows = statement.executeQuery()) {
        while (rows.next()) {
          present.put(
              new Key(rows.getInt(1), rows.getString(2), rows.getInt(3)), rows.getString(4));
        }
      }
      return present;
    }
  }

  private static Key key(NewEntry entry) {
    return new Key(entry.productId(), entry.colour(), entry.size());
  }
}
