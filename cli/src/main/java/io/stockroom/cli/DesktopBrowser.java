package io.stockroom.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The desktop's browser, if there is one. */
final class DesktopBrowser {
  private DesktopBrowser() {}

  /** Opens a URL; does nothing without a desktop or a browser. */
  static void open(Shell shell, String address) {
    boolean mac = System.getProperty("os.name", "").startsWith("Mac");
    boolean screen = shell.variable("DISPLAY") != null || shell.variable("WAYLAND_DISPLAY") != null;
    if (!shell.outIsTerminal() || !(mac || screen)) {
      return;
    }
    for (String name : mac ? List.of("open") : List.of("xdg-open", "gio")) {
      if (isInstalled(shell, name)) {
        start(name.equals("gio") ? List.of("gio", "open", address) : List.of(name, address));
        return;
      }
    }
  }

  private static boolean isInstalled(Shell shell, String name) {
    String path = shell.variable("PATH");
    for (String folder : (path == null ? "" : path).split(":", -1)) {
      if (!folder.isEmpty() && Files.isExecutable(Path.of(folder, name))) {
        return true;
      }
    }
    return false;
  }

  private static void start(List<String> command) {
    try {
      new ProcessBuilder(command)
          .redirectOutput(ProcessBuilder.Redirect.DISCARD)
          .redirectError(ProcessBuilder.Redirect.DISCARD)
          .start();
    } catch (IOException notStarted) {
      // the URL is printed as well
    }
  }
}
