package io.stockroom.demo;

/** The same thing in the two languages of the demonstration. */
record Wording(String chinese, String english) {
  String in(Language language) {
    return switch (language) {
      case CHINESE -> chinese;
      case ENGLISH -> english;
    };
  }

  enum Language {
    CHINESE,
    ENGLISH
  }
}
