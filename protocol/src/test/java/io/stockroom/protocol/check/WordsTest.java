package io.stockroom.protocol.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.stockroom.protocol.Language;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.ResourceBundle;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class WordsTest {
  @ParameterizedTest
  @EnumSource
  void everyMistakeIsNamedAndMendedInBothLanguages(Mistake mistake) {
    Finding finding = new Finding(mistake, "", "", "");

    assertThat(finding.what(Language.ENGLISH)).endsWith(".");
    assertThat(finding.fix(Language.ENGLISH)).isNotBlank();
    assertThat(finding.what(Language.CHINESE)).endsWith("。").containsPattern("[\\u4e00-\\u9fff]");
    assertThat(finding.fix(Language.CHINESE)).containsPattern("[\\u4e00-\\u9fff]");
  }

  @ParameterizedTest
  @EnumSource
  void everythingUncheckedIsExplained(Unchecked unchecked) {
    assertThat(unchecked.text(Language.ENGLISH)).endsWith(".");
    assertThat(unchecked.text(Language.CHINESE)).endsWith("。");
  }

  @Test
  void nothingIsExplainedThatIsGone() {
    Set<String> known = new TreeSet<>();
    Arrays.stream(Mistake.values())
        .flatMap(mistake -> Stream.of(mistake.name(), mistake.name() + ".fix"))
        .forEach(known::add);
    Arrays.stream(Unchecked.values()).forEach(each -> known.add("UNCHECKED." + each.name()));
    for (Language language : Language.values()) {
      List<String> keys =
          ResourceBundle.getBundle(
                  "io.stockroom.protocol.check.findings",
                  Locale.forLanguageTag(language.tag()),
                  ResourceBundle.Control.getNoFallbackControl(
                      ResourceBundle.Control.FORMAT_PROPERTIES))
              .keySet()
              .stream()
              .filter(key -> !key.startsWith("CAPTURE."))
              .toList();
      assertThat(new TreeSet<>(keys)).isEqualTo(known);
    }
  }
}
