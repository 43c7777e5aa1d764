package io.stockroom.server;

import io.stockroom.core.database.StartException;
import io.stockroom.core.settings.Settings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.ssl.pem.PemContent;

/** The certificate and key for serving TLS directly, as PEM files. */
record TlsFiles(Path certificate, Path key) {
  private static final byte[] PROBE = {1, 2, 3};

  /**
   * Only forward secrecy and authenticated encryption: all suites of TLS 1.3, and these of TLS 1.2.
   */
  private static final String CIPHERS =
      String.join(
          ",",
          "TLS_AES_256_GCM_SHA384",
          "TLS_AES_128_GCM_SHA256",
          "TLS_CHACHA20_POLY1305_SHA256",
          "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384",
          "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384",
          "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256",
          "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256",
          "TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256",
          "TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256");

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
    files.check();
    return files;
  }

  /** The Spring Boot properties that serve these files and reload replaced ones. */
  Map<String, Object> properties() {
    String bundle = "spring.ssl.bundle.pem.public.";
    return Map.of(
        bundle + "keystore.certificate",
        certificate.toUri().toString(),
        bundle + "keystore.private-key",
        key.toUri().toString(),
        bundle + "reload-on-update",
        true,
        bundle + "options.enabled-protocols",
        "TLSv1.2,TLSv1.3",
        bundle + "options.ciphers",
        CIPHERS,
        "spring.ssl.bundle.watch.file.quiet-period",
        "1s",
        "server.ssl.bundle",
        "public",
        "server.http2.enabled",
        true,
        "management.server.ssl.enabled",
        false);
  }

  private void check() {
    List<X509Certificate> chain = chain();
    PrivateKey secret = privateKey();
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
      signature.initVerify(chain.getFirst());
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
    try {
      List<X509Certificate> chain = content("tls.certificate", certificate).getCertificates();
      if (!chain.isEmpty()) {
        return chain;
      }
    } catch (IllegalStateException | IllegalArgumentException unreadable) {
      throw unusable("tls.certificate", certificate, "a certificate in PEM form", unreadable);
    }
    throw unusable("tls.certificate", certificate, "a certificate in PEM form", null);
  }

  private PrivateKey privateKey() {
    try {
      PrivateKey secret = content("tls.key", key).getPrivateKey();
      if (secret != null) {
        return secret;
      }
    } catch (IllegalStateException | IllegalArgumentException unreadable) {
      throw unusable("tls.key", key, "an unencrypted private key in PEM form", unreadable);
    }
    throw unusable("tls.key", key, "an unencrypted private key in PEM form", null);
  }

  private static PemContent content(String setting, Path file) {
    try {
      return PemContent.of(Files.readString(file));
    } catch (IOException unreadable) {
      throw unusable(setting, file, "a file that the server can read", unreadable);
    }
  }

  private static StartException unusable(
      String setting, Path file, String expected, @Nullable Exception cause) {
    return new StartException("%s (%s) must be %s.".formatted(file, setting, expected), cause);
  }
}
