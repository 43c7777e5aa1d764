package io.stockroom.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SizeTest {
  /** Every size comes before the next one. */
  private static final List<String> ORDER =
      List.of(
          "0",
          "1",
          "9",
          "9.5",
          "10",
          "35",
          "36",
          "36.0",
          "36.5",
          "36.50",
          "36.55",
          "37",
          "38 2/3",
          "39",
          "100",
          "999",
          "1000",
          "123456789",
          "1234567890",
          "XXXS",
          "2XS",
          "XXS",
          "XS",
          "S",
          "M",
          "L",
          "XL",
          "2XL",
          "XXL",
          "3XL",
          "XXXL",
          "6XL",
          "10XL",
          "175/92A",
          "One size",
          "Small",
          "均码",
          "默认",
          "😀");

  @Test
  void sortsAsPeopleDo() {
    List<Size> sizes = new ArrayList<>(ORDER.stream().map(Size::of).toList());
    Collections.shuffle(sizes, new Random(1));

    Collections.sort(sizes);

    assertThat(sizes).extracting(Size::text).isEqualTo(ORDER);
  }

  @Test
  void ranksSortByTheirBytesAsSizesDo() {
    List<String> sorted =
        ORDER.stream()
            .map(Size::of)
            .sorted(
                (a, b) ->
                    Arrays.compareUnsigned(
                        a.rank().getBytes(StandardCharsets.UTF_8),
                        b.rank().getBytes(StandardCharsets.UTF_8)))
            .map(Size::text)
            .toList();

    assertThat(sorted).isEqualTo(ORDER);
  }

  @ParameterizedTest
  @CsvSource({
    "36, 36",
    "' 36 ', 36",
    "３６, 36",
    "Ｘｌ, Xl",
    "'One   size', One size",
    "'One size', One size",
    "7½, 7 1/2",
    "７½, 7 1/2",
    "30-32, 30-32",
    "01, 01",
    "175／92Ａ, 175/92A"
  })
  void normalizesWhatIsWritten(String written, String text) {
    assertThat(Size.of(written).text()).isEqualTo(text);
  }

  @ParameterizedTest
  @CsvSource({
    "'', TEXT_EMPTY",
    "' ', TEXT_EMPTY",
    "'S,M', TEXT_CHARACTERS",
    "'S，M', TEXT_CHARACTERS",
    "'a\tb', TEXT_CHARACTERS",
    "'a\u200bb', TEXT_CHARACTERS",
    "123456789012345678901, TEXT_TOO_LONG",
    "尺尺尺尺尺尺尺尺尺尺尺尺尺尺尺尺尺尺尺尺尺, TEXT_TOO_LONG"
  })
  void rejectsWhatIsNoSize(String text, ErrorCode code) {
    assertThatThrownBy(() -> Size.of(text))
        .isInstanceOfSatisfying(
            InvalidValue.class, invalid -> assertThat(invalid.code()).isEqualTo(code));
    assertThat(Size.find(text)).isEmpty();
  }

  @Test
  void takesTwentyCharactersHoweverManyBytes() {
    assertThat(Size.of("12345678901234567890").text()).hasSize(20);
    assertThat(Size.of("😀".repeat(20)).text()).isEqualTo("😀".repeat(20));
  }

  @Test
  void rejectsAHugeTextWithoutNormalizingIt() {
    assertThatThrownBy(() -> Size.of("ﷺ".repeat(10_000_000))).isInstanceOf(InvalidValue.class);
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0",
    "36, 36",
    "３６, 36",
    "999999999, 999999999",
    "1000000000, ",
    "036, ",
    "36.0, ",
    "XL, "
  })
  void onlyAPlainWholeNumberIsOne(String text, Integer number) {
    assertThat(Size.of(text).number().stream().boxed().findFirst().orElse(null)).isEqualTo(number);
    assertThat(Size.of(text).value()).isEqualTo(number == null ? text : number);
  }

  @Test
  void ignoresCaseButKeepsIt() {
    assertThat(Size.of("xxl")).isEqualTo(Size.of("XXL")).hasSameHashCodeAs(Size.of("XXL"));
    assertThat(Size.of("one SIZE")).isEqualTo(Size.of("One size"));
    assertThat(Size.of("one SIZE").text()).isEqualTo("one SIZE");
    assertThat(Size.of("XXL")).isNotEqualTo(Size.of("2XL"));
    assertThat(Size.of("36")).isNotEqualTo(Size.of("36.0"));
  }

  /** For texts that people, spreadsheets and attackers write. */
  @Test
  void holdsItsPropertiesForEveryText() {
    Random random = new Random(42);
    Map<String, Size> byRank = new HashMap<>();
    List<Size> sizes = new ArrayList<>();
    for (int i = 0; i < 20_000; i++) {
      Size.find(text(random)).ifPresent(sizes::add);
    }

    assertThat(sizes).hasSizeGreaterThan(5_000);
    for (Size size : sizes) {
      Size again = Size.of(size.text());
      assertThat(again).isEqualTo(size);
      assertThat(again.text()).isEqualTo(size.text());
      assertThat(size.text()).doesNotContain(",").isEqualTo(size.text().strip());
      assertThat(size.text().codePointCount(0, size.text().length())).isBetween(1, 20);
      assertThat(size.rank()).doesNotContain("\u0000");
      Size same = byRank.putIfAbsent(size.rank(), size);
      if (same != null) {
        assertThat(same.text()).isEqualToIgnoringCase(size.text());
      }
    }
    for (int i = 0; i < 20_000; i++) {
      Size a = sizes.get(random.nextInt(sizes.size()));
      Size b = sizes.get(random.nextInt(sizes.size()));
      Size c = sizes.get(random.nextInt(sizes.size()));
      assertThat(a.compareTo(b)).isEqualTo(-b.compareTo(a));
      assertThat(a.compareTo(b) == 0).isEqualTo(a.equals(b));
      if (a.compareTo(b) <= 0 && b.compareTo(c) <= 0) {
        assertThat(a.compareTo(c)).isLessThanOrEqualTo(0);
      }
      boolean numbers = a.number().isPresent() && b.number().isPresent();
      if (numbers) {
        assertThat(Integer.signum(a.compareTo(b)))
            .isEqualTo(Integer.compare(a.number().orElseThrow(), b.number().orElseThrow()));
      }
    }
  }

  private static String text(Random random) {
    String parts = "0123456789..//-- xXsSmMlL码均Aaβßİıſ½⅔３６Ｘ　é\u0301\u200b,，😀\uFFFDKÅ";
    int[] characters = parts.codePoints().toArray();
    StringBuilder text = new StringBuilder();
    int length = random.nextInt(6);
    for (int i = 0; i <= length; i++) {
      text.appendCodePoint(
          random.nextInt(20) == 0
              ? random.nextInt(Character.MAX_CODE_POINT)
              : characters[random.nextInt(characters.length)]);
    }
    return text.toString();
  }
}
