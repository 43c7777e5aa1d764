package io.stockroom.lab.bench;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class StatementLogTest {
  @Test
  void readsOnlyTheServersStatements() {
    String log =
        """
        stockroom|LOG:  execute <unnamed>: BEGIN
        bench|LOG:  statement: select 1
        stockroom|LOG:  execute S_12: select a,
        \t  b
        \tfrom t where c = $1
        stockroom|DETAIL:  Parameters: $1 = '7'
        bench|LOG:  execute S_1: select 2
        bench|DETAIL:  Parameters: $1 = '7'
        stockroom|LOG:  execute S_2: COMMIT
        """;

    assertThat(StatementLog.read(log.lines().toList()))
        .containsExactly("begin", "select a, b from t where c = ?", "commit");
  }

  @Test
  void writesNullForAParameterThatWasNull() {
    String log =
        """
        stockroom|LOG:  execute S_1: select coalesce($1::timestamptz, now()), $10, $2
        stockroom|DETAIL:  Parameters: $1 = NULL, $2 = 'NULL', $10 = '3'
        """;

    assertThat(StatementLog.read(log.lines().toList()))
        .containsExactly("select coalesce(null::timestamptz, now()), ?, ?");
  }
}
