package io.stockroom.pictures;

import io.stockroom.server.testing.Api;
import io.stockroom.server.testing.Call;
import io.stockroom.server.testing.Reply;
import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import javax.imageio.ImageIO;

/** Sends pictures to {@code /Product/Picture}. */
final class PictureUploads {
  private PictureUploads() {}

  /** A picture in one color; another shade is another picture. */
  static byte[] jpeg(int width, int height, int shade) {
    BufferedImage image = new BufferedImage(width, height, BufferedImage.TYPE_INT_RGB);
    Graphics2D graphics = image.createGraphics();
    graphics.setColor(new Color(shade));
    graphics.fillRect(0, 0, width, height);
    graphics.dispose();
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try {
      if (!ImageIO.write(image, "jpeg", out)) {
        throw new IllegalStateException("no JPEG writer");
      }
    } catch (IOException impossible) {
      throw new AssertionError(impossible);
    }
    return out.toByteArray();
  }

  /** A request with an HMAC that covers the body. */
  static Call call(Api api, String query, byte[] body, String key) {
    Call call = api.call("/Product/Picture").body("image/jpeg", body).hmac();
    if (!key.isEmpty()) {
      call.header("Idempotency-Key", key);
    }
    return query.isEmpty() ? call : call.query(query);
  }

  static Reply send(Api api, String query, byte[] body) {
    return call(api, query, body, "").send();
  }

  /** The path of a picture that is stored now. */
  static String stored(Api api, String query, byte[] body) {
    Reply reply = send(api, query, body);
    if (!reply.success()) {
      throw new IllegalStateException("not stored: " + reply.whole());
    }
    String address = reply.json().get("address").asString();
    return address.substring(address.indexOf("/pictures/"));
  }
}
