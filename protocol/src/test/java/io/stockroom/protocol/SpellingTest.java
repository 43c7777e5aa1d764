package io.stockroom.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SpellingTest {
  private static final List<String> FIELDS = List.of("size", "stock", "barCode");

  @ParameterizedTest
  @CsvSource({
    "barcode, barCode",
    "BARCODE, barCode",
    "bar_Code, barCode",
    "barCod, barCode",
    "stok, stock",
    "stocks, stock",
    "stack, stock",
    "Size, size",
    "sizes, size",
  })
  void findsANameThatDiffersInCaseOrByOneLetter(String name, String meant) {
    assertThat(Spelling.misspelled(name, FIELDS)).contains(meant);
  }

  @ParameterizedTest
  @ValueSource(strings = {"size", "barCode", "stcok", "bar", "quantity", "sizé", "size\n", ""})
  void suggestsNothingForKnownAndUnrelatedNames(String name) {
    assertThat(Spelling.misspelled(name, FIELDS)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"kitten, sitting, 3", "'', abc, 3", "same, same, 0", "creat, create, 1"})
  void countsEdits(String from, String to, int distance) {
    assertThat(Spelling.distance(from, to)).isEqualTo(distance);
  }
}
