package io.stockroom.core.moves;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * The keys of rows that were written, read from messages of PostgreSQL's pgoutput. Not safe for
 * several threads.
 */
final class WrittenRows {
  /** A table with the columns of its primary key. */
  record Table(String name, List<String> columns) {}

  private record Relation(Table table, boolean[] isKey) {}

  private final Map<Integer, Relation> relations = new HashMap<>();
  private final Map<Table, Set<List<String>>> keys = new LinkedHashMap<>();
  private String mark = "";
  private int count;

  /** The keys of each table; a deleted row has one, too. */
  Map<Table, Set<List<String>>> keys() {
    return keys;
  }

  int count() {
    return count;
  }

  /** The text of the last message that a transaction emitted. */
  String mark() {
    return mark;
  }

  void read(ByteBuffer message) {
    switch (message.get()) {
      case 'R' -> relation(message);
      case 'I', 'D' -> row(message, known(message.getInt()));
      case 'U' -> {
        Relation relation = known(message.getInt());
        if (row(message, relation) != 'N') {
          char _ = row(message, relation);
        }
      }
      case 'M' -> {
        message.get();
        message.getLong();
        String _ = text(message);
        mark = text(message, message.getInt());
      }
      default -> {
        // begin, commit and the like
      }
    }
  }

  private Relation known(int id) {
    return Objects.requireNonNull(relations.get(id), "a table that was never described");
  }

  private void relation(ByteBuffer message) {
    int id = message.getInt();
    String _ = text(message);
    String name = text(message);
    message.get();
    boolean[] isKey = new boolean[message.getShort()];
    List<String> columns = new ArrayList<>();
    for (int i = 0; i < isKey.length; i++) {
      isKey[i] = message.get() == 1;
      String column = text(message);
      message.getInt();
      message.getInt();
      if (isKey[i]) {
        columns.add(column);
      }
    }
    relations.put(id, new Relation(new Table(name, columns), isKey));
  }

  /** Returns whether these were the old (K, O) or the new values (N). */
  private char row(ByteBuffer message, Relation relation) {
    char kind = (char) message.get();
    List<String> key = new ArrayList<>();
    int columns = message.getShort();
    for (int i = 0; i < columns; i++) {
      String value = message.get() == 't' ? text(message, message.getInt()) : "";
      if (relation.isKey[i]) {
        key.add(value);
      }
    }
    if (keys.computeIfAbsent(relation.table, _ -> new LinkedHashSet<>()).add(key)) {
      count++;
    }
    return kind;
  }

  private static String text(ByteBuffer message, int length) {
    byte[] bytes = new byte[length];
    message.get(bytes);
    return new String(bytes, UTF_8);
  }

  private static String text(ByteBuffer message) {
    int end = message.position();
    while (message.get(end) != 0) {
      end++;
    }
    String text = text(message, end - message.position());
    message.get();
    return text;
  }
}
