package io.stockroom.console.people;

import static org.assertj.core.api.Assertions.assertThat;

import io.stockroom.console.people.PasswordRules.Weakness;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PasswordRulesTest {
  @Test
  void acceptsTwelveCharactersAndRejectsEleven() {
    assertThat(weakness("cart lamp 7x")).isNull();
    assertThat(weakness("cart lamp 7")).isEqualTo(Weakness.SHORT);
    assertThat(weakness("一二三四五六七八九十百千")).isNull();
  }

  @Test
  void acceptsTwoHundredCharactersAndRejectsOneMore() {
    String long200 = "cart lamp 7 river stone ".repeat(9).substring(0, 199) + "!";

    assertThat(weakness(long200)).isNull();
    assertThat(weakness(long200 + "!")).isEqualTo(Weakness.LONG);
  }

  @ParameterizedTest
  @CsvSource({
    "password1234, COMMON",
    "PassWord2024!!, COMMON",
    "123Password!!!, COMMON",
    "iloveyou1314, COMMON",
    "1qaz2wsx3edc, COMMON",
    "Woaini123456, COMMON",
    "sunshinesunshine, COMMON",
    "aaaaaaaaaaaa, REPEATED",
    "abcabcabcabc, REPEATED",
    "wxyzwxyzwxyz, REPEATED",
    "abcdefghijkl, SEQUENTIAL",
    "987654321098, SEQUENTIAL",
    "qwertyuiop12, SEQUENTIAL",
    "abcd4321efgh, SEQUENTIAL",
    "stockroom123, PERSONAL",
    "Li.Wei@Shop.com, PERSONAL",
    "li.wei-12345, PERSONAL",
    "Yiwu Shoes 99, PERSONAL",
  })
  void rejectsCommonlyGuessedPasswords(String password, Weakness weakness) {
    assertThat(weakness(password)).isEqualTo(weakness);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "three words in a row",
        "my password is 9 apples",
        "password river stone",
        "abc4321xyz09k",
        "wxyzuwxyzvwq",
        "stockroom tinlids",
        "Yiwu Shoes river99",
      })
  void acceptsPasswordsThatOnlyLookWeak(String password) {
    assertThat(weakness(password)).isNull();
  }

  @Test
  void knowsThousandsOfCommonPasswordsEachOnce() throws IOException {
    try (InputStream stream =
        PasswordRules.class.getResourceAsStream("/people/common-passwords.txt")) {
      List<String> lines =
          new String(Objects.requireNonNull(stream).readAllBytes(), StandardCharsets.UTF_8)
              .lines()
              .filter(line -> !line.startsWith("#"))
              .toList();

      assertThat(lines).hasSizeGreaterThan(3000).allMatch(line -> line.length() >= 8);
      assertThat(new HashSet<>(lines)).hasSameSizeAs(lines);
    }
  }

  private static @Nullable Weakness weakness(String password) {
    return PasswordRules.weakness(password, "li.wei@shop.com", "Yiwu Shoes");
  }
}
