package io.stockroom.server.fuzz;

import java.io.IOException;
import java.util.Arrays;
import java.util.stream.Collectors;

/** The entry point for Jazzer; {@code lab/fuzz} selects the target. */
public final class Fuzz {
  private static final Target TARGET = named(System.getProperty("stockroom.fuzz", ""));

  private Fuzz() {}

  /** Some targets start a server on first use, which takes longer than the timeout of an input. */
  public static void fuzzerInitialize() throws IOException {
    TARGET.run(new byte[0]);
  }

  public static void fuzzerTestOneInput(byte[] bytes) throws IOException {
    TARGET.run(bytes);
  }

  /** Prints the names of all targets. */
  public static void main(String[] arguments) {
    System.out.println(words(" "));
  }

  private static Target named(String word) {
    return Arrays.stream(Target.values())
        .filter(target -> target.word().equals(word))
        .findFirst()
        .orElseThrow(
            () -> new IllegalArgumentException("no target " + word + "; there are " + words(", ")));
  }

  private static String words(String between) {
    return Arrays.stream(Target.values()).map(Target::word).collect(Collectors.joining(between));
  }
}
