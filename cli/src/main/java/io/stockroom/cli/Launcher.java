package io.stockroom.cli;

import java.lang.reflect.Method;

/**
 * Starts the program, or says that it needs a newer Java. The only class that older ones can load:
 * it is compiled for Java 8, and names no other.
 */
public final class Launcher {
  private static final int NEEDED = 25;

  private Launcher() {}

  public static void main(String[] arguments) throws Exception {
    if (!isEnough(System.getProperty("java.specification.version"))) {
      System.err.println(
          "Stockroom needs Java "
              + NEEDED
              + " or newer, and this is Java "
              + System.getProperty("java.version")
              + " in "
              + System.getProperty("java.home")
              + ". Install Java "
              + NEEDED
              + ", for example from https://adoptium.net, and run it with that.");
      System.exit(1);
    }
    Method main = Class.forName("io.stockroom.cli.Main").getMethod("main", String[].class);
    main.invoke(null, (Object) arguments);
  }

  /** Whether a version, such as 1.8 or 25, can run the program. */
  static boolean isEnough(String version) {
    return Double.parseDouble(version) >= NEEDED;
  }
}
