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
    assertThat(Text.color(" cafe\u0301\u3000")).isEqualTo("caf\u00e9");
    assertThat(Text.color("a b")).isEqualTo("a b");
  }

  @Test
  void allows64CharactersCountedAsCodePoints() {
    String shoe = "\uD83D\uDC5F";

    assertThat(Text.color(shoe.repeat(64))).hasSize(128);
    rejects(shoe.repeat(65), ErrorCode.TEXT_TOO_LONG);
    assertThat(Text.color(" " + "a".repeat(64) + " ")).hasSize(64);
    rejects("a".repeat(65), ErrorCode.TEXT_TOO_LONG);
    assertThat(Text.color("e\u0301".repeat(64))).hasSize(64);
  }

  @ParameterizedTest
  @ValueSource(strings = {"a\u0000", "a\nb", "a\tb", "\u007f", "a\u0085b", "\uD83D", "\uDC5Fx"})
  void rejectsControlAndBrokenCharacters(String text) {
    rejects(text, ErrorCode.TEXT_CHARACTERS);
  }

  @Test
  void namesTheInvalidCharacterAndItsPosition() {
    assertThatThrownBy(() -> Text.color("\uD83D\uDC5F\u200Bx"))
        .hasMessageContaining("has U+200B at position 2:");
    assertThatThrownBy(() -> Text.line(" a\u0007", 5)).hasMessageContaining("U+0007 at position 2");
  }

  @ParameterizedTest
  @ValueSource(
      ints = {
        0x00AD, 0x034F, 0x061C, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x180B, 0x180F, 0x200B, 0x200F,
        0x202A, 0x202E, 0x2060, 0x206F, 0x3164, 0xFE00, 0xFE0F, 0xFEFF, 0xFFA0, 0xFFF0, 0xFFF8,
        0x1BCA0, 0x1BCA3, 0x1D173, 0x1D17A, 0xE0000, 0xE0001, 0xE0FFF
      })
  void rejectsInvisibleCharactersInIdentifiers(int character) {
    String text = "a" + Character.toString(character) + "b";

    rejects(text, ErrorCode.TEXT_CHARACTERS);
    assertThatThrownBy(() -> Text.barCode(text)).isInstanceOf(InvalidValue.class);
    assertThatThrownBy(() -> Text.identifier(text, 64)).isInstanceOf(InvalidValue.class);
    assertThat(Text.name(text, 64)).as("a title may have it").isEqualTo(text);
  }

  @ParameterizedTest
  @ValueSource(
      ints = {
        0x00AC, 0x00AE, 0x034E, 0x0350, 0x061B, 0x115E, 0x1161, 0x17B3, 0x17B6, 0x180A, 0x1810,
        0x2010, 0x202F, 0x2070, 0x3163, 0x3165, 0xFDFF, 0xFE10, 0xFF9F, 0xFFA1, 0xFFEF, 0xFFFC,
        0x1BC9F, 0x1BCA4, 0x1D172, 0x1D17B, 0xDFFFF, 0xE1000
      })
  void acceptsSimilarValidCharacters(int character) {
    assertThat(Text.color("a" + Character.toString(character) + "b")).startsWith("a").endsWith("b");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "\u3000"})
  void rejectsEmptyText(String text) {
    rejects(text, ErrorCode.TEXT_EMPTY);
    assertThat(Text.line(text, 5)).isEmpty();
  }

  @Test
  void keepsTextOfSeveralLinesUnchanged() {
    assertThat(Text.block(" <p>\n\te\u0301 ", 20)).isEqualTo(" <p>\n\te\u0301 ");
    assertThatThrownBy(() -> Text.block("a\u0000", 20)).isInstanceOf(InvalidValue.class);
    assertThatThrownBy(() -> Text.block("aaa", 2)).isInstanceOf(InvalidValue.class);
  }

  @Test
  void acceptsOnlyValuesThatTheServerAccepts() {
    SizeItem item = new SizeItem(SizeRange.parse("36"), 0, " 69 ");

    assertThat(item.barCode()).isEqualTo("69");
    assertThat(new ColorGroup(" red ", 1, List.of(item)).color()).isEqualTo("red");
    assertThatThrownBy(() -> new SizeItem(SizeRange.parse("36-37"), 0, "69"))
        .isInstanceOf(InvalidValue.class);
    assertThatThrownBy(() -> new SizeItem(SizeRange.parse("36"), -1, null))
        .isInstanceOf(InvalidValue.class);
    assertThatThrownBy(() -> new ColorGroup("red", 0, List.of(item)))
        .isInstanceOf(InvalidValue.class);
    assertThatThrownBy(() -> new ColorGroup("red", 1, List.of())).isInstanceOf(InvalidValue.class);
  }

  private static void rejects(String text, ErrorCode code) {
    assertThatThrownBy(() -> Text.color(text))
        .isInstanceOfSatisfying(
            InvalidValue.class,
            invalid -> {
              assertThat(invalid.code()).isEqualTo(code);
              assertThat(invalid.at("[0].color").at()).isEqualTo("[0].color");
            });
  }
}
