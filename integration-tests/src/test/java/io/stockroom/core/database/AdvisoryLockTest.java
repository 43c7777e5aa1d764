package io.stockroom.core.database;

import static org.assertj.core.api.Assertions.assertThat;

import io.stockroom.server.testing.MainSources;
import io.stockroom.server.testing.TestServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class AdvisoryLockTest {
  @Test
  void everyLockHasANumberOfItsOwn() {
    assertThat(Arrays.stream(AdvisoryLock.values()).map(AdvisoryLock::key)).doesNotHaveDuplicates();
  }

  @Test
  void noStatementTakesALockThatIsNotInTheList() throws IOException {
    List<String> others =
        MainSources.files(".java", ".sql").stream()
            .filter(AdvisoryLockTest::takesALock)
            .map(file -> file.getFileName().toString())
            .toList();

    assertThat(others).containsExactly("AdvisoryLock.java");
  }

  private static boolean takesALock(Path source) {
    try {
      return Files.readString(source).contains("advisory_");
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void aLockKeepsOutItselfAndNoOther() throws Exception {
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
