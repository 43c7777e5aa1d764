package io.stockroom.console;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.ColorScheme;
import com.microsoft.playwright.options.ReducedMotion;
import io.stockroom.server.testing.ConsoleBrowser;
import io.stockroom.server.testing.TestServer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Checks pages in both languages, three widths and two themes. Every scene appears in both
 * languages and all widths, in rotating combinations, so together they cover every language with
 * every width and theme. The layout is checked in each look, the picture in one look of each
 * language, and axe in one of these.
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

  private static final Look EN_WIDE = new Look(Language.EN, Screen.WIDE, ColorScheme.LIGHT);
  private static final Look EN_MIDDLE = new Look(Language.EN, Screen.MIDDLE, ColorScheme.DARK);
  private static final Look EN_PHONE = new Look(Language.EN, Screen.PHONE, ColorScheme.LIGHT);
  private static final Look ZH_WIDE = new Look(Language.ZH, Screen.WIDE, ColorScheme.DARK);
  private static final Look ZH_MIDDLE = new Look(Language.ZH, Screen.MIDDLE, ColorScheme.LIGHT);
  private static final Look ZH_PHONE = new Look(Language.ZH, Screen.PHONE, ColorScheme.DARK);

  /**
   * The looks of one scene.
   *
   * @param looks in order
   * @param pictured those compared with a picture
   */
  private record Turn(List<Look> looks, List<Look> pictured) {}

  private static final List<Look> SOME = List.of(EN_WIDE, EN_PHONE, ZH_MIDDLE, ZH_PHONE);
  private static final List<Look> OTHERS = List.of(EN_MIDDLE, EN_PHONE, ZH_WIDE, ZH_PHONE);
  private static final List<Turn> TURNS =
      List.of(
          new Turn(SOME, List.of(EN_WIDE, ZH_PHONE)),
          new Turn(OTHERS, List.of(EN_PHONE, ZH_WIDE)),
          new Turn(SOME, List.of(EN_PHONE, ZH_MIDDLE)),
          new Turn(OTHERS, List.of(EN_MIDDLE, ZH_PHONE)));

  private final LookPictures pictures;
  private final TestServer server;
  private final List<String> faults = new ArrayList<>();

  private Looks(String folder, TestServer server) {
    this.pictures = new LookPictures(folder);
    this.server = server;
  }

  /**
   * Checks all scenes and reports all problems together; {@code folder} contains their pictures.
   */
  static void check(String folder, TestServer server, List<LookScene> scenes) {
    Looks looks = new Looks(folder, server);
    for (Language language : Language.values()) {
      looks.tour(language, scenes);
    }
    looks.faults.addAll(looks.pictures.end());
    assertThat(looks.faults).as("pages that do not look as they should: %s", folder).isEmpty();
  }

  /** Uses one tab for all scenes, because opening a tab is slower than loading a page. */
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
      // so that the pointer hovers over nothing
      page.mouse().move(0, 0);
      Turn turn = TURNS.get(Math.floorMod(scene.name().hashCode(), TURNS.size()));
      for (Look look : turn.looks) {
        if (look.language == language) {
          page.emulateMedia(new Page.EmulateMediaOptions().setColorScheme(look.theme));
          page.setViewportSize(look.screen.width, look.screen.height);
          check(scene, look, turn, browser, page);
        }
      }
    } catch (RuntimeException broken) {
      throw new IllegalStateException(scene.name() + " in " + language, broken);
    }
  }

  private void check(LookScene scene, Look look, Turn turn, ConsoleBrowser browser, Page page) {
    String name = scene.name() + "-" + look.name();
    LayoutFacts.faults(page).forEach(fault -> faults.add(name + ": " + fault));
    // axe is slow: run it in one look, alternating between the languages
    int forAxe = Math.floorMod(scene.name().hashCode() / TURNS.size(), turn.pictured.size());
    if (scene.axe() && look.equals(turn.pictured.get(forAxe))) {
      browser.faults(page).forEach(fault -> faults.add(name + ": " + fault));
    }
    if (turn.pictured.contains(look)) {
      pictures.compare(page, scene, name).forEach(fault -> faults.add(name + ": " + fault));
    }
  }
}
