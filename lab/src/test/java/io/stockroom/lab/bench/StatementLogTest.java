package io.stockroom.lab.bench;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class StatementLogTest {
  @Test
  void readsOnlyTheServersStatements() {
    String log =
        """
        stockroom 3/17|LOG:  execute <unnamed>: BEGIN
        bench 4/2|LOG:  statement: select 1
        stockroom 3/17|LOG:  execute S_12: select a,
        \t  b
        \tfrom t where c = $1
        stockroom 3/17|DETAIL:  Parameters: $1 = '7'
        bench 4/2|LOG:  execute S_1: select 2
        bench 4/2|DETAIL:  Parameters: $1 = '7'
        stockroom 3/17|LOG:  execute S_2: COMMIT
        """;

    assertThat(StatementLog.read(log.lines().toList()))
        .containsExactly("begin", "select a, b from t where c = ?", "commit");
  }

  @Test
  void writesNullForAParameterThatWasNull() {
    String log =
        """
        stockroom 3/17|LOG:  execute S_1: select coalesce($1::timestamptz, now()), $10, $2
        stockroom 3/17|DETAIL:  Parameters: $1 = NULL, $2 = 'NULL', $10 = '3'
        """;

    assertThat(StatementLog.read(log.lines().toList()))
        .containsExactly("select coalesce(null::timestamptz, now()), ?, ?");
  }

  @Test
  void leavesOutWhatTheServerDoesByItself() {
    String log =
        """
        stockroom 3/17|LOG:  execute S_1: BEGIN
        stockroom 5/8|LOG:  execute S_1: BEGIN
        stockroom 5/8|LOG:  execute S_7: update webhook set lease_until = now()
        stockroom 3/17|LOG:  execute S_3: select 1 from stock_entry
        stockroom 5/8|LOG:  execute S_2: COMMIT
        stockroom 3/17|LOG:  execute S_2: COMMIT
        """;

    assertThat(StatementLog.read(log.lines().toList()))
        .containsExactly("begin", "select 1 from stock_entry", "commit");
  }

  @Test
  void leavesOutTheBarrierBeforeAnAnswerIsStored() {
    String log =
        """
        stockroom 3/17|LOG:  execute S_1: select hash from log_head where merchant_id = $1
        stockroom 5/8|LOG:  execute S_7: select merchant_id, hash
        \tfrom log_head where merchant_id = any($1)
        """;

    assertThat(StatementLog.read(log.lines().toList()))
        .containsExactly("select hash from log_head where merchant_id = ?");
  }
}
