package io.stockroom.protocol;

/** An argument of a message that has its own text in every language. Messages show it whole. */
@FunctionalInterface
public interface Localized {
  String text(Language language);
}
