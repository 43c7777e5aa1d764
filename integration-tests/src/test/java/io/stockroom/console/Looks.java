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
 * Checks pages in both languages, three widths and two themes, in rotating pairs: together the
 * scenes cover every language with every width and theme. A scene is compared with one picture,
 * checked by axe in the same look, and its layout and contrast are also checked in a second look: a
 * page in its first state in the other language, because its text may not fit, and a prepared one
 * in the same language, without preparing it again.
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

  private static final List<Look> LOOKS =
      List.of(EN_WIDE, EN_MIDDLE, EN_PHONE, ZH_WIDE, ZH_MIDDLE, ZH_PHONE);

  /**
   * The looks of one scene.
   *
   * @param prepared the looks of a prepared scene, in one language, the widest first
   * @param pictured the one compared with a picture
   * @param translated the second look of any other scene, in the other language
   */
  private record Turn(List<Look> prepared, Look pictured, Look translated) {
    private static Turn of(LookScene scene) {
      return TURNS.get(Math.floorMod(scene.name().hashCode(), TURNS.size()));
    }

    private boolean shows(Look look) {
      return look.equals(pictured) || look.equals(translated);
    }
  }

  private static final List<Turn> TURNS =
      List.of(
          new Turn(List.of(EN_WIDE, EN_PHONE), EN_WIDE, ZH_PHONE),
          new Turn(List.of(ZH_WIDE, ZH_PHONE), ZH_WIDE, EN_PHONE),
          new Turn(List.of(EN_MIDDLE, EN_PHONE), EN_PHONE, ZH_MIDDLE),
          new Turn(List.of(ZH_MIDDLE, ZH_PHONE), ZH_PHONE, EN_MIDDLE));

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

  /**
   * Uses one tab for all scenes, because opening a tab is slower than loading a page. The scenes of
   * one look follow each other, because another size or theme lays out the page again.
   */
  private void tour(Language language, List<LookScene> scenes) {
    try (ConsoleBrowser browser = in(language, ConsoleBrowser.on(server))) {
      Page page = browser.blank();
      page.emulateMedia(new Page.EmulateMediaOptions().setReducedMotion(ReducedMotion.REDUCE));
      for (Look look : LOOKS) {
        List<LookScene> shown =
            scenes.stream()
                .filter(scene -> !scene.isPrepared() && Turn.of(scene).shows(look))
                .toList();
        if (look.language == language && !shown.isEmpty()) {
          arrange(page, look);
          shown.forEach(scene -> look(scene, List.of(look), browser, page));
        }
      }
      for (LookScene scene : scenes) {
        Turn turn = Turn.of(scene);
        if (scene.isPrepared() && turn.pictured.language == language) {
          look(scene, turn.prepared, browser, page);
        }
      }
    }
  }

  private static ConsoleBrowser in(Language language, ConsoleBrowser browser) {
    return language == Language.ZH ? browser.chinese() : browser;
  }

  private static void arrange(Page page, Look look) {
    page.emulateMedia(new Page.EmulateMediaOptions().setColorScheme(look.theme));
    page.setViewportSize(look.screen.width, look.screen.height);
  }

  private void look(LookScene scene, List<Look> looks, ConsoleBrowser browser, Page page) {
    try {
      browser.signIn(scene.person());
      if (scene.isPrepared()) {
        page.unrouteAll();
        page.setViewportSize(Screen.WIDE.width, Screen.WIDE.height);
      }
      browser.show(page, scene.path().get());
      if (scene.isPrepared()) {
        scene.prepare().accept(page);
        // so that the pointer hovers over nothing
        page.mouse().move(0, 0);
      }
      for (Look look : looks) {
        if (scene.isPrepared()) {
          arrange(page, look);
        }
        check(scene, look, browser, page);
      }
    } catch (RuntimeException broken) {
      throw new IllegalStateException(scene.name() + " in " + looks, broken);
    }
  }

  private void check(LookScene scene, Look look, ConsoleBrowser browser, Page page) {
    String name = scene.name() + "-" + look.name();
    LayoutFacts.faults(page).forEach(fault -> faults.add(name + ": " + fault));
    if (!look.equals(Turn.of(scene).pictured)) {
      return;
    }
    if (scene.axe()) {
      browser.faultsBesidesLayout(page).forEach(fault -> faults.add(name + ": " + fault));
    }
    pictures.compare(page, scene, name).forEach(fault -> faults.add(name + ": " + fault));
  }
}
