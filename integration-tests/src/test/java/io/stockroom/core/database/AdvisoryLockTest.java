package io.stockroom.core.database;

import static org.assertj.core.api.Assertions.assertThat;

import io.stockroom.server.testing.MainSources;
import io.stockroom.server.testing.TestServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class AdvisoryLockTest {
  @Test
  void everyLockHasAUniqueNumber() {
    assertThat(Arrays.stream(AdvisoryLock.values()).map(AdvisoryLock::key)).doesNotHaveDuplicates();
  }

  @Test
  void everyAdvisoryLockIsListed() throws IOException {
    List<String> others =
        MainSources.files(".java", ".sql").stream()
            .filter(AdvisoryLockTest::takesALock)
            .map(file -> file.getFileName().toString())
            .toList();

    // of the latter, a trigger: the next test compares its number
    assertThat(others).containsExactlyInAnyOrder("AdvisoryLock.java", "V1__cell.sql");
  }

  @Test
  void theTriggerOfProductsTakesTheLockOfPictures() throws IOException {
    List<String> locks =
        MainSources.files(".sql").stream()
            .flatMap(AdvisoryLockTest::lines)
            .filter(line -> line.contains("advisory_"))
            .map(String::strip)
            .toList();

    assertThat(locks)
        .containsExactly(
            "perform pg_advisory_xact_lock_shared(%d);"
                .formatted(AdvisoryLock.PICTURES_IN_USE.key()));
  }

  private static Stream<String> lines(Path source) {
    try {
      return Files.readString(source).lines();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private static boolean takesALock(Path source) {
    try {
      return Files.readString(source).contains("advisory_");
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void aLockExcludesOnlyItself() throws Exception {
    Database database = TestServer.shared().database();
    database.write(
        connection -> {
          AdvisoryLock.AUDIT_CHECK.hold(connection);
          database.write(
              other -> {
                assertThat(AdvisoryLock.AUDIT_CHECK.tryHold(other)).isFalse();
                AdvisoryLock.FIRST_OPERATOR.hold(other);
                AdvisoryLock.IMPORT_QUOTA.hold(other, 1);
                return 0;
              });
          return 0;
        });
  }
}
