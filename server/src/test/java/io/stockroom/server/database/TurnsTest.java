package io.stockroom.server.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.stockroom.server.testing.Eventually;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

class TurnsTest {
  private static final Duration LONG = Duration.ofSeconds(30);

  @Test
  void givesAsManyPlacesAsThereAre() throws SQLException {
    Turns turns = new Turns(2, Duration.ofMillis(1));
    turns.take();
    turns.take();

    assertThatThrownBy(turns::take)
        .isInstanceOf(SQLException.class)
        .satisfies(busy -> assertThat(Database.isUnavailable(busy)).isTrue());

    turns.give();
    turns.take();
  }

  @Test
  void servesThoseWhoWaitInTheOrderOfAsking() throws Exception {
    Turns turns = new Turns(1, LONG);
    turns.take();
    List<Integer> served = new CopyOnWriteArrayList<>();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      int number = i;
      Thread thread =
          Thread.ofPlatform()
              .start(
                  () -> {
                    take(turns);
                    served.add(number);
                    turns.give();
                  });
      threads.add(thread);
      assertThat(isWaiting(thread)).isTrue();
    }

    turns.give();
    for (Thread thread : threads) {
      thread.join();
    }

    assertThat(served).containsExactly(0, 1, 2, 3, 4);
  }

  @Test
  void sendsAwayThoseWhoWaitAndKeepsThePlaces() throws Exception {
    Turns turns = new Turns(1, LONG);
    turns.take();
    CompletableFuture<Throwable> refused = new CompletableFuture<>();
    Thread waiting =
        Thread.ofPlatform()
            .start(
                () -> {
                  try {
                    turns.take();
                  } catch (SQLException sentAway) {
                    refused.complete(sentAway);
                  }
                });
    assertThat(isWaiting(waiting)).isTrue();

    turns.sendAway();

    assertThat(refused.join()).hasMessageContaining("does not answer");
    turns.give();
    turns.take();
  }

  private static boolean isWaiting(Thread thread) {
    return Eventually.within(LONG, () -> thread.getState() == Thread.State.TIMED_WAITING);
  }

  private static void take(Turns turns) {
    try {
      turns.take();
    } catch (SQLException refused) {
      throw new IllegalStateException(refused);
    }
  }
}
