package io.stockroom.pictures;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.stockroom.server.testing.Api;
import io.stockroom.server.testing.Http;
import io.stockroom.server.testing.Reply;
import io.stockroom.server.testing.Stock;
import io.stockroom.server.testing.TestMerchant;
import io.stockroom.server.testing.TestServer;
import java.net.URI;
import java.net.http.HttpRequest;
import java.util.Arrays;
import java.util.Base64;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** {@code /Product/Picture}, and the addresses that it answers. */
class PictureCallTest {
  private static final byte[] JPEG = PictureUploads.jpeg(500, 300, 0xB3263A);

  private final TestMerchant merchant = TestMerchant.fresh();
  private final Api api = merchant.api();

  private static HttpRequest.Builder get(TestServer server, String path) {
    return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + path));
  }

  private Reply fetched(String path, String... headers) {
    HttpRequest.Builder request = get(merchant.server(), path);
    if (headers.length > 0) {
      request.headers(headers);
    }
    return Http.send(request);
  }

  private JsonNode detail(int pid) {
    return api.detail(pid).json().get("data");
  }

  @Test
  void storesAPictureThatAnyoneCanFetch() {
    Reply reply = PictureUploads.send(api, "", JPEG);

    assertThat(reply.json().get("width").asInt()).isEqualTo(500);
    assertThat(reply.json().get("number").isNull()).isTrue();
    String sha256 = reply.json().get("sha256").asString();
    String address = reply.json().get("address").asString();
    assertThat(address).endsWith("/pictures/" + merchant.id() + "/" + sha256 + ".jpg");
    String path = address.substring(address.indexOf("/pictures/"));
    Reply picture = fetched(path);
    assertThat(picture.status()).isEqualTo(200);
    assertThat(picture.header("content-type")).contains("image/jpeg");
    assertThat(picture.header("cache-control")).contains("public, max-age=31536000, immutable");
    assertThat(picture.header("x-content-type-options")).contains("nosniff");
    assertThat(picture.header("content-security-policy")).contains("default-src 'none'");
    assertThat(picture.header("set-cookie")).isEmpty();
    byte[] small = Http.download(get(merchant.server(), path.replace(".jpg", "-80.jpg")));
    byte[] whole = Http.download(get(merchant.server(), path));
    assertThat(small.length).isBetween(100, whole.length - 1);
    // there is none so large
    assertThat(Http.download(get(merchant.server(), path.replace(".jpg", "-1200.jpg"))))
        .isEqualTo(whole);
  }

  @Test
  void answersWhatABrowserHasAndParts() {
    String path = PictureUploads.stored(api, "", JPEG);
    String tag = fetched(path).header("etag").orElseThrow();
    int length = Http.download(get(merchant.server(), path)).length;

    assertThat(fetched(path, "If-None-Match", tag).status()).isEqualTo(304);
    assertThat(fetched(path, "If-None-Match", "\"x\"").status()).isEqualTo(200);
    Reply part = fetched(path, "Range", "bytes=10-19");
    assertThat(part.status()).isEqualTo(206);
    assertThat(part.header("content-range")).contains("bytes 10-19/" + length);
    assertThat(part.header("content-length")).contains("10");
    assertThat(fetched(path, "Range", "bytes=-5").header("content-range"))
        .contains("bytes %d-%d/%d".formatted(length - 5, length - 1, length));
    assertThat(fetched(path, "Range", "bytes=%d-".formatted(length - 1)).status()).isEqualTo(206);
    assertThat(fetched(path, "Range", "bytes=%d-".formatted(length)).status()).isEqualTo(416);
    assertThat(fetched(path, "Range", "bytes=0-1,4-5").status()).isEqualTo(200);
    assertThat(fetched(path, "Range", "bytes=0-1", "If-Range", "\"x\"").status()).isEqualTo(200);
  }

  @ParameterizedTest
  @ValueSource(strings = {".png", "-81.jpg", "-80.png", ".jpg/x", ""})
  void knowsNoOtherAddress(String end) {
    String path = PictureUploads.stored(api, "", JPEG).replace(".jpg", end);

    Reply reply = fetched(path);

    assertThat(reply.status()).isEqualTo(404);
    assertThat(reply.codes()).containsExactly("PICTURE_MISSING");
  }

  @Test
  void showsNoPictureUnderAnotherMerchant() {
    String path = PictureUploads.stored(api, "", JPEG);
    String other = path.replace("/" + merchant.id() + "/", "/" + TestMerchant.fresh().id() + "/");

    assertThat(fetched(path).status()).isEqualTo(200);
    assertThat(fetched(other).status()).isEqualTo(404);
  }

  @Test
  void addsPicturesInOrderAndRecordsTheChange() {
    int pid = merchant.product();
    String artNo = merchant.texts("select art_no from product where merchant_id = ?").getFirst();
    int before = detail(pid).get("imgs").size();
    String last = PictureUploads.stored(api, "pid=" + pid, JPEG);
    String first =
        PictureUploads.stored(
            api, "artNo=" + artNo + "&position=1", PictureUploads.jpeg(100, 100, 1));

    JsonNode imgs = detail(pid).get("imgs");
    assertThat(imgs.size()).isEqualTo(before + 2);
    assertThat(imgs.get(0).asString()).endsWith(first);
    assertThat(imgs.get(before + 1).asString()).endsWith(last);
    assertThat(merchant.texts("select pic from product where merchant_id = ?"))
        .singleElement()
        .asString()
        .endsWith(first);
    assertThat(
            merchant.texts(
                """
                select concat_ws(' ', source, fields) from change_log
                where merchant_id = ? and not created order by number
                """))
        .containsExactly("interface {imgs}", "interface {imgs}");

    // the same once more changes nothing
    Reply again = PictureUploads.send(api, "pid=" + pid, JPEG);
    assertThat(again.json().get("number").isNull()).isTrue();
    assertThat(detail(pid).get("imgs").size()).isEqualTo(before + 2);
  }

  @Test
  void setsThePictureOfAColor() {
    int pid = merchant.product();
    api.create(Stock.one(pid, "red", "36", 5));

    String path = PictureUploads.stored(api, "pid=" + pid + "&color=red", JPEG);

    assertThat(detail(pid).at("/skus/0/skuImg").asString()).endsWith(path);
  }

  @Test
  void demandsAnHmac() {
    Reply reply = api.call("/Product/Picture").body("image/jpeg", JPEG).send();

    assertThat(reply.codes()).containsExactly("SIGN_METHOD_REQUIRED");
  }

  @Test
  void answersARepeatedRequestTheSame() {
    int pid = merchant.product();
    String key = "k1";
    Reply first = PictureUploads.call(api, "pid=" + pid, JPEG, key).send();
    Reply again = PictureUploads.call(api, "pid=" + pid, JPEG, key).send();
    Reply other = PictureUploads.call(api, "pid=" + pid, PictureUploads.jpeg(9, 9, 2), key).send();

    assertThat(first.json().get("number").asInt()).isPositive();
    assertThat(again.body()).isEqualTo(first.body());
    assertThat(other.codes()).containsExactly("IDEMPOTENCY_MISMATCH");
  }

  @ParameterizedTest
  @CsvSource({
    "pid=1&artNo=A, artNo, FIELD_CHOICE",
    "color=red, pid, FIELD_CHOICE",
    "pid=1&color=red&position=1, position, FIELD_CHOICE",
    "pid=1&position=0, position, NUMBER_FORMAT",
    "pid=1&position=101, position, NUMBER_FORMAT",
    "pid=x, pid, NUMBER_FORMAT",
    "artno=A, artno, FIELD_MISSPELLED",
    "pid=2000000000, pid, PRODUCT_MISSING",
    "artNo=unknown, artNo, PRODUCT_MISSING"
  })
  void rejectsAWrongQuery(String query, String place, String code) {
    Reply reply = PictureUploads.send(api, query, JPEG);

    assertThat(reply.codes()).containsExactly(code);
    assertThat(reply.places()).containsExactly(place);
  }

  @Test
  void rejectsWhatIsNoPicture() {
    assertThat(PictureUploads.send(api, "", "<script>x</script>".getBytes(UTF_8)).codes())
        .containsExactly("PICTURE_FORMAT");
    assertThat(PictureUploads.send(api, "", "<svg/>".getBytes(UTF_8)).codes())
        .containsExactly("PICTURE_UNSUPPORTED");
    Reply damaged = PictureUploads.send(api, "", Arrays.copyOf(JPEG, JPEG.length / 2));
    assertThat(damaged.codes()).containsExactly("PICTURE_DAMAGED");
    assertThat(damaged.status()).isEqualTo(400);
    assertThat(merchant.texts("select 1 from picture where merchant_id = ?")).isEmpty();
  }

  @Test
  void keepsTheBoundsOfTheSettings() {
    int bytes = JPEG.length;
    Api small =
        api.on(
            TestServer.with(
                Map.of(
                    "pictures.max-bytes", bytes + "B",
                    "pictures.quota", "20000B",
                    "pictures.max-megapixels", "1")));

    assertThat(PictureUploads.send(small, "", JPEG).status()).isEqualTo(200);
    Reply tooLarge = PictureUploads.send(small, "", Arrays.copyOf(JPEG, bytes + 1));
    assertThat(tooLarge.codes()).containsExactly("PICTURE_TOO_LARGE");
    assertThat(tooLarge.status()).isEqualTo(400);
    Reply pixels = PictureUploads.send(small, "", PictureUploads.jpeg(1, 1, 3));
    assertThat(pixels.success()).isTrue();
    Reply full = null;
    for (int i = 10; i < 40 && (full == null || full.success()); i++) {
      full = PictureUploads.send(small, "", PictureUploads.jpeg(300, 300, i * 99_999));
    }
    assertThat(full.codes()).containsExactly("PICTURE_QUOTA");
    assertThat(
            merchant.texts(
                """
                select (u.bytes = sum(p.bytes) and u.pictures = count(*) and u.bytes <= 20000)::text
                from picture p join picture_usage u using (merchant_id)
                where merchant_id = ? group by u.bytes, u.pictures
                """))
        .containsExactly("true");
  }

  @Test
  void storesPicturesThatDescriptionsContain() {
    String data = "data:image/jpeg;base64," + Base64.getEncoder().encodeToString(JPEG);
    String description = "<p>Soft</p><img alt='a' src='%s'><img src='data:image/png;base64,AAAA'>";

    Reply reply =
        api.call("/Product/Save")
            .json(
                "[{\"artNo\":\"D1\",\"title\":\"t\",\"price\":1,\"description\":\"%s\"}]"
                    .formatted(description.formatted(data)))
            .send();

    int pid = reply.json().at("/products/0/pid").asInt();
    assertThat(reply.json().at("/products/0/removed").toString()).isEqualTo("[\"<img>\"]");
    String text = detail(pid).get("description").asString();
    assertThat(text).contains("/pictures/" + merchant.id() + "/").doesNotContain("data:");
    String path = text.substring(text.indexOf("/pictures/"), text.indexOf(".jpg") + 4);
    assertThat(fetched(path).status()).isEqualTo(200);
  }
}
