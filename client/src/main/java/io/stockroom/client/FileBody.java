package io.stockroom.client;

import io.stockroom.protocol.Sha256;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.HexFormat;

/**
 * A file as the body of a request. It is read twice: for the hash that the signature covers, and
 * when it is sent.
 *
 * @param hash its SHA-256 in lowercase hexadecimal digits
 */
record FileBody(Path path, String hash) {
  static final String TYPE = "application/octet-stream";
  private static final int BUFFER = 1 << 16;

  static FileBody of(Path path) {
    try (InputStream in = Files.newInputStream(path)) {
      MessageDigest digest = Sha256.digest();
      byte[] buffer = new byte[BUFFER];
      for (int length = in.read(buffer); length >= 0; length = in.read(buffer)) {
        digest.update(buffer, 0, length);
      }
      return new FileBody(path, HexFormat.of().formatHex(digest.digest()));
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  BodyPublisher publisher() {
    try {
      return BodyPublishers.ofFile(path);
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  /** The header that announces the hash, so that the server can check it before the file. */
  String contentDigest() {
    return "sha-256=:" + Base64.getEncoder().encodeToString(HexFormat.of().parseHex(hash)) + ":";
  }
}
