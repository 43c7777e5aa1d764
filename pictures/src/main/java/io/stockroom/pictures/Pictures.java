package io.stockroom.pictures;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.stockroom.core.catalogue.EmbeddedPictures;
import io.stockroom.core.database.Cells;
import io.stockroom.core.limits.Usage;
import io.stockroom.core.settings.FileSize;
import io.stockroom.core.settings.PictureSettings;
import io.stockroom.core.settings.Settings;
import io.stockroom.pictures.PicturePixels.Made;
import io.stockroom.pictures.PictureTable.Found;
import io.stockroom.pictures.PictureTable.Place;
import io.stockroom.pictures.PictureTable.Row;
import io.stockroom.protocol.ErrorCode;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Stores the merchants' pictures, and opens them. */
public final class Pictures implements AutoCloseable {
  /** The sizes of thumbnails: the longer side in pixels. */
  public static final List<Integer> THUMBNAILS = List.of(80, 400, 1200);

  private static final Logger log = LoggerFactory.getLogger(Pictures.class);
  private static final long CACHE_BYTES = 64L << 20;
  private static final Duration CACHED = Duration.ofMinutes(10);
  private static final int READ_WAIT_SECONDS = 2;

  /**
   * A picture or its thumbnail.
   *
   * @param location where a browser finds it; null: here
   */
  record Content(byte[] bytes, String mediaType, @Nullable String location) {}

  private record Key(int merchantId, String sha256, int size) {}

  private final Cells cells;
  private final PictureTable table;
  private final PictureContents contents;
  private final long maxBytes;
  private final long maxPixels;
  private final DecodingSlots slots;
  private final Supplier<String> baseUrl;
  private final Semaphore reads;
  private final Cache<Key, Content> cache;

  /**
   * @param serverUrl the public URL of the server, for {@code pictures.base-url} unset
   */
  public Pictures(Cells cells, Settings settings, Supplier<String> serverUrl) {
    this.cells = cells;
    contents = new PictureContents(settings);
    table = new PictureTable(cells, settings.get(PictureSettings.QUOTA));
    maxBytes = settings.get(PictureSettings.MAX_BYTES);
    int megapixels = settings.get(PictureSettings.MAX_MEGAPIXELS);
    maxPixels = megapixels * 1_000_000L;
    slots = new DecodingSlots(megapixels);
    String own = settings.get(PictureSettings.BASE_URL);
    baseUrl = own.isEmpty() ? serverUrl : () -> own;
    reads = new Semaphore(Math.max(1, settings.get(Settings.DATABASE_POOL_SIZE) / 4), true);
    cache =
        Caffeine.newBuilder()
            .maximumWeight(Math.min(CACHE_BYTES, Runtime.getRuntime().maxMemory() / 32))
            .weigher((Key _, Content content) -> content.bytes.length)
            .expireAfterWrite(CACHED)
            .build();
  }

  /** The largest file that is accepted. */
  public long maxBytes() {
    return maxBytes;
  }

  /**
   * Stores a picture with its thumbnails, unless it is stored already. It lies upright and without
   * metadata. One that no product refers to is removed after 30 days.
   *
   * @throws PictureRejection if the file is no picture, or too large, or the quota is used up
   * @throws StoreUnavailable if the store does not answer; nothing is stored
   */
  public StoredPicture store(int merchantId, InputStream in)
      throws SQLException, IOException, PictureRejection {
    byte[] bytes = in.readNBytes((int) Math.min(Integer.MAX_VALUE - 8, maxBytes + 1));
    if (bytes.length > maxBytes) {
      throw new PictureRejection(ErrorCode.PICTURE_TOO_LARGE, FileSize.shown(maxBytes));
    }
    PictureFile file = PictureFile.read(bytes, maxPixels);
    if (file.orientation() == 1) {
      Row known = table.touch(merchantId, sha256(file.content()));
      if (known != null) {
        return stored(merchantId, known);
      }
    }
    Made made =
        slots.run(merchantId, (long) file.width() * file.height(), () -> PicturePixels.make(file));
    PictureFile upright = made.upright();
    Row row =
        new Row(
            sha256(upright.content()),
            upright.type(),
            upright.width(),
            upright.height(),
            List.copyOf(made.thumbnails().keySet()),
            contents.place());
    Map<Integer, byte[]> sizes = new LinkedHashMap<>(made.thumbnails());
    sizes.put(0, upright.content());
    if (row.place() == Place.DATABASE) {
      table.insert(merchantId, row, sizes);
    } else {
      insertOutside(merchantId, row, sizes);
    }
    return stored(merchantId, row);
  }

  private void insertOutside(int merchantId, Row row, Map<Integer, byte[]> bytes)
      throws SQLException, IOException, PictureRejection {
    contents.put(merchantId, row, bytes);
    try {
      boolean isNew = table.insert(merchantId, row, bytes);
      // the same picture was perhaps deleted in between, with its bytes
      if (isNew && contents.get(merchantId, row, 0) == null) {
        contents.put(merchantId, row, bytes);
      }
    } catch (PictureRejection rejection) {
      contents.delete(merchantId, row);
      throw rejection;
    }
  }

  private StoredPicture stored(int merchantId, Row row) {
    String path = new PictureAddress(merchantId, row.sha256(), 0, row.type()).path();
    return new StoredPicture(
        row.sha256(), row.width(), row.height(), row.type(), path, baseUrl.get() + path);
  }

  /** Stores the pictures in descriptions of a merchant's products. */
  public EmbeddedPictures embedded(int merchantId) {
    return content -> {
      try {
        return store(merchantId, new ByteArrayInputStream(content)).address();
      } catch (PictureRejection unfit) {
        return null;
      } catch (SQLException | IOException failure) {
        log.warn("Cannot store a picture in a description: {}", failure.getMessage());
        return null;
      }
    };
  }

  /** The bytes of a picture; null if there is no such picture. */
  @Nullable Content open(PictureAddress address) throws SQLException, IOException {
    Key key = new Key(address.merchantId(), address.sha256(), address.size());
    Content cached = cache.getIfPresent(key);
    if (cached != null) {
      return cached;
    }
    Content content = read(address);
    if (content != null) {
      cache.put(key, content);
    }
    return content;
  }

  /** Reads few at a time, so that they leave connections to the calls. */
  private @Nullable Content read(PictureAddress address) throws SQLException, IOException {
    try {
      if (!reads.tryAcquire(READ_WAIT_SECONDS, TimeUnit.SECONDS)) {
        throw new StoreUnavailable("too many pictures are read");
      }
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      throw new StoreUnavailable("the server stops", stopped);
    }
    try {
      Found found = table.open(address.merchantId(), address.sha256(), address.size());
      return found == null || found.row().type() != address.type() ? null : content(address, found);
    } finally {
      reads.release();
    }
  }

  private @Nullable Content content(PictureAddress address, Found found) throws IOException {
    Row row = found.row();
    int size = row.shown(address.size());
    String location = contents.location(address, row);
    if (location != null) {
      return new Content(new byte[0], "", location);
    }
    byte[] bytes =
        row.place() == Place.S3 ? contents.get(address.merchantId(), row, size) : found.content();
    return bytes == null ? null : new Content(bytes, mediaType(row, size, bytes), null);
  }

  /** A thumbnail is PNG if it has transparent pixels, otherwise JPEG. */
  static String mediaType(Row row, int size, byte[] content) {
    if (size == 0) {
      return row.type().mediaType();
    }
    boolean isJpeg = content[0] == (byte) 0xFF;
    return (isJpeg ? PictureType.JPEG : PictureType.PNG).mediaType();
  }

  /** Whether the address is that of a picture of this merchant on this server. */
  public boolean isOurs(int merchantId, String address) {
    PictureAddress ours = parse(address);
    return ours != null && ours.merchantId() == merchantId;
  }

  /**
   * The address of a picture's thumbnail; the address itself if the picture is not on this server.
   *
   * @param size one of {@link #THUMBNAILS}
   */
  public String thumbnail(String address, int size) {
    if (!THUMBNAILS.contains(size)) {
      throw new IllegalArgumentException("no such size: " + size);
    }
    PictureAddress ours = parse(address);
    return ours == null ? address : baseUrl.get() + ours.thumbnail(size).path();
  }

  private @Nullable PictureAddress parse(String address) {
    String base = baseUrl.get();
    return address.startsWith(base) ? PictureAddress.parse(address.substring(base.length())) : null;
  }

  /** How much of its quota a merchant uses. */
  public Usage.Line usage(int merchantId) throws SQLException {
    return table.usage(merchantId);
  }

  /** The task that removes what is no longer used. */
  public UnusedPictures unused() {
    return new UnusedPictures(cells, contents);
  }

  public PictureMove move() {
    return new PictureMove(cells, table, contents);
  }

  /** Deletes what lies outside the database of a merchant whose data is removed. */
  public void removeAll(int merchantId) throws IOException {
    contents.deleteAll(merchantId);
  }

  @Override
  public void close() {
    contents.close();
  }

  private static String sha256(byte[] content) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(content));
    } catch (NoSuchAlgorithmException impossible) {
      throw new AssertionError(impossible);
    }
  }
}
