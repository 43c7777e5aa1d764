package io.stockroom.server.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import io.stockroom.server.testing.TestServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A short deterministic run of every target; {@code lab/fuzz} runs longer. */
class FuzzTest {
  private static final long SEED = 20_261_115;
  private static final int TIMES = 2_000;
  private static final Duration LONGEST = Duration.ofSeconds(5);

  /** Some targets use its database object; its start is not their time. */
  @BeforeAll
  static void startTheServer() {
    var _ = TestServer.shared();
  }

  @ParameterizedTest
  @EnumSource(Target.class)
  void parsesOrRejectsAnyInput(Target target) throws IOException {
    List<byte[]> corpus = Corpus.of(target);
    assertThat(corpus).isNotEmpty();
    for (byte[] bytes : corpus) {
      run(target, bytes);
    }
    Mutations mutations = new Mutations(SEED);
    for (int i = 0; i < TIMES; i++) {
      run(target, mutations.next(corpus));
    }
  }

  private static void run(Target target, byte[] bytes) throws IOException {
    long start = System.nanoTime();
    try {
      target.run(bytes);
    } catch (Throwable accident) {
      throw new AssertionError(
          target.word() + ": " + accident + ", see " + keep(target, bytes), accident);
    }
    assertThat(Duration.ofNanos(System.nanoTime() - start)).as(target.word()).isLessThan(LONGEST);
  }

  /** Move this file to {@code src/test/fuzz} after fixing the bug. */
  private static Path keep(Target target, byte[] bytes) throws IOException {
    Path folder = Files.createDirectories(Path.of("target", "fuzz"));
    return Files.write(folder.resolve(target.word() + "-accident"), bytes);
  }
}
