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

class CheckTextsTest {
  @ParameterizedTest
  @EnumSource
  void everyCauseHasADescriptionAndAFixInBothLanguages(Cause cause) {
    CheckProblem problem = new CheckProblem(cause, "", "", "");

    assertThat(problem.what(Language.ENGLISH)).endsWith(".");
    assertThat(problem.fix(Language.ENGLISH)).isNotBlank();
    assertThat(problem.what(Language.CHINESE)).endsWith("。").containsPattern("[\\u4e00-\\u9fff]");
    assertThat(problem.fix(Language.CHINESE)).containsPattern("[\\u4e00-\\u9fff]");
  }

  @ParameterizedTest
  @EnumSource
  void everyUncheckedReasonIsExplainedInBothLanguages(Unchecked unchecked) {
    assertThat(unchecked.text(Language.ENGLISH)).endsWith(".");
    assertThat(unchecked.text(Language.CHINESE)).endsWith("。");
  }

  @Test
  void noTextBelongsToARemovedCause() {
    Set<String> known = new TreeSet<>();
    Arrays.stream(Cause.values())
        .flatMap(cause -> Stream.of(cause.name(), cause.name() + ".fix"))
        .forEach(known::add);
    Arrays.stream(Unchecked.values()).forEach(each -> known.add("UNCHECKED." + each.name()));
    for (Language language : Language.values()) {
      List<String> keys =
          ResourceBundle.getBundle(
                  "io.stockroom.protocol.check.causes",
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
