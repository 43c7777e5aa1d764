package io.stockroom.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.stockroom.client.Credentials;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Two programs of one application share the create rate limit of one merchant. */
class TwoProgramsTest {
  private static final int BATCHES = 3;

  private final StockroomServer server = SharedServer.get();

  @Test
  void theSecondProgramIsNotStarved() throws Exception {
    TestMerchant merchant = server.merchant("Shared");
    merchant.setLimit("limits.create-interval", "PT1S");
    int pid = merchant.addProduct();
    Process endless = start(merchant, pid, 0);
    try {
      BufferedReader created = endless.inputReader(StandardCharsets.UTF_8);
      assertThat(created.readLine()).isEqualTo("created 1");
      Process second = start(merchant, pid, BATCHES);
      try {
        assertThat(second.inputReader(StandardCharsets.UTF_8).lines()).hasSize(BATCHES);
        assertThat(second.waitFor(30, TimeUnit.SECONDS)).isTrue();
        assertThat(second.exitValue()).isZero();
      } finally {
        second.destroyForcibly();
      }
      try (OutputStream end = endless.getOutputStream()) {
        end.write('\n');
      }
      assertThat(created.lines().count()).as("the first has its turns too").isGreaterThan(1);
      assertThat(endless.waitFor(60, TimeUnit.SECONDS)).isTrue();
      assertThat(endless.exitValue()).isZero();
    } finally {
      endless.destroyForcibly();
    }
  }

  private Process start(TestMerchant merchant, int pid, int batches) throws IOException {
    Credentials credentials = merchant.credentials();
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xmx128m",
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "-cp",
            System.getProperty("java.class.path"),
            CreatingProgram.class.getName(),
            server.address(),
            credentials.appid(),
            credentials.secret(),
            credentials.accesstoken(),
            Integer.toString(pid),
            Integer.toString(batches))
        .redirectError(ProcessBuilder.Redirect.INHERIT)
        .start();
  }
}
