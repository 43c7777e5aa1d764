package io.stockroom.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TableTest {
  @ParameterizedTest
  @CsvSource({"abc,3", "鞋,2", "（a）,5", "ｱ,1", "한국,4", "é,1", "e\u0301,1", "𠮷,2", "—,1"})
  void computesTheDisplayWidth(String text, int width) {
    assertThat(Table.displayWidth(text)).isEqualTo(width);
  }

  @Test
  void cellsCannotFakeRows() {
    Table table = new Table("WHO", "WHAT");
    table.cells("a\nb", "c\u001b[2K\td");

    assertThat(table.lines()).containsExactly("WHO  WHAT", "a b  c?[2K d");
  }
}
