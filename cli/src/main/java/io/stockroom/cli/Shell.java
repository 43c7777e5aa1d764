package io.stockroom.cli;

import java.io.BufferedOutputStream;
import java.io.Console;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The process environment of a command. Commands use only these streams and variables, so a test
 * can run the whole program in its own process.
 *
 * @param home the installation folder; data folders are below it
 * @param outIsTerminal whether a person reads the output
 * @param errIsTerminal whether progress can be drawn
 */
record Shell(
    InputStream in,
    PrintStream out,
    PrintStream err,
    Map<String, String> environment,
    Path home,
    boolean outIsTerminal,
    boolean errIsTerminal) {

  /** The shell of this process. */
  static Shell ofProcess() {
    return new Shell(
        System.in,
        new StandardOutput(),
        standardError(),
        System.getenv(),
        installedIn(),
        isTerminal(1),
        isTerminal(2));
  }

  /** The folder named by the launcher, or the current one. */
  static Path installedIn() {
    return Path.of(System.getProperty("stockroom.home", "."));
  }

  /** The environment variable; null if it is unset or blank. */
  @Nullable String variable(String name) {
    String value = environment.get(name);
    return value == null || value.isBlank() ? null : value.strip();
  }

  /** The user's language for {@code Accept-Language}; null if unknown. */
  @Nullable String language() {
    for (String name : List.of("LC_ALL", "LC_MESSAGES", "LANG")) {
      String locale = variable(name);
      if (locale != null) {
        String tag = locale.replaceFirst("[.@].*", "").replace('_', '-');
        return tag.matches("[a-z]{2}(-[A-Z]{2})?") ? tag : null;
      }
    }
    return null;
  }

  /** Quotes a word for a shell. */
  static String quoted(String word) {
    return word.matches("[A-Za-z0-9_@%+=:,./-]+") ? word : "'" + word.replace("'", "'\\''") + "'";
  }

  boolean wantsColor() {
    return outIsTerminal && variable("NO_COLOR") == null && !"dumb".equals(variable("TERM"));
  }

  boolean wantsDebugging() {
    return "1".equals(variable("STOCKROOM_DEBUG"));
  }

  /** Always UTF-8, like {@link StandardOutput}. */
  private static PrintStream standardError() {
    OutputStream stream = new BufferedOutputStream(new FileOutputStream(FileDescriptor.err));
    return new PrintStream(stream, true, StandardCharsets.UTF_8);
  }

  /** Java only reports whether both input and output are terminals; Linux reports each. */
  private static boolean isTerminal(int descriptor) {
    Path link = Path.of("/proc/self/fd/" + descriptor);
    if (!Files.isSymbolicLink(link)) {
      return Optional.ofNullable(System.console()).map(Console::isTerminal).orElse(false);
    }
    try {
      String device = Files.readSymbolicLink(link).toString();
      return device.startsWith("/dev/pts/")
          || device.startsWith("/dev/tty")
          || device.equals("/dev/console");
    } catch (IOException e) {
      return false;
    }
  }
}
