package io.stockroom.console.products;

import static org.assertj.core.api.Assertions.assertThat;

import io.stockroom.server.testing.Pages;
import io.stockroom.server.testing.SamplePictures;
import io.stockroom.server.testing.Stock;
import io.stockroom.server.testing.TestMerchant;
import io.stockroom.server.testing.TestPerson;
import java.awt.Color;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Uploading pictures, and giving them to products and colors, without a browser. */
class PicturePagesTest {
  private static final int MAX_BYTES = 10 << 20;
  private static final String UPLOAD = "/console/products/pictures";

  private final TestMerchant merchant = TestMerchant.fresh();
  private final TestPerson person = TestPerson.of(merchant);
  private final Pages pages =
      Pages.of(person).with("Accept-Language", "en").with("Stockroom-Request", "fetch");

  @Test
  void storesAPictureAndTellsItsAddresses() {
    JsonNode stored = upload(Color.RED);

    assertThat(stored.get("width").asInt()).isEqualTo(240);
    assertThat(stored.get("height").asInt()).isEqualTo(240);
    assertThat(stored.get("address").asString())
        .contains("/pictures/" + merchant.id() + "/")
        .startsWith("http");
    assertThat(stored.get("small").asString()).matches("/pictures/.*-80\\.png");
    assertThat(stored.get("thumbnail").asString()).matches("/pictures/.*-400\\.png");
    HttpResponse<String> thumbnail = pages.get(stored.get("small").asString());
    assertThat(thumbnail.statusCode()).isEqualTo(200);
    assertThat(thumbnail.headers().firstValue("Content-Type").orElse("")).startsWith("image/");
  }

  @Test
  void acceptsTheLargestPictureAndRejectsOneThatIsAByteLarger() {
    assertThat(pages.upload(UPLOAD, SamplePictures.png(Color.RED, MAX_BYTES)).statusCode())
        .isEqualTo(201);

    HttpResponse<String> larger =
        pages.upload(UPLOAD, SamplePictures.png(Color.RED, MAX_BYTES + 1));

    assertThat(larger.statusCode()).isEqualTo(400);
    assertThat(larger.body()).contains("The picture has more than 10 MB");
  }

  @Test
  void saysInThePersonsLanguageWhyAFileIsNoPicture() {
    byte[] page = "<html><script>alert(1)</script>".getBytes(StandardCharsets.UTF_8);

    HttpResponse<String> english = pages.upload(UPLOAD, page);
    HttpResponse<String> chinese = pages.with("Accept-Language", "zh-CN").upload(UPLOAD, page);

    assertThat(english.statusCode()).isEqualTo(400);
    assertThat(english.body()).isEqualTo("The file is not a picture. Send JPEG, PNG, WebP or GIF.");
    assertThat(chinese.body()).contains("该文件不是图片");
  }

  @Test
  void rejectsUploadsWithoutTheTokenOrTheRole() {
    byte[] picture = SamplePictures.png(Color.RED);
    Pages developer =
        Pages.of(
            TestPerson.with(
                "\"merchantId\":%d,\"roles\":[\"developer\"]".formatted(merchant.id())));

    assertThat(Pages.of(person).withFormToken("").upload(UPLOAD, picture).statusCode())
        .isEqualTo(403);
    assertThat(developer.upload(UPLOAD, picture).statusCode()).isEqualTo(404);
  }

  @Test
  void setsThePictureOfAColorAndUndoesIt() {
    int product = merchant.product();
    merchant.api().create(Stock.one(product, "black", "36", 5));
    String address = upload(Color.RED).get("address").asString();

    HttpResponse<String> set = setColor(pages, product, "black", "", address);

    assertThat(set.statusCode()).as(set.body()).isEqualTo(200);
    assertThat(skuImg(product)).isEqualTo(address);
    assertThat(setColor(pages, product, "black", "", "https://p.example/2.jpg").statusCode())
        .as("somebody else has changed it")
        .isEqualTo(409);
    assertThat(setColor(pages, product, "red", "", address).statusCode()).isEqualTo(404);
    assertThat(setColor(pages, product, "black", address, "nowhere").statusCode()).isEqualTo(400);
    Pages stranger = Pages.of(TestPerson.of(TestMerchant.fresh()));
    assertThat(setColor(stranger, product, "black", address, "").statusCode()).isEqualTo(404);
    assertThat(skuImg(product)).isEqualTo(address);
    assertThat(
            merchant.texts(
                "select fields::text from change_log where merchant_id = ? order by number desc limit 1"))
        .containsExactly("{colorImage}");

    assertThat(setColor(pages, product, "black", address, "").statusCode()).isEqualTo(200);
    assertThat(skuImg(product)).isEmpty();
    assertThat(merchant.inconsistencies()).isEmpty();
  }

  @Test
  void theFormSetsThePicturesOfColors() {
    int product = merchant.product();
    merchant.api().create(Stock.one(product, "black", "36", 5));
    Pages form = Pages.of(person).with("Accept-Language", "en");
    String path = "/console/products/" + product + "/edit";

    HttpResponse<String> wrong = save(form, path, "black", "shoe.jpg");
    assertThat(wrong.statusCode()).isEqualTo(422);
    assertThat(wrong.body()).contains("id=\"colorImage-problem\"", "value=\"shoe.jpg\"");
    assertThat(save(form, path, "black", "https://p.example/b.jpg").statusCode()).isEqualTo(302);
    assertThat(skuImg(product)).isEqualTo("https://p.example/b.jpg");
    assertThat(save(form, path, "grey", "https://p.example/g.jpg").statusCode()).isEqualTo(302);
    assertThat(form.get(path).body())
        .contains("https://p.example/b.jpg")
        .doesNotContain("https://p.example/g.jpg");
    assertThat(save(form, path, "black", "").statusCode()).isEqualTo(302);
    assertThat(skuImg(product)).isEmpty();
    assertThat(merchant.inconsistencies()).isEmpty();
  }

  @Test
  void listsShowThumbnailsOfStoredPicturesOnly() {
    String address = upload(Color.RED).get("address").asString();
    merchant.importProducts(
        """
        {"artNo":"A1","title":"Shoe","price":59,"imgs":["%s"]}
        {"artNo":"A2","title":"Boot","price":59,"imgs":["https://p.example/1.jpg"]}
        """
            .formatted(address));
    Pages reader = Pages.of(person);

    assertThat(reader.get("/console/products").body())
        .containsPattern("src=\"/pictures/[^\"]*-80\\.png\"")
        .contains("src=\"https://p.example/1.jpg\"");
    assertThat(reader.get("/console/products/" + merchant.productIds().getLast()).body())
        .containsPattern("src=\"(/pictures/[^\"]*-400\\.png|https://p\\.example/1\\.jpg)\"");
  }

  private JsonNode upload(Color color) {
    HttpResponse<String> answer = pages.upload(UPLOAD, SamplePictures.png(color));
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(201);
    return new JsonMapper().readTree(answer.body());
  }

  private static HttpResponse<String> setColor(
      Pages pages, int product, String color, String before, String address) {
    return pages.post(
        "/console/products/" + product + "/color-picture",
        "color",
        color,
        "before",
        before,
        "address",
        address);
  }

  private HttpResponse<String> save(Pages form, String path, String color, String address) {
    Matcher seen = Pattern.compile("name=\"seen\" value=\"(\\d+)\"").matcher(form.get(path).body());
    assertThat(seen.find()).isTrue();
    return form.post(
        path,
        "seen",
        seen.group(1),
        "title",
        "Shoe",
        "price",
        "59",
        "color",
        color,
        "colorImage",
        address);
  }

  private String skuImg(int product) {
    return merchant.api().detail(product).json().at("/data/skus/0/skuImg").asString();
  }
}
