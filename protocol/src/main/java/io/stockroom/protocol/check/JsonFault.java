package io.stockroom.protocol.check;

/** Where and why a text is not JSON. */
final class JsonFault extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final Mistake mistake;
  private final String place;
  private final String found;

  JsonFault(Mistake mistake, int line, int column, String found) {
    super(mistake.name(), null, false, false);
    this.mistake = mistake;
    this.place = line + ":" + column;
    this.found = found;
  }

  Mistake mistake() {
    return mistake;
  }

  /** Line and column, from 1. */
  String place() {
    return place;
  }

  String found() {
    return found;
  }
}
