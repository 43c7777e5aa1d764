package io.stockroom.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TextTest {
  @Test
  void isTrimmedAndComposed() {
    assertThat(Text.colour(" cafe\u0301\u3000")).isEqualTo("caf\u00e9");
    assertThat(Text.colour("a b")).isEqualTo("a b");
  }

  @Test
  void has64CharactersAtMostCountedAsPeopleCountThem() {
    String shoe = "\uD83D\uDC5F";

    assertThat(Text.colour(shoe.repeat(64))).hasSize(128);
    refuses(shoe.repeat(65), ErrorCode.TEXT_TOO_LONG);
    assertThat(Text.colour(" " + "a".repeat(64) + " ")).hasSize(64);
    refuses("a".repeat(65), ErrorCode.TEXT_TOO_LONG);
    assertThat(Text.colour("e\u0301".repeat(64))).hasSize(64);
  }

  @ParameterizedTest
  @ValueSource(strings = {"a\u0000", "a\nb", "a\tb", "\u007f", "a\u0085b", "\uD83D", "\uDC5Fx"})
  void hasNoControlOrBrokenCharacters(String text) {
    refuses(text, ErrorCode.TEXT_CHARACTERS);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "\u3000"})
  void isNotEmpty(String text) {
    refuses(text, ErrorCode.TEXT_EMPTY);
    assertThat(Text.line(text, 5)).isEmpty();
  }

  @Test
  void ofSeveralLinesIsKeptAsItIs() {
    assertThat(Text.block(" <p>\n\te\u0301 ", 20)).isEqualTo(" <p>\n\te\u0301 ");
    assertThatThrownBy(() -> Text.block("a\u0000", 20)).isInstanceOf(InvalidValue.class);
    assertThatThrownBy(() -> Text.block("aaa", 2)).isInstanceOf(InvalidValue.class);
  }

  @Test
  void makesRequestsThatTheServerWouldNotRefuse() {
    SizeItem item = new SizeItem(SizeRange.parse("36"), 0, " 69 ");

    assertThat(item.barCode()).isEqualTo("69");
    assertThat(new ColourGroup(" red ", 1, List.of(item)).color()).isEqualTo("red");
    assertThatThrownBy(() -> new SizeItem(SizeRange.parse("36-37"), 0, "69"))
        .isInstanceOf(InvalidValue.class);
    assertThatThrownBy(() -> new SizeItem(SizeRange.parse("36"), -1, null))
        .isInstanceOf(InvalidValue.class);
    assertThatThrownBy(() -> new ColourGroup("red", 0, List.of(item)))
        .isInstanceOf(InvalidValue.class);
    assertThatThrownBy(() -> new ColourGroup("red", 1, List.of())).isInstanceOf(InvalidValue.class);
  }

  private static void refuses(String text, ErrorCode code) {
    assertThatThrownBy(() -> Text.colour(text))
        .isInstanceOfSatisfying(
            InvalidValue.class,
            invalid -> {
              assertThat(invalid.code()).isEqualTo(code);
              assertThat(invalid.at("[0].color").at()).isEqualTo("[0].color");
            });
  }
}
