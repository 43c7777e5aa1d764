package io.stockroom.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LookPicturesTest {
  private static final int GRAY = 0x808080;

  @TempDir private Path folder;

  @Test
  void toleratesAFewPixelsAndShadesAndNoMore() throws IOException {
    int shade = LookPictures.MAX_CHANNEL_DIFFERENCE;
    int few = LookPictures.MAX_PIXELS;
    BufferedImage reference = picture(0, GRAY);

    assertThat(differs(reference, picture(0, GRAY))).isFalse();
    assertThat(differs(reference, picture(few, 0))).isFalse();
    assertThat(differs(reference, picture(400, GRAY + shade))).isFalse();
    assertThat(folder).isEmptyDirectory();

    assertThat(differs(reference, picture(few + 1, GRAY + shade + 1))).isTrue();
    assertThat(folder.resolve("page.png")).isNotEmptyFile();
    assertThat(differs(reference, new BufferedImage(20, 21, BufferedImage.TYPE_INT_RGB))).isTrue();
  }

  private boolean differs(BufferedImage reference, BufferedImage actual) throws IOException {
    return !LookPictures.difference(reference, actual, folder.resolve("page.png")).isEmpty();
  }

  /** A gray picture with this many pixels of another color. */
  private static BufferedImage picture(int others, int color) {
    BufferedImage picture = new BufferedImage(20, 20, BufferedImage.TYPE_INT_RGB);
    for (int i = 0; i < 400; i++) {
      picture.setRGB(i % 20, i / 20, i < others ? color : GRAY);
    }
    return picture;
  }
}
