package io.stockroom.demo;

/** A text in the two languages of the demo. */
record BilingualText(String chinese, String english) {
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
