package io.stockroom.pictures;

import com.twelvemonkeys.imageio.plugins.webp.WebPImageReaderSpi;
import io.stockroom.protocol.ErrorCode;
import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import javax.imageio.IIOImage;
import javax.imageio.ImageIO;
import javax.imageio.ImageReadParam;
import javax.imageio.ImageReader;
import javax.imageio.ImageWriteParam;
import javax.imageio.ImageWriter;
import javax.imageio.event.IIOReadProgressListener;
import javax.imageio.stream.MemoryCacheImageInputStream;
import javax.imageio.stream.MemoryCacheImageOutputStream;
import net.coobird.thumbnailator.Thumbnails;
import net.coobird.thumbnailator.util.exif.ExifFilterUtils;
import net.coobird.thumbnailator.util.exif.Orientation;

/** Decodes a picture, turns it upright, and makes it small. */
final class PicturePixels {
  /** The longer side of each thumbnail, the largest first: each is made from the one before. */
  static final List<Integer> SIZES = List.of(1200, 400, 80);

  /** Other warnings are about metadata. */
  private static final Pattern DAMAGE = Pattern.compile("(?i)corrupt|premature|truncated");

  private static final Duration MAX_DECODING = Duration.ofSeconds(10);

  /** From this side on every second pixel is enough for the largest thumbnail. */
  private static final int ENOUGH = 2 * SIZES.getFirst();

  private static final float QUALITY = 0.92f;
  private static final float THUMBNAIL_QUALITY = 0.82f;

  private PicturePixels() {}

  /** A picture that stands upright, with its thumbnails by their size; none is larger than it. */
  record Made(PictureFile upright, Map<Integer, byte[]> thumbnails) {}

  static Made make(PictureFile file) throws PictureRejection {
    boolean turns = file.orientation() != 1;
    try {
      BufferedImage image = decode(file, turns ? 1 : step(file));
      if (!turns) {
        return new Made(file, thumbnails(file, image));
      }
      BufferedImage turned =
          ExifFilterUtils.getFilterForOrientation(Orientation.typeOf(file.orientation()))
              .apply(image);
      PictureFile upright = encoded(file.type(), turned);
      return new Made(upright, thumbnails(upright, turned));
    } catch (IOException | RuntimeException damaged) {
      // decoders report damage with all kinds of exceptions
      throw new PictureRejection(ErrorCode.PICTURE_DAMAGED);
    }
  }

  private static int step(PictureFile file) {
    return Math.max(1, Math.max(file.width(), file.height()) / ENOUGH);
  }

  private static BufferedImage decode(PictureFile file, int step) throws IOException {
    ImageReader reader =
        file.type() == PictureType.WEBP
            ? new WebPImageReaderSpi().createReaderInstance()
            : ImageIO.getImageReadersByFormatName(file.type().word()).next();
    try (MemoryCacheImageInputStream in =
        new MemoryCacheImageInputStream(new ByteArrayInputStream(file.content()))) {
      reader.setInput(in, true, true);
      if (reader.getWidth(0) > file.width() || reader.getHeight(0) > file.height()) {
        throw new IOException("larger than it says");
      }
      // a decoder fills what is missing with gray, and warns
      boolean[] isDamaged = new boolean[1];
      reader.addIIOReadWarningListener(
          (_, warning) -> isDamaged[0] |= DAMAGE.matcher(warning).find());
      reader.addIIOReadProgressListener(new Deadline());
      ImageReadParam parameters = reader.getDefaultReadParam();
      parameters.setSourceSubsampling(step, step, 0, 0);
      BufferedImage image = reader.read(0, parameters);
      if (isDamaged[0]) {
        throw new IOException("damaged");
      }
      return image;
    } finally {
      reader.dispose();
    }
  }

  private static Map<Integer, byte[]> thumbnails(PictureFile file, BufferedImage image)
      throws IOException {
    int side = Math.max(file.width(), file.height());
    Map<Integer, byte[]> thumbnails = new LinkedHashMap<>();
    BufferedImage last = image;
    for (int size : SIZES) {
      if (size < side) {
        last = Thumbnails.of(last).size(size, size).imageType(imageType(image)).asBufferedImage();
        thumbnails.put(
            size,
            imageType(image) == BufferedImage.TYPE_INT_RGB
                ? jpeg(last, THUMBNAIL_QUALITY)
                : png(last));
      }
    }
    return thumbnails;
  }

  private static int imageType(BufferedImage image) {
    return image.getColorModel().hasAlpha()
        ? BufferedImage.TYPE_INT_ARGB
        : BufferedImage.TYPE_INT_RGB;
  }

  /** Nothing here writes WebP. */
  private static PictureFile encoded(PictureType before, BufferedImage image) throws IOException {
    boolean isJpeg = before != PictureType.PNG && !image.getColorModel().hasAlpha();
    return new PictureFile(
        isJpeg ? PictureType.JPEG : PictureType.PNG,
        image.getWidth(),
        image.getHeight(),
        1,
        isJpeg ? jpeg(image, QUALITY) : png(image));
  }

  private static byte[] jpeg(BufferedImage image, float quality) throws IOException {
    ImageWriter writer = ImageIO.getImageWritersByFormatName("jpeg").next();
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (MemoryCacheImageOutputStream out = new MemoryCacheImageOutputStream(bytes)) {
      ImageWriteParam parameters = writer.getDefaultWriteParam();
      parameters.setCompressionMode(ImageWriteParam.MODE_EXPLICIT);
      parameters.setCompressionQuality(quality);
      writer.setOutput(out);
      writer.write(null, new IIOImage(image, null, null), parameters);
    } finally {
      writer.dispose();
    }
    return bytes.toByteArray();
  }

  private static byte[] png(BufferedImage image) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (MemoryCacheImageOutputStream out = new MemoryCacheImageOutputStream(bytes)) {
      ImageIO.write(image, "png", out);
    }
    return bytes.toByteArray();
  }

  /** Stops a decoder that takes too long. */
  private static final class Deadline implements IIOReadProgressListener {
    private final long end = System.nanoTime() + MAX_DECODING.toNanos();

    @Override
    public void imageProgress(ImageReader source, float percentageDone) {
      if (System.nanoTime() > end) {
        throw new UncheckedIOException(new IOException("takes too long"));
      }
    }

    @Override
    public void sequenceStarted(ImageReader source, int minIndex) {}

    @Override
    public void sequenceComplete(ImageReader source) {}

    @Override
    public void imageStarted(ImageReader source, int imageIndex) {}

    @Override
    public void imageComplete(ImageReader source) {}

    @Override
    public void thumbnailStarted(ImageReader source, int imageIndex, int thumbnailIndex) {}

    @Override
    public void thumbnailProgress(ImageReader source, float percentageDone) {}

    @Override
    public void thumbnailComplete(ImageReader source) {}

    @Override
    public void readAborted(ImageReader source) {}
  }
}
