package io.stockroom.core.catalogue;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class SearchTextTest {
  @Test
  void writesEveryCharacterInAsciiOfOneCase() {
    assertThat(SearchText.of(List.of("AB-1", "Ｓｈｏｅ  x", "a\tb"))).isEqualTo(" ab-1 shoe x a b");
    assertThat(SearchText.of(List.of("女鞋"))).isEqualTo(" ~0ho3~0txn");
    assertThat(SearchText.of(List.of("a~b"))).isEqualTo(" a b");
  }

  @Test
  void asksForEachWordAnywhereButForShortWordsAtTheirBeginning() {
    assertThat(SearchText.patterns("  Red  boot ")).containsExactly("%red%", "%boot%");
    assertThat(SearchText.patterns("ab abc")).containsExactly("% ab%", "%abc%");
    assertThat(SearchText.patterns("女")).containsExactly("%~0ho3%");
    assertThat(SearchText.patterns("10%_\\x")).containsExactly("%10\\%\\_\\\\x%");
    assertThat(SearchText.patterns(" ")).isEmpty();
    assertThat(SearchText.patterns("a b c d e f g h i j")).hasSize(8);
  }
}
