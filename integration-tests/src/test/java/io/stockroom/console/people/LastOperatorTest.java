package io.stockroom.console.people;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.stockroom.core.audit.Actor;
import io.stockroom.core.audit.Audit;
import io.stockroom.core.database.Cells;
import io.stockroom.core.database.Database;
import io.stockroom.core.database.Migrations;
import io.stockroom.server.testing.OwnDatabase;
import java.sql.SQLException;
import java.time.Clock;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

class LastOperatorTest {
  private static final Actor ACTOR = Actor.operator("127.0.0.1");

  @Test
  void keepsTheLastOperatorEvenIfTwoRemoveEachOtherConcurrently() throws Exception {
    try (Database database = new Database(OwnDatabase.withTables(), 4, new SimpleMeterRegistry())) {
      Migrations.run(database);
      People people =
          new People(
              database,
              new Passwords(),
              new SignInThrottle(Clock.systemUTC(), 10),
              new Audit(Cells.single(database)));
      int first = operator(people, "first@example.com");
      assertThat(people.removeButTheLastOperator(first, ACTOR))
          .isEqualTo(People.Removal.LAST_OPERATOR);
      int second = operator(people, "second@example.com");

      try (ExecutorService both = Executors.newFixedThreadPool(2)) {
        List<Callable<People.Removal>> removals =
            List.of(
                () -> people.removeButTheLastOperator(first, ACTOR),
                () -> people.removeButTheLastOperator(second, ACTOR));
        assertThat(both.invokeAll(removals))
            .extracting(Future::get)
            .containsExactlyInAnyOrder(People.Removal.DONE, People.Removal.LAST_OPERATOR);
      }
      assertThat(people.all(null)).hasSize(1);
      assertThat(people.removeButTheLastOperator(-1, ACTOR)).isEqualTo(People.Removal.MISSING);
    }
  }

  private static int operator(People people, String email) throws SQLException {
    return Objects.requireNonNull(people.add(email, null, EnumSet.of(Role.OPERATOR), ACTOR))
        .personId();
  }
}
