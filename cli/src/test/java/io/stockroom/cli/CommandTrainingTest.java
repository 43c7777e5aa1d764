package io.stockroom.cli;

import static org.assertj.core.api.Assertions.assertThatCode;

import org.junit.jupiter.api.Test;

class CommandTrainingTest {
  /** Without a server and a database, so that it also works while a program is installed. */
  @Test
  void runsCommandsByItself() {
    assertThatCode(CommandTraining::run).doesNotThrowAnyException();
  }
}
