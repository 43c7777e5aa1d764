package io.stockroom.server.fuzz;

import java.io.IOException;
import java.util.Arrays;
import java.util.stream.Collectors;

/** The door by which Jazzer comes in; {@code lab/fuzz} names the target. */
public final class Fuzz {
  private static final Target TARGET = named(System.getProperty("stockroom.fuzz", ""));

  private Fuzz() {}

  /**
   * Some targets start a server when they are first asked, which takes longer than an input may.
   */
  public static void fuzzerInitialize() throws IOException {
    TARGET.run(new byte[0]);
  }

  public static void fuzzerTestOneInput(byte[] bytes) throws IOException {
    TARGET.run(bytes);
  }

  /** Writes the names of all targets. */
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
