package io.stockroom.server;

import io.stockroom.core.database.StartException;
import io.stockroom.core.http.WebServer;
import io.stockroom.core.settings.Settings;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.KeyStoreException;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The certificate and key for serving TLS directly, as PEM files. */
record TlsFiles(Path certificate, Path key) {
  private static final byte[] PROBE = {1, 2, 3};

  /** Null if neither is set; rejects unusable files before the server starts. */
  static @Nullable TlsFiles of(Settings settings) {
    String certificate = settings.get(Settings.TLS_CERTIFICATE);
    String key = settings.get(Settings.TLS_KEY);
    if (certificate.isEmpty() && key.isEmpty()) {
      return null;
    }
    if (certificate.isEmpty() || key.isEmpty()) {
      throw new StartException(
          "The settings tls.certificate and tls.key must be set together; only %s is set."
              .formatted(key.isEmpty() ? "tls.certificate" : "tls.key"));
    }
    TlsFiles files = new TlsFiles(Path.of(certificate), Path.of(key));
    files.check(files.chain().getFirst(), files.privateKey());
    return files;
  }

  /** Both files as they are now, to notice replaced ones. */
  byte[] content() {
    return (read("tls.certificate", certificate) + read("tls.key", key))
        .getBytes(StandardCharsets.UTF_8);
  }

  /** The checked certificate and key, in memory. */
  KeyStore keyStore() {
    List<X509Certificate> chain = chain();
    PrivateKey secret = privateKey();
    check(chain.getFirst(), secret);
    try {
      KeyStore store = KeyStore.getInstance("PKCS12");
      store.load(null, null);
      store.setKeyEntry(
          "server",
          secret,
          WebServer.STORE_PASSWORD.toCharArray(),
          chain.toArray(X509Certificate[]::new));
      return store;
    } catch (IOException | GeneralSecurityException failure) {
      throw mismatch(failure);
    }
  }

  /** When the first certificate of the chain expires. */
  static Instant expiry(KeyStore keys) {
    try {
      return ((X509Certificate) keys.getCertificate("server")).getNotAfter().toInstant();
    } catch (KeyStoreException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  private void check(X509Certificate first, PrivateKey secret) {
    try {
      String algorithm =
          switch (secret.getAlgorithm()) {
            case "RSA" -> "SHA256withRSA";
            case "EC" -> "SHA256withECDSA";
            default -> secret.getAlgorithm();
          };
      Signature signature = Signature.getInstance(algorithm);
      signature.initSign(secret);
      signature.update(PROBE);
      byte[] signed = signature.sign();
      signature.initVerify(first);
      signature.update(PROBE);
      if (!signature.verify(signed)) {
        throw mismatch(null);
      }
    } catch (GeneralSecurityException otherKind) {
      throw mismatch(otherKind);
    }
  }

  private StartException mismatch(@Nullable Exception cause) {
    return new StartException(
        "The key in %s (tls.key) does not belong to the first certificate in %s (tls.certificate)."
            .formatted(key, certificate),
        cause);
  }

  private List<X509Certificate> chain() {
    byte[] text = read("tls.certificate", certificate).getBytes(StandardCharsets.ISO_8859_1);
    try {
      List<X509Certificate> chain =
          CertificateFactory.getInstance("X.509")
              .generateCertificates(new ByteArrayInputStream(text))
              .stream()
              .map(X509Certificate.class::cast)
              .toList();
      if (!chain.isEmpty()) {
        return chain;
      }
    } catch (CertificateException unreadable) {
      throw noCertificate(unreadable);
    }
    throw noCertificate(null);
  }

  private StartException noCertificate(@Nullable Exception cause) {
    return unusable("tls.certificate", certificate, "a certificate in PEM form", cause);
  }

  private PrivateKey privateKey() {
    try {
      return PemKey.read(read("tls.key", key));
    } catch (GeneralSecurityException | IllegalArgumentException unreadable) {
      throw unusable("tls.key", key, "an unencrypted private key in PEM form", unreadable);
    }
  }

  private static String read(String setting, Path file) {
    try {
      return Files.readString(file, StandardCharsets.ISO_8859_1);
    } catch (IOException unreadable) {
      throw unusable(setting, file, "a file that the server can read", unreadable);
    }
  }

  private static StartException unusable(
      String setting, Path file, String expected, @Nullable Exception cause) {
    return new StartException("%s (%s) must be %s.".formatted(file, setting, expected), cause);
  }
}
