package io.stockroom.pictures;

import io.stockroom.core.settings.PictureSettings;
import io.stockroom.core.settings.Settings;
import java.io.UncheckedIOException;
import java.net.URI;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.core.checksums.RequestChecksumCalculation;
import software.amazon.awssdk.core.checksums.ResponseChecksumValidation;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.NoSuchKeyException;
import software.amazon.awssdk.services.s3.model.S3Object;

/** Objects in a bucket of an S3-compatible store. Every request ends within seconds. */
final class S3Store implements AutoCloseable {
  private static final Duration CONNECT = Duration.ofSeconds(2);
  private static final Duration ATTEMPT = Duration.ofSeconds(5);
  private static final Duration CALL = Duration.ofSeconds(8);
  private static final int ATTEMPTS = 2;

  private final S3Client client;
  private final String bucket;

  S3Store(Settings settings) {
    AwsBasicCredentials credentials =
        AwsBasicCredentials.create(
            settings.get(PictureSettings.S3_ACCESS_KEY),
            settings.get(PictureSettings.S3_SECRET_KEY));
    client =
        S3Client.builder()
            .endpointOverride(URI.create(settings.get(PictureSettings.S3_ENDPOINT)))
            .region(Region.of(settings.get(PictureSettings.S3_REGION)))
            .credentialsProvider(StaticCredentialsProvider.create(credentials))
            .forcePathStyle(true)
            // not every compatible store knows the newer checksums
            .requestChecksumCalculation(RequestChecksumCalculation.WHEN_REQUIRED)
            .responseChecksumValidation(ResponseChecksumValidation.WHEN_REQUIRED)
            .httpClientBuilder(
                UrlConnectionHttpClient.builder().connectionTimeout(CONNECT).socketTimeout(ATTEMPT))
            .overrideConfiguration(
                options ->
                    options
                        .apiCallTimeout(CALL)
                        .apiCallAttemptTimeout(ATTEMPT)
                        .retryStrategy(retries -> retries.maxAttempts(ATTEMPTS)))
            .build();
    bucket = settings.get(PictureSettings.S3_BUCKET);
  }

  /** What a request does. */
  private interface Request<T extends @Nullable Object> {
    T send();
  }

  private static <T extends @Nullable Object> T send(Request<T> request) throws StoreUnavailable {
    try {
      return request.send();
    } catch (SdkException | UncheckedIOException failure) {
      throw new StoreUnavailable("the S3 store: " + failure.getMessage(), failure);
    }
  }

  void put(String key, byte[] content, String mediaType) throws StoreUnavailable {
    send(
        () ->
            client.putObject(
                put ->
                    put.bucket(bucket)
                        .key(key)
                        .contentType(mediaType)
                        .cacheControl(PicturesServlet.IMMUTABLE),
                RequestBody.fromBytes(content)));
  }

  /** Null if there is no such object. */
  byte @Nullable [] get(String key) throws StoreUnavailable {
    return S3Store.<byte @Nullable []>send(
        () -> {
          try {
            return client.getObjectAsBytes(get -> get.bucket(bucket).key(key)).asByteArrayUnsafe();
          } catch (NoSuchKeyException missing) {
            return null;
          }
        });
  }

  void delete(String key) throws StoreUnavailable {
    send(() -> client.deleteObject(delete -> delete.bucket(bucket).key(key)));
  }

  /** Deletes every object whose key begins so. */
  void deleteAll(String prefix) throws StoreUnavailable {
    send(
        () -> {
          client
              .listObjectsV2Paginator(list -> list.bucket(bucket).prefix(prefix))
              .contents()
              .stream()
              .map(S3Object::key)
              .toList()
              .forEach(key -> client.deleteObject(delete -> delete.bucket(bucket).key(key)));
          return prefix;
        });
  }

  @Override
  public void close() {
    client.close();
  }
}
