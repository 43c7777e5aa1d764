package io.stockroom.lab.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class TwinCheckTest {
  @Test
  void readsTheStatementsOfATwinWithoutItsOwn() {
    String twin =
        """
        -- a comment; it is no statement
        \\set product :first + random(0, 3)
        -- Only for the driver: for arrays.
        select array[:product] as products \\gset
        begin;
        select a::text
        from t where p = :product and q = any (:products::int[]) \\gset
        commit;
        """;

    assertThat(TwinCheck.expected(twin.lines().toList()))
        .containsExactly(
            "begin", "select a::text from t where p = ? and q = any (?::int[])", "commit");
  }

  @Test
  void prefersWhatTheServerSendsInstead() {
    String twin =
        """
        --> select b
        --> from t where c = any (?);
        select a from t;
        """;

    assertThat(TwinCheck.expected(twin.lines().toList()))
        .containsExactly("select b from t where c = any (?)");
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "MIXED")
  void everyTwinHasStatements(Operation operation) throws IOException {
    Path twin = Path.of("twins").resolve(operation.twin());

    assertThat(TwinCheck.expected(Files.readAllLines(twin))).isNotEmpty();
  }

  @Test
  void readsOnlyTheServersStatements() {
    String log =
        """
        stockroom|LOG:  execute <unnamed>: BEGIN
        bench|LOG:  statement: select 1
        stockroom|LOG:  execute S_12: select a,
        \t  b
        \tfrom f( t ) where c = $1
        stockroom|DETAIL:  Parameters: $1 = '7'
        bench|LOG:  execute S_1: select 2
        bench|DETAIL:  Parameters: $1 = '7'
        stockroom|LOG:  execute S_7: update webhook set lease_until = now()
        stockroom|LOG:  execute S_8: select 1
        stockroom|LOG:  execute S_2: COMMIT
        """;

    assertThat(TwinCheck.statements(log.lines().toList()))
        .containsExactly("begin", "select a, b from f(t) where c = ?", "commit");
  }

  @Test
  void writesNullForAParameterThatWasNull() {
    String log =
        """
        stockroom|LOG:  execute S_1: select coalesce($1::timestamptz, now()), $10, $2
        stockroom|DETAIL:  Parameters: $1 = NULL, $2 = 'NULL', $10 = '3'
        """;

    assertThat(TwinCheck.statements(log.lines().toList()))
        .containsExactly("select coalesce(null::timestamptz, now()), ?, ?");
  }
}
