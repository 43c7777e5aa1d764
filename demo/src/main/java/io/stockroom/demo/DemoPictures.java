package io.stockroom.demo;

import io.stockroom.pictures.PictureRejection;
import io.stockroom.pictures.Pictures;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/** Stores the drawings that products of a merchant show, each one when it is first needed. */
final class DemoPictures {
  private final Pictures pictures;
  private final int merchantId;
  private final String server;
  private final Map<String, String> addresses = new HashMap<>();

  DemoPictures(Pictures pictures, int merchantId, String server) {
    this.pictures = pictures;
    this.merchantId = merchantId;
    this.server = server;
  }

  /** The address of a drawing, such as {@code loafer-brown}. */
  String address(String drawing) {
    return addresses.computeIfAbsent(drawing, this::stored);
  }

  private String stored(String drawing) {
    String file = "pictures/" + drawing + ".jpg";
    try (InputStream in = DemoPictures.class.getResourceAsStream(file)) {
      return server + pictures.store(merchantId, Objects.requireNonNull(in, file)).path();
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    } catch (SQLException | PictureRejection failure) {
      throw new IllegalStateException("cannot store " + file, failure);
    }
  }
}
