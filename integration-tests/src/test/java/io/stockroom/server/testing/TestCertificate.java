package io.stockroom.server.testing;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** A self-signed certificate for localhost and its key, in PEM form. */
public record TestCertificate(String certificate, String key) {
  /** Makes one that is valid for two days. */
  public static TestCertificate make(String name) {
    try {
      Path store = Files.createTempDirectory("stockroom-tls-").resolve("store.p12");
      Process keytool =
          new ProcessBuilder(
                  Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                  "-J-XX:TieredStopAtLevel=1",
                  "-J-XX:+UseSerialGC",
                  "-genkeypair",
                  "-alias",
                  "a",
                  "-keyalg",
                  "EC",
                  "-dname",
                  "CN=" + name,
                  "-ext",
                  "san=dns:localhost",
                  "-validity",
                  "2",
                  "-storetype",
                  "PKCS12",
                  "-keystore",
                  store.toString(),
                  "-storepass",
                  "secret",
                  "-keypass",
                  "secret")
              .inheritIO()
              .start();
      assertThat(keytool.waitFor()).isZero();
      KeyStore keys = KeyStore.getInstance(store.toFile(), "secret".toCharArray());
      Certificate certificate = keys.getCertificate("a");
      byte[] key = keys.getKey("a", "secret".toCharArray()).getEncoded();
      Files.delete(store);
      Files.delete(store.getParent());
      return new TestCertificate(
          pem("CERTIFICATE", certificate.getEncoded()), pem("PRIVATE KEY", key));
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  private static String pem(String kind, byte[] bytes) {
    return "-----BEGIN %s-----%n%s%n-----END %s-----%n"
        .formatted(kind, Base64.getMimeEncoder().encodeToString(bytes), kind);
  }

  /** Writes both files, and returns the settings that name them. */
  public Map<String, String> write(Path folder) throws IOException {
    Path certificate = folder.resolve("certificate.pem");
    Path secret = folder.resolve("key.pem");
    Files.writeString(secret, key());
    Files.writeString(certificate, certificate());
    return Map.of("tls.certificate", certificate.toString(), "tls.key", secret.toString());
  }

  /** Trusts only these certificates. */
  public static SSLContext trusting(List<TestCertificate> certificates)
      throws GeneralSecurityException, IOException {
    KeyStore trusted = KeyStore.getInstance("PKCS12");
    trusted.load(null, null);
    for (TestCertificate each : certificates) {
      Certificate certificate =
          CertificateFactory.getInstance("X.509")
              .generateCertificate(new ByteArrayInputStream(each.certificate().getBytes(US_ASCII)));
      trusted.setCertificateEntry(Integer.toString(trusted.size()), certificate);
    }
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(trusted);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, trust.getTrustManagers(), null);
    return context;
  }
}
