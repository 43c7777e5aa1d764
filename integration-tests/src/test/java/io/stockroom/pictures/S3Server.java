package io.stockroom.pictures;

import io.stockroom.server.testing.Eventually;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.S3Object;

/** A real S3 server, with an empty bucket in memory, in a process of its own. */
final class S3Server implements AutoCloseable {
  private static final String BUCKET = "pictures";
  private static final String KEY = "test-key";
  private static final String SECRET = "test-secret-of-the-store";

  /** Maven writes it when it builds the module s3-server. */
  private static final Path CLASS_PATH = Path.of("s3-server", "target", "classpath");

  private final Path options;
  private final int port;
  private final Process process;
  private final S3Client client;

  private S3Server(Path options, int port) throws IOException {
    this.options = options;
    this.port = port;
    process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                Files.readString(CLASS_PATH).strip(),
                "org.gaul.s3proxy.Main",
                "--properties",
                options.toString())
            .redirectErrorStream(true)
            .redirectOutput(options.resolveSibling("log").toFile())
            .start();
    client =
        S3Client.builder()
            .endpointOverride(URI.create(endpoint()))
            .region(Region.US_EAST_1)
            .credentialsProvider(
                StaticCredentialsProvider.create(AwsBasicCredentials.create(KEY, SECRET)))
            .forcePathStyle(true)
            .httpClientBuilder(UrlConnectionHttpClient.builder())
            .build();
  }

  static S3Server start() throws IOException {
    Path folder = Files.createTempDirectory("s3-server");
    Path options = folder.resolve("options");
    int port;
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = free.getLocalPort();
    }
    Files.write(
        options,
        List.of(
            "s3proxy.endpoint=http://127.0.0.1:" + port,
            "s3proxy.authorization=aws-v2-or-v4",
            "s3proxy.identity=" + KEY,
            "s3proxy.credential=" + SECRET,
            "jclouds.provider=transient",
            "jclouds.identity=unused",
            "jclouds.credential=unused"));
    S3Server server = new S3Server(options, port);
    if (!Eventually.within(Duration.ofSeconds(50), server::answers)) {
      server.close();
      throw new IllegalStateException("the S3 server does not start");
    }
    server.client.createBucket(bucket -> bucket.bucket(BUCKET));
    return server;
  }

  private boolean answers() {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      return socket.isConnected();
    } catch (IOException notYet) {
      return false;
    }
  }

  private String endpoint() {
    return "http://127.0.0.1:" + port;
  }

  /** The settings of a server that can use the store. */
  Map<String, String> settings(String store) {
    return Map.of(
        "pictures.store", store,
        "pictures.s3.endpoint", endpoint(),
        "pictures.s3.bucket", BUCKET,
        "pictures.s3.access-key", KEY,
        "pictures.s3.secret-key", SECRET);
  }

  /** The keys of the objects of a merchant. */
  List<String> keys(int merchantId) {
    return client
        .listObjectsV2Paginator(list -> list.bucket(BUCKET).prefix(merchantId + "/"))
        .contents()
        .stream()
        .map(S3Object::key)
        .toList();
  }

  /** Ends the process, so that nobody answers. */
  void stop() {
    process.destroyForcibly();
    try {
      if (!process.waitFor(20, TimeUnit.SECONDS)) {
        throw new IllegalStateException("the S3 server does not end");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() throws IOException {
    stop();
    client.close();
    Files.deleteIfExists(options.resolveSibling("log"));
    Files.deleteIfExists(options);
    Files.deleteIfExists(options.getParent());
  }
}
