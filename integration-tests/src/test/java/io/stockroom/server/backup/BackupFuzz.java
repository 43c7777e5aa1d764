package io.stockroom.server.backup;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.stockroom.protocol.Sha256;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/** Fuzz target that opens bytes as a backup. */
public final class BackupFuzz {
  private BackupFuzz() {}

  /** Opens the file, or rejects it with a {@link BackupException}. */
  public static void open(byte[] file) throws IOException {
    for (byte[] bytes : List.of(file, sealed(file))) {
      openOne(bytes);
    }
    try {
      // unreachable through the file if its digest is wrong
      var _ = Manifest.read(new ByteArrayInputStream(file));
    } catch (IOException refused) {
      // expected: an invalid table of contents
    }
  }

  private static void openOne(byte[] bytes) throws IOException {
    Path path = Files.createTempFile("stockroom-fuzz-", ".backup");
    try {
      // not truncated first: that would force a write to disk
      Files.write(path, bytes, StandardOpenOption.WRITE);
      BackupFile.open(path, (_, _) -> {}).close();
    } catch (BackupException refused) {
      // expected
    } finally {
      Files.delete(path);
    }
  }

  /** The smallest valid backup. */
  public static byte[] smallest() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ZipOutputStream zip = new ZipOutputStream(bytes)) {
      zip.putNextEntry(new ZipEntry(BackupLayout.FIRST));
      zip.write(BackupLayout.EXPLANATION.getBytes(UTF_8));
      zip.putNextEntry(new ZipEntry(BackupLayout.MANIFEST));
      zip.write(smallestManifest().json());
      zip.setComment(BackupLayout.comment("0".repeat(BackupLayout.DIGEST_CHARACTERS)));
    }
    return sealed(bytes.toByteArray());
  }

  private static Manifest smallestManifest() {
    return new Manifest(Manifest.ONE_DATABASE, null, "7", "now", List.of(), List.of(), List.of());
  }

  /** The same bytes with the matching digest. */
  private static byte[] sealed(byte[] file) {
    if (file.length < BackupLayout.DIGEST_CHARACTERS) {
      return file;
    }
    byte[] content = Arrays.copyOf(file, file.length - BackupLayout.DIGEST_CHARACTERS);
    byte[] digest = HexFormat.of().formatHex(Sha256.digest().digest(content)).getBytes(US_ASCII);
    byte[] sealed = Arrays.copyOf(content, file.length);
    System.arraycopy(digest, 0, sealed, content.length, digest.length);
    return sealed;
  }
}
