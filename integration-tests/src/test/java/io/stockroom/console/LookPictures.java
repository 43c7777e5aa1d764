package io.stockroom.console;

import com.google.gson.JsonObject;
import com.microsoft.playwright.CDPSession;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.ViewportSize;
import java.awt.Graphics2D;
import java.awt.image.BufferedImage;
import java.awt.image.DataBufferInt;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import javax.imageio.ImageIO;
import org.jspecify.annotations.Nullable;

/**
 * Compares screenshots with half-size references in {@code src/test/looks}; {@code
 * -Dlooks.record=true} records the references again. Other browsers and fonts render differently,
 * so each folder records its environment, and nothing is compared in another one.
 */
final class LookPictures {
  private static final boolean RECORD = Boolean.getBoolean("looks.record");
  private static final Path DIFFERENCES = Path.of("target/looks");
  private static final String TAKEN_WITH = "taken-with.txt";

  /** How much a channel of a pixel may differ; the reduced palette causes small differences. */
  static final int MAX_CHANNEL_DIFFERENCE = 24;

  /** How many pixels may differ by more: fewer than a moved letter or icon. */
  static final int MAX_PIXELS = 40;

  private static final String FREEZE = LayoutFacts.script("freeze.js");
  private static final String SAMPLE =
      """
      <body style='font: 14px/20px system-ui, "Noto Sans CJK SC", sans-serif'>Stock 0123 <b>库存 有货</b>
      <code style='font-family: ui-monospace, "DejaVu Sans Mono", monospace'>app_01 库存</code> ✓ ✕ ⊘ ▾ ⇄ ⚠ ›</body>
      """;

  private final Path folder;
  private final Set<String> taken = new TreeSet<>();
  private @Nullable Boolean comparable;
  private @Nullable CDPSession devTools;
  private @Nullable Page devToolsPage;

  LookPictures(String name) {
    this.folder = Path.of("src/test/looks").resolve(name);
  }

  /** Takes a screenshot and returns its differences from the reference; empty if there are none. */
  List<String> compare(Page page, LookScene scene, String name) {
    if (!comparable(page)) {
      return List.of();
    }
    page.evaluate(
        FREEZE,
        Map.of(
            "same",
            scene.same().entrySet().stream()
                .map(each -> List.of(each.getKey(), each.getValue()))
                .toList(),
            "one",
            scene.measured()));
    taken.add(name + ".png");
    Path reference = folder.resolve(name + ".png");
    try {
      BufferedImage actual = screenshot(page);
      if (RECORD) {
        ImageIO.write(FewColors.of(actual), "png", reference.toFile());
        return List.of();
      }
      if (!Files.exists(reference)) {
        return List.of("there is no reference " + reference + "; record it");
      }
      return difference(
          ImageIO.read(reference.toFile()),
          actual,
          DIFFERENCES.resolve(String.valueOf(folder.getFileName())).resolve(name + ".png"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** References that no scene uses; deletes them when recording. */
  List<String> end() {
    if (comparable == null || !comparable) {
      return List.of();
    }
    List<String> left = new ArrayList<>();
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.toList()) {
        String name = String.valueOf(file.getFileName());
        if (!taken.contains(name) && !name.equals(TAKEN_WITH)) {
          if (RECORD) {
            Files.delete(file);
          } else {
            left.add(file + " belongs to no scene; record the references anew");
          }
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return left;
  }

  private boolean comparable(Page page) {
    if (comparable == null) {
      comparable = isComparable(page);
    }
    return comparable;
  }

  private boolean isComparable(Page page) {
    String here = browserAndFonts(page);
    Path file = folder.resolve(TAKEN_WITH);
    try {
      if (RECORD) {
        Files.createDirectories(folder);
        Files.writeString(file, here);
        return true;
      }
      String there = Files.readString(file);
      if (!there.equals(here)) {
        System.out.printf(
            "Pictures in %s are not compared: they were taken with %s, and here is %s.%n",
            folder, there.strip().replace('\n', ','), here.strip().replace('\n', ','));
      }
      return there.equals(here);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String browserAndFonts(Page page) {
    try (Page sample = page.context().newPage()) {
      sample.setViewportSize(480, 80);
      sample.setContent(SAMPLE);
      byte[] hash = MessageDigest.getInstance("SHA-256").digest(sample.screenshot());
      return "Chromium %s\nfonts %s\n"
          .formatted(
              sample.context().browser().version(),
              HexFormat.of().formatHex(hash).substring(0, 16));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The browser scales the screenshot, so only a quarter of the pixels is sent and decoded. */
  private BufferedImage screenshot(Page page) throws IOException {
    if (devTools == null || !page.equals(devToolsPage)) {
      devTools = page.context().newCDPSession(page);
      devToolsPage = page;
    }
    ViewportSize size = page.viewportSize();
    JsonObject clip = new JsonObject();
    clip.addProperty("x", 0);
    clip.addProperty("y", 0);
    clip.addProperty("width", size.width);
    clip.addProperty("height", size.height);
    clip.addProperty("scale", 0.5);
    JsonObject options = new JsonObject();
    options.add("clip", clip);
    options.addProperty("format", "png");
    options.addProperty("optimizeForSpeed", true);
    String png = devTools.send("Page.captureScreenshot", options).get("data").getAsString();
    return ImageIO.read(new ByteArrayInputStream(Base64.getDecoder().decode(png)));
  }

  /**
   * The differences of two pictures; empty if there are none. Writes {@code shown} if they differ.
   */
  static List<String> difference(BufferedImage expected, BufferedImage actual, Path shown)
      throws IOException {
    if (expected.getWidth() != actual.getWidth() || expected.getHeight() != actual.getHeight()) {
      return List.of(shown.getFileName() + ": the reference has another size; record it anew");
    }
    int[] one = pixels(expected);
    int[] other = pixels(actual);
    int pixels = 0;
    for (int i = 0; i < one.length; i++) {
      pixels += differs(one[i], other[i]) ? 1 : 0;
    }
    if (pixels <= MAX_PIXELS) {
      return List.of();
    }
    Files.createDirectories(shown.toAbsolutePath().getParent());
    BufferedImage marked = marked(one, other, actual.getWidth());
    ImageIO.write(beside(List.of(expected, actual, marked)), "png", shown.toFile());
    return List.of(
        "%d pixels differ; reference, page and difference are side by side in %s"
            .formatted(pixels, shown.toAbsolutePath()));
  }

  /** Draws the picture to convert it, because {@code getRGB} converts one pixel at a time. */
  private static int[] pixels(BufferedImage image) {
    BufferedImage plain =
        new BufferedImage(image.getWidth(), image.getHeight(), BufferedImage.TYPE_INT_RGB);
    Graphics2D graphics = plain.createGraphics();
    graphics.drawImage(image, 0, 0, null);
    graphics.dispose();
    return ((DataBufferInt) plain.getRaster().getDataBuffer()).getData();
  }

  /** The darkened page with differences in red. */
  private static BufferedImage marked(int[] expected, int[] actual, int width) {
    int height = actual.length / width;
    BufferedImage marked = new BufferedImage(width, height, BufferedImage.TYPE_INT_RGB);
    for (int i = 0; i < actual.length; i++) {
      int color = differs(expected[i], actual[i]) ? 0xFF0000 : actual[i] >> 2 & 0x3F3F3F;
      marked.setRGB(i % width, i / width, color);
    }
    return marked;
  }

  private static boolean differs(int one, int other) {
    for (int shift = 0; shift < 24; shift += 8) {
      if (Math.abs((one >> shift & 0xFF) - (other >> shift & 0xFF)) > MAX_CHANNEL_DIFFERENCE) {
        return true;
      }
    }
    return false;
  }

  private static BufferedImage beside(List<BufferedImage> images) {
    int width = images.stream().mapToInt(image -> image.getWidth() + 8).sum();
    BufferedImage all =
        new BufferedImage(width, images.getFirst().getHeight(), BufferedImage.TYPE_INT_RGB);
    Graphics2D graphics = all.createGraphics();
    int x = 0;
    for (BufferedImage image : images) {
      graphics.drawImage(image, x, 0, null);
      x += image.getWidth() + 8;
    }
    graphics.dispose();
    return all;
  }
}
