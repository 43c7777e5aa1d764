package io.stockroom.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.stockroom.core.catalogue.Descriptions;
import io.stockroom.demo.DemoMarketplace.Attribute;
import io.stockroom.demo.DemoMarketplace.Color;
import io.stockroom.demo.DemoMarketplace.Entry;
import io.stockroom.demo.DemoMarketplace.Merchant;
import io.stockroom.demo.DemoMarketplace.Product;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

final class DemoMarketplaceTest {
  private static final String SERVER = "http://localhost:8080";
  private static final List<Merchant> MERCHANTS = DemoMarketplace.merchants();

  @Test
  void isTheSameEveryTime() {
    assertThat(products().toList()).isEqualTo(products().toList());
  }

  @Test
  void hasThreeMerchantsWithThreeHundredProducts() {
    assertThat(MERCHANTS)
        .extracting(merchant -> products(merchant).size())
        .containsExactly(120, 100, 80);
    assertThat(MERCHANTS).extracting(Merchant::storeUrl).doesNotHaveDuplicates();
  }

  @Test
  void givesEveryProductOfAMerchantItsOwnItemNumber() {
    for (Merchant merchant : MERCHANTS) {
      assertThat(products(merchant)).extracting(Product::artNo).doesNotHaveDuplicates();
    }
  }

  @Test
  void describesEveryProductWithPicturesThatTheSanitizerKeeps() {
    assertThat(products().map(Product::description).map(Descriptions::clean))
        .allSatisfy(
            cleaned -> {
              assertThat(cleaned.text()).contains("<img src=\"" + SERVER + "/pictures/");
              assertThat(cleaned.removed()).isEmpty();
            });
  }

  @Test
  void leavesAboutOneProductInSevenWithoutStock() {
    long without = products().filter(product -> product.colors().isEmpty()).count();

    assertThat(without).isBetween(25L, 65L);
  }

  @Test
  void hasSizesThatAreSoldOutAndSizesThatAreNot() {
    assertThat(entries()).extracting(Entry::quantity).contains(0, 1).allMatch(n -> n <= 200);
    assertThat(entries()).extracting(Entry::size).allMatch(size -> size >= 28 && size <= 45);
  }

  @Test
  void namesNoColorOfAProductAndNoSizeOfAColorTwice() {
    products()
        .forEach(
            product ->
                assertThat(product.colors()).extracting(Color::name).doesNotHaveDuplicates());
    assertThat(products().flatMap(product -> product.colors().stream()))
        .allSatisfy(
            color ->
                assertThat(color.entries())
                    .isNotEmpty()
                    .extracting(Entry::size)
                    .doesNotHaveDuplicates());
  }

  @Test
  void givesSomeEntriesABarCodeOfTheirOwnWithARightCheckDigit() {
    List<String> barCodes =
        entries().map(Entry::barCode).filter(Objects::nonNull).map(String.class::cast).toList();

    assertThat(barCodes).hasSizeGreaterThan(500).doesNotHaveDuplicates();
    assertThat(barCodes).hasSizeLessThan((int) entries().count());
    assertThat(barCodes)
        .allMatch(code -> code.matches("[0-9]{13}"))
        .allMatch(code -> weightedSum(code) % 10 == 0);
  }

  @Test
  void computesTheCheckDigitOfAPublishedExample() {
    assertThat(DemoBarcode.checkDigit("400638133393")).isEqualTo(1);
  }

  @Test
  void pricesEverythingWithTwoDecimals() {
    assertThat(products()).allMatch(product -> product.price().scale() == 2);
    assertThat(products()).allMatch(product -> product.price().signum() > 0);
  }

  @Test
  void namesAsManyCategoriesAsItNumbers() {
    assertThat(products())
        .allSatisfy(
            product ->
                assertThat(product.categoryNameTree().split(",", -1))
                    .hasSameSizeAs(product.categoryIdTree().split(",", -1)));
  }

  @Test
  void describesEveryProduct() {
    assertThat(products())
        .allSatisfy(
            product -> {
              assertThat(product.title()).hasSizeBetween(10, 120);
              assertThat(product.description()).contains("<h3>", "<p>", "<ul>", "<img ");
              assertThat(product.attributes())
                  .isNotEmpty()
                  .extracting(Attribute::name)
                  .doesNotHaveDuplicates();
            });
    assertThat(products()).extracting(Product::video).contains("").anyMatch(url -> !url.isEmpty());
  }

  @Test
  void hasTitlesInChineseAndSomeInEnglish() {
    long english = products().filter(product -> product.title().matches("\\p{ASCII}+")).count();

    assertThat(english).isBetween(15L, 75L);
  }

  @Test
  void showsOnlyDrawingsThatThereAre() {
    assertThat(pictures().distinct())
        .hasSizeGreaterThan(50)
        .allSatisfy(
            url -> {
              String file = url.substring(SERVER.length() + 1);
              assertThat(DemoMarketplace.class.getResource(file)).as(file).isNotNull();
            });
  }

  @Test
  void showsEveryProductInThreeOrMoreDifferentPictures() {
    assertThat(products())
        .allSatisfy(
            product ->
                assertThat(product.imgs()).hasSizeGreaterThanOrEqualTo(3).doesNotHaveDuplicates());
  }

  private static Stream<String> pictures() {
    return products()
        .flatMap(
            product ->
                Stream.of(
                        product.imgs().stream(),
                        product.colors().stream().map(Color::picture),
                        sources(product.description()))
                    .flatMap(urls -> urls));
  }

  private static Stream<String> sources(String html) {
    Matcher image = Pattern.compile("<img src=\"([^\"]+)\"").matcher(html);
    return image.results().map(found -> found.group(1));
  }

  private static List<Product> products(Merchant merchant) {
    return merchant.products(drawing -> SERVER + "/pictures/" + drawing + ".jpg");
  }

  private static Stream<Product> products() {
    return MERCHANTS.stream().flatMap(merchant -> products(merchant).stream());
  }

  private static Stream<Entry> entries() {
    return products()
        .flatMap(product -> product.colors().stream())
        .flatMap(color -> color.entries().stream());
  }

  private static int weightedSum(String thirteenDigits) {
    int sum = 0;
    for (int place = 0; place < 13; place++) {
      sum += Character.digit(thirteenDigits.charAt(place), 10) * (place % 2 == 0 ? 1 : 3);
    }
    return sum;
  }
}
