package io.stockroom.pictures;

import io.stockroom.core.settings.PictureSettings;
import io.stockroom.core.settings.Settings;
import io.stockroom.pictures.PictureTable.Place;
import io.stockroom.pictures.PictureTable.Row;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of pictures outside the database. Their keys are those of their addresses: {@code
 * 7/<sha256>-400.jpg}.
 */
final class PictureContents implements AutoCloseable {
  private final @Nullable S3Store s3;
  private final Place place;
  private final String publicUrl;

  PictureContents(Settings settings) {
    boolean hasS3 = !settings.get(PictureSettings.S3_ENDPOINT).isEmpty();
    s3 = hasS3 ? new S3Store(settings) : null;
    place = settings.get(PictureSettings.IN_S3) ? Place.S3 : Place.DATABASE;
    publicUrl = settings.get(PictureSettings.S3_PUBLIC_URL);
  }

  /** Where new pictures go. */
  Place place() {
    return place;
  }

  private static String key(int merchantId, Row row, int size) {
    return new PictureAddress(merchantId, row.sha256(), size, row.type()).key();
  }

  /** Where a browser finds the picture itself; null if this server sends it. */
  @Nullable String location(PictureAddress address, Row row) {
    return row.place() == Place.S3 && !publicUrl.isEmpty()
        ? publicUrl + "/" + key(address.merchantId(), row, row.shown(address.size()))
        : null;
  }

  private S3Store s3() throws StoreUnavailable {
    if (s3 == null) {
      throw new StoreUnavailable("pictures lie in an S3 store, and pictures.s3.endpoint is empty");
    }
    return s3;
  }

  /** Stores nothing, or everything. */
  void put(int merchantId, Row row, Map<Integer, byte[]> contents) throws StoreUnavailable {
    S3Store store = s3();
    try {
      for (Map.Entry<Integer, byte[]> content : contents.entrySet()) {
        int size = content.getKey();
        String mediaType = Pictures.mediaType(row, size, content.getValue());
        store.put(key(merchantId, row, size), content.getValue(), mediaType);
      }
    } catch (StoreUnavailable failure) {
      try {
        delete(merchantId, row);
      } catch (StoreUnavailable stillAway) {
        failure.addSuppressed(stillAway);
      }
      throw failure;
    }
  }

  byte @Nullable [] get(int merchantId, Row row, int size) throws StoreUnavailable {
    return s3().get(key(merchantId, row, size));
  }

  /** The bytes of every size; null if one of them is missing. */
  @Nullable Map<Integer, byte[]> all(int merchantId, Row row) throws StoreUnavailable {
    Map<Integer, byte[]> contents = new LinkedHashMap<>();
    for (int size : sizes(row)) {
      byte[] content = get(merchantId, row, size);
      if (content == null) {
        return null;
      }
      contents.put(size, content);
    }
    return contents;
  }

  void delete(int merchantId, Row row) throws StoreUnavailable {
    S3Store store = s3();
    for (int size : sizes(row)) {
      store.delete(key(merchantId, row, size));
    }
  }

  private static List<Integer> sizes(Row row) {
    List<Integer> sizes = new ArrayList<>(row.thumbnails());
    sizes.add(0);
    return sizes;
  }

  /** Deletes everything of a merchant whose data is removed. */
  void deleteAll(int merchantId) throws StoreUnavailable {
    if (s3 != null) {
      s3.deleteAll(merchantId + "/");
    }
  }

  @Override
  public void close() {
    if (s3 != null) {
      s3.close();
    }
  }
}
