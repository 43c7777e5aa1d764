package io.stockroom.pictures;

import static org.assertj.core.api.Assertions.assertThat;

import io.stockroom.server.testing.Admin;
import io.stockroom.server.testing.Api;
import io.stockroom.server.testing.Http;
import io.stockroom.server.testing.Reply;
import io.stockroom.server.testing.TestMerchant;
import io.stockroom.server.testing.TestServer;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Pictures in an S3-compatible store: a real one, until it is stopped. */
class PicturesInS3Test {
  private static S3Server store;

  private final TestMerchant merchant = TestMerchant.fresh();
  private final TestServer inS3 = TestServer.with(store.settings("s3"));
  private final TestServer inDatabase = TestServer.with(store.settings("database"));
  private final Api api = merchant.api();

  @BeforeAll
  static void start() throws IOException {
    store = S3Server.start();
  }

  @AfterAll
  static void stop() throws IOException {
    store.close();
  }

  private static HttpRequest.Builder get(TestServer server, String path) {
    return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + path));
  }

  private String stored(TestServer server, int shade) {
    return PictureUploads.stored(api.on(server), "", PictureUploads.jpeg(500, 100, shade));
  }

  private List<String> places() {
    return merchant.texts("select place from picture where merchant_id = ?");
  }

  /** How many bytes lie in the database. */
  private List<String> inTable() {
    return merchant.texts("select count(*)::text from picture_content where merchant_id = ?");
  }

  private static JsonNode move(TestServer server) {
    int missing = 0;
    JsonNode step;
    do {
      Reply reply =
          Admin.of(server).post("/admin/pictures/move", "{\"skip\":%d}".formatted(missing));
      assertThat(reply.status()).as(reply.whole()).isEqualTo(200);
      step = reply.json();
      missing += step.get("missing").asInt();
    } while (step.get("left").asInt() > missing);
    return step;
  }

  @Test
  void storesAndServesAndDeletes() throws SQLException {
    String path = stored(inS3, 1);

    String name = path.substring("/pictures/".length());
    assertThat(store.keys(merchant.id()))
        .containsExactlyInAnyOrder(
            name, name.replace(".jpg", "-80.jpg"), name.replace(".jpg", "-400.jpg"));
    assertThat(places()).containsExactly("s3");
    assertThat(inTable()).containsExactly("0");
    byte[] whole = Http.download(get(inS3, path));
    assertThat(whole).startsWith(0xFF, 0xD8, 0xFF);
    assertThat(Http.download(get(inDatabase, path))).isEqualTo(whole);
    assertThat(Http.download(get(inS3, path.replace(".jpg", "-80.jpg"))).length)
        .isLessThan(whole.length);
    merchant.server().cells().of(merchant.id()).write(PicturesInS3Test::age);
    inS3.pictures().unused().removeOld(merchant.id());
    assertThat(places()).isEmpty();
    assertThat(store.keys(merchant.id())).isEmpty();
  }

  private static int age(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      return statement.executeUpdate(
          "update picture set unused_since = now() - interval '31 days' where place = 's3'");
    }
  }

  @Test
  void movesThereAndBackWhileTheAddressesStay() {
    String path = stored(inDatabase, 2);
    byte[] whole = Http.download(get(inDatabase, path));
    assertThat(places()).containsExactly("database");

    assertThat(move(inS3).get("to").asString()).isEqualTo("s3");

    assertThat(places()).containsExactly("s3");
    assertThat(inTable()).containsExactly("0");
    assertThat(store.keys(merchant.id())).hasSize(3);
    move(inDatabase);
    assertThat(places()).containsExactly("database");
    assertThat(inTable()).containsExactly("3");
    assertThat(store.keys(merchant.id())).isEmpty();
    assertThat(Http.download(get(inDatabase, path))).isEqualTo(whole);
  }

  private static Map<String, String> publicUrl() {
    Map<String, String> settings = new HashMap<>(store.settings("s3"));
    settings.put("pictures.s3.public-url", "https://cdn.example/p/");
    return settings;
  }

  @Test
  void redirectsToAPublicBucket() {
    String path = stored(inS3, 3);

    Reply reply = Http.send(get(TestServer.with(publicUrl()), path.replace(".jpg", "-80.jpg")));

    assertThat(reply.status()).isEqualTo(302);
    assertThat(reply.header("location"))
        .contains(
            "https://cdn.example/p"
                + path.substring("/pictures".length()).replace(".jpg", "-80.jpg"));
  }

  @Test
  void deletesTheObjectsOfARemovedMerchant() throws IOException {
    stored(inS3, 4);
    assertThat(store.keys(merchant.id())).isNotEmpty();

    inS3.pictures().removeAll(merchant.id());

    assertThat(store.keys(merchant.id())).isEmpty();
  }

  @Test
  void saysThatTheStoreIsAwayAndStoresNothing() throws IOException {
    try (S3Server other = S3Server.start()) {
      TestServer server = TestServer.with(other.settings("s3"));
      String path = stored(server, 5);
      String inCell = stored(inDatabase, 6);
      other.stop();

      Reply reply = PictureUploads.send(api.on(server), "", PictureUploads.jpeg(300, 300, 7));

      assertThat(reply.status()).isEqualTo(503);
      assertThat(reply.codes()).containsExactly("PICTURES_UNAVAILABLE");
      assertThat(reply.header("retry-after")).isPresent();
      assertThat(places()).hasSize(2);
      Reply picture = Http.send(get(server, path));
      assertThat(picture.status()).isEqualTo(503);
      assertThat(picture.header("cache-control")).contains("no-store");
      assertThat(Http.send(get(server, inCell)).status()).isEqualTo(200);
      assertThat(api.on(server).call("/Usage").form("").send().status()).isEqualTo(200);
    }
  }
}
