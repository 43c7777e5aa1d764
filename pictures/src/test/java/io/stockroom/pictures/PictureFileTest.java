package io.stockroom.pictures;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.stockroom.protocol.ErrorCode;
import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Objects;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class PictureFileTest {
  private static final long MAX_PIXELS = 50_000_000;

  private static byte[] file(PictureType type) throws IOException {
    return switch (type) {
      case JPEG -> TestPictures.jpeg(500, 300);
      case PNG -> TestPictures.png(500, 300);
      case GIF ->
          TestPictures.encoded(
              TestPictures.image(500, 300, BufferedImage.TYPE_BYTE_INDEXED), "gif");
      case WEBP -> resource("photo.webp");
    };
  }

  private static byte[] resource(String name) throws IOException {
    try (InputStream in = PictureFileTest.class.getResourceAsStream(name)) {
      return Objects.requireNonNull(in, name).readAllBytes();
    }
  }

  private static PicturePixels.Made made(byte[] bytes) throws PictureRejection {
    return PicturePixels.make(PictureFile.read(bytes, MAX_PIXELS));
  }

  private static ErrorCode rejected(byte[] bytes) {
    PictureRejection rejection = catchThrowableOfType(PictureRejection.class, () -> made(bytes));
    return Objects.requireNonNull(rejection, "it was accepted").problem().code();
  }

  @ParameterizedTest
  @EnumSource(PictureType.class)
  void makesThumbnailsOfEachFormat(PictureType type) throws Exception {
    PicturePixels.Made made = made(file(type));

    assertThat(made.upright().type()).isEqualTo(type);
    assertThat(made.upright().width()).isEqualTo(500);
    assertThat(made.upright().height()).isEqualTo(300);
    assertThat(made.thumbnails()).containsOnlyKeys(400, 80);
    BufferedImage small = ImageIO.read(new ByteArrayInputStream(made.thumbnails().get(80)));
    assertThat(small.getWidth()).isEqualTo(80);
    assertThat(small.getHeight()).isEqualTo(48);
    assertThat((small.getRGB(10, 20) >> 16) & 0xFF).as("red").isGreaterThan(200);
    assertThat(small.getRGB(70, 20) & 0xFF).as("blue").isGreaterThan(200);
  }

  @ParameterizedTest
  @EnumSource(PictureType.class)
  void readsWhatItHasWrittenTheSame(PictureType type) throws Exception {
    PictureFile once = PictureFile.read(file(type), MAX_PIXELS);

    PictureFile twice = PictureFile.read(once.content(), MAX_PIXELS);

    assertThat(twice.content()).isEqualTo(once.content());
  }

  @ParameterizedTest
  @EnumSource(PictureType.class)
  void rejectsAFileWithoutItsEnd(PictureType type) throws Exception {
    byte[] whole = PictureFile.read(file(type), MAX_PIXELS).content();

    assertThat(rejected(Arrays.copyOf(whole, whole.length - 1)))
        .isEqualTo(ErrorCode.PICTURE_DAMAGED);
    assertThat(rejected(Arrays.copyOf(whole, whole.length / 2)))
        .isEqualTo(ErrorCode.PICTURE_DAMAGED);
    assertThat(rejected(Arrays.copyOf(whole, 14))).isEqualTo(ErrorCode.PICTURE_DAMAGED);
  }

  @ParameterizedTest
  @CsvSource({"1,400,200", "2,400,200", "3,400,200", "6,200,400", "8,200,400"})
  void turnsUprightAndForgetsThePosition(int orientation, int width, int height) throws Exception {
    PictureFile upright = made(TestPictures.photo(400, 200, orientation)).upright();

    assertThat(upright.width()).isEqualTo(width);
    assertThat(upright.height()).isEqualTo(height);
    assertThat(new String(upright.content(), StandardCharsets.ISO_8859_1))
        .doesNotContain("GPS", "Exif");
    BufferedImage image = ImageIO.read(new ByteArrayInputStream(upright.content()));
    assertThat(image.getWidth()).isEqualTo(width);
    boolean isRedFirst = ((image.getRGB(5, 5) >> 16) & 0xFF) > 200;
    assertThat(isRedFirst).isEqualTo(orientation == 1 || orientation == 6);
  }

  @Test
  void acceptsAPictureThatADecoderOnlyWarnsOf() throws Exception {
    // a GIF without a table of colors
    String pixel = "GIF87a\u0001\0\u0001\0\0\0\0,\0\0\0\0\u0001\0\u0001\0\0\u0002\u0002D\u0001\0;";

    PicturePixels.Made made = made(pixel.getBytes(StandardCharsets.ISO_8859_1));

    assertThat(made.upright().width()).isEqualTo(1);
    assertThat(made.thumbnails()).isEmpty();
  }

  @Test
  void convertsTheColorsOfPrinters() throws Exception {
    byte[] thumbnail = made(TestPictures.printed(200, 100)).thumbnails().get(80);

    int color = ImageIO.read(new ByteArrayInputStream(thumbnail)).getRGB(40, 20);
    assertThat((color >> 16) & 0xFF).as("red").isGreaterThan(180);
    assertThat((color >> 8) & 0xFF).as("green").isLessThan(80);
  }

  @Test
  void rejectsAJpegWithoutTheEndOfItsPixels() {
    byte[] jpeg = TestPictures.jpeg(400, 400);
    byte[] half = Arrays.copyOf(jpeg, jpeg.length * 2 / 3);
    half[half.length - 2] = (byte) 0xFF;
    half[half.length - 1] = (byte) 0xD9;

    assertThat(rejected(half)).isEqualTo(ErrorCode.PICTURE_DAMAGED);
  }

  @Test
  void dropsWhatFollowsThePicture() throws Exception {
    byte[] jpeg = TestPictures.jpeg(50, 50);
    byte[] longer = Arrays.copyOf(jpeg, jpeg.length + 1000);

    assertThat(PictureFile.read(longer, MAX_PIXELS).content())
        .isEqualTo(PictureFile.read(jpeg, MAX_PIXELS).content());
  }

  @Test
  void rejectsOnePixelTooMany() throws Exception {
    byte[] jpeg = TestPictures.jpeg(100, 50);

    assertThat(PictureFile.read(jpeg, 5000).width()).isEqualTo(100);
    PictureRejection rejection =
        catchThrowableOfType(PictureRejection.class, () -> PictureFile.read(jpeg, 4999));
    assertThat(rejection.problem().code()).isEqualTo(ErrorCode.PICTURE_PIXELS);
  }

  @Test
  void rejectsABombBeforeItDecodesIt() {
    byte[] bomb = TestPictures.bomb(60_000, 60_000);

    assertThat(bomb.length).isLessThan(1024);
    assertThat(rejected(bomb)).isEqualTo(ErrorCode.PICTURE_PIXELS);
    assertThat(rejected(TestPictures.bomb(-1, 60_000))).isEqualTo(ErrorCode.PICTURE_DAMAGED);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "<!DOCTYPE html><script>alert(1)</script>",
        "",
        "GIF8",
        "%PDF-1.7",
        "RIFF\0\0\0\0WAVE"
      })
  void rejectsOtherFiles(String content) {
    assertThat(rejected(content.getBytes(StandardCharsets.ISO_8859_1)))
        .isEqualTo(ErrorCode.PICTURE_FORMAT);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "<?xml version=\"1.0\"?>\n"
            + "<svg xmlns=\"http://www.w3.org/2000/svg\"><script>1</script></svg>",
        "\0\0\0\u001cftypavif",
        "\0\0\0\u001cftypheic",
        "BM123",
        "II*\0"
      })
  void namesFormatsThatItDoesNotKnow(String content) {
    assertThat(rejected(content.getBytes(StandardCharsets.ISO_8859_1)))
        .isEqualTo(ErrorCode.PICTURE_UNSUPPORTED);
  }
}
