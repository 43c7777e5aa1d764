package io.stockroom.server.console;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.ColorScheme;
import com.microsoft.playwright.options.ReducedMotion;
import io.stockroom.server.testing.ConsoleBrowser;
import io.stockroom.server.testing.TestServer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Looks at pages in both languages, three widths and two themes. Every width is looked at in both
 * languages, and every language in both themes; a theme changes colors and no layout. In each look
 * the layout must be whole; in some the page must look as its reference does, and axe must find
 * nothing.
 */
final class Looks {
  private enum Language {
    EN,
    ZH
  }

  private enum Screen {
    WIDE(1440, 900),
    MIDDLE(1024, 800),
    PHONE(390, 844);

    private final int width;
    private final int height;

    Screen(int width, int height) {
      this.width = width;
      this.height = height;
    }
  }

  private record Look(Language language, Screen screen, ColorScheme theme) {
    private String name() {
      return "%s-%d-%s".formatted(language, screen.width, theme).toLowerCase(Locale.ROOT);
    }
  }

  /** What axe looks at, in turn: between them, each language, theme and layout. */
  private static final List<Look> AXE =
      List.of(
          new Look(Language.EN, Screen.WIDE, ColorScheme.LIGHT),
          new Look(Language.ZH, Screen.PHONE, ColorScheme.DARK));

  /** What is compared with a picture. */
  private static final Set<Look> PICTURED =
      Set.of(
          new Look(Language.EN, Screen.WIDE, ColorScheme.LIGHT),
          new Look(Language.ZH, Screen.MIDDLE, ColorScheme.LIGHT),
          new Look(Language.ZH, Screen.PHONE, ColorScheme.DARK));

  private final LookPictures pictures;
  private final TestServer server;
  private final List<String> faults = new ArrayList<>();

  private Looks(String folder, TestServer server) {
    this.pictures = new LookPictures(folder);
    this.server = server;
  }

  /** Checks all scenes and tells all faults together; {@code folder} has their pictures. */
  static void check(String folder, TestServer server, List<LookScene> scenes) {
    Looks looks = new Looks(folder, server);
    for (Language language : Language.values()) {
      looks.tour(language, scenes);
    }
    looks.faults.addAll(looks.pictures.end());
    assertThat(looks.faults).as("pages that do not look as they should: %s", folder).isEmpty();
  }

  /** One page for all scenes: a tab takes longer to open than most pages take to load. */
  private void tour(Language language, List<LookScene> scenes) {
    try (ConsoleBrowser browser = in(language, ConsoleBrowser.on(server))) {
      Page page = browser.blank();
      page.emulateMedia(new Page.EmulateMediaOptions().setReducedMotion(ReducedMotion.REDUCE));
      for (LookScene scene : scenes) {
        look(scene, language, browser, page);
      }
    }
  }

  private static ConsoleBrowser in(Language language, ConsoleBrowser browser) {
    return language == Language.ZH ? browser.chinese() : browser;
  }

  private void look(LookScene scene, Language language, ConsoleBrowser browser, Page page) {
    try {
      page.unrouteAll();
      browser.signIn(scene.person());
      page.setViewportSize(Screen.WIDE.width, Screen.WIDE.height);
      browser.show(page, scene.path().get());
      scene.prepare().accept(page);
      // nothing is under the pointer, wherever the last click was
      page.mouse().move(0, 0);
      for (Screen screen : Screen.values()) {
        ColorScheme theme = theme(language, screen);
        page.emulateMedia(new Page.EmulateMediaOptions().setColorScheme(theme));
        page.setViewportSize(screen.width, screen.height);
        check(scene, new Look(language, screen, theme), browser, page);
      }
    } catch (RuntimeException broken) {
      throw new IllegalStateException(scene.name() + " in " + language, broken);
    }
  }

  private static ColorScheme theme(Language language, Screen screen) {
    boolean dark = (language == Language.ZH) != (screen == Screen.MIDDLE);
    return dark ? ColorScheme.DARK : ColorScheme.LIGHT;
  }

  private void check(LookScene scene, Look look, ConsoleBrowser browser, Page page) {
    String name = scene.name() + "-" + look.name();
    LayoutFacts.faults(page).forEach(fault -> faults.add(name + ": " + fault));
    // a stable choice for each scene: axe takes as long as all else together
    Look forAxe = AXE.get(Math.floorMod(scene.name().hashCode(), AXE.size()));
    if (scene.axe() && look.equals(forAxe)) {
      browser.faults(page).forEach(fault -> faults.add(name + ": " + fault));
    }
    if (PICTURED.contains(look)) {
      pictures.compare(page, scene, name).forEach(fault -> faults.add(name + ": " + fault));
    }
  }
}
