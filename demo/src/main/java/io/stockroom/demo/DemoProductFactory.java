package io.stockroom.demo;

import io.stockroom.demo.BilingualText.Language;
import io.stockroom.demo.DemoMarketplace.Attribute;
import io.stockroom.demo.DemoMarketplace.Color;
import io.stockroom.demo.DemoMarketplace.Entry;
import io.stockroom.demo.DemoMarketplace.Maker;
import io.stockroom.demo.DemoMarketplace.Product;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Generates one product. Each product has its own random generator, so changing one product does
 * not affect the others. Uses {@link Random} because its algorithm is specified, so every Java
 * yields the same numbers.
 */
final class DemoProductFactory {
  private final Maker maker;
  private final int place;
  private final UnaryOperator<String> pictures;
  private final Random dice;

  private final ProductLine line;
  private final Language language;
  private final String artNo;
  private final BilingualText noun;
  private final BilingualText feature;
  private final BilingualText upper;
  private final BilingualText sole;
  private final BilingualText season;
  private final List<DemoColor> dyes;

  DemoProductFactory(
      Maker maker, List<ProductLine> lines, int place, UnaryOperator<String> pictures) {
    this.maker = maker;
    this.place = place;
    this.pictures = pictures;
    // Consecutive seeds yield similar first numbers; the multiplier spreads them.
    dice = new Random((maker.number() * 10_000L + place) * 0x9E3779B97F4A7C15L);
    line = pick(lines);
    language = dice.nextInt(8) == 0 ? Language.ENGLISH : Language.CHINESE;
    artNo = artNo();
    noun = pick(line.nouns());
    feature = pick(line.features());
    upper = pick(line.uppers());
    sole = pick(line.soles());
    season = pick(line.seasons());
    dyes = dyes();
  }

  Product product() {
    List<String> shown = pictures();
    return new Product(
        artNo,
        title(),
        description(shown),
        shown,
        price(),
        categories(0),
        categories(1),
        attributes(),
        dice.nextInt(20) == 0
            ? "https://video.example/" + maker.storeUrl() + "/" + artNo + ".mp4"
            : "",
        dice.nextInt(100) < 85 ? stock() : List.of());
  }

  private String artNo() {
    String number = maker.letters() + (maker.firstItem() + place);
    return dice.nextInt(3) == 0 ? number + "-" + (1 + dice.nextInt(6)) : number;
  }

  private List<DemoColor> dyes() {
    List<DemoColor> all = new ArrayList<>(line.dyes());
    Collections.shuffle(all, dice);
    return List.copyOf(all.subList(0, 1 + dice.nextInt(Math.min(all.size(), 5))));
  }

  private String title() {
    return switch (language) {
      case CHINESE ->
          "2026%s新款%s%s%s%s"
              .formatted(
                  season.chinese(),
                  feature.chinese(),
                  line.audience().chinese(),
                  upper.chinese(),
                  noun.chinese());
      case ENGLISH ->
          "%s %s %s, %s, %s 2026"
              .formatted(
                  line.audience().english(),
                  upper.english(),
                  noun.english(),
                  feature.english(),
                  season.english());
    };
  }

  private String description(List<String> shown) {
    String images =
        shown.stream()
            .map("<p><img src=\"%s\" alt=\"\"></p>"::formatted)
            .collect(Collectors.joining("\n"));
    String words =
        switch (language) {
          case CHINESE ->
              """
              <h3>%s</h3>
              <p>%s %s，%s面料，%s鞋底，%s。工厂现货直供，支持一件代发，混批有优惠。</p>
              <ul>
              <li>尺码：%s-%s，标准码，脚宽建议拍大一码</li>
              <li>颜色：%s</li>
              <li>48小时内发货，支持退换</li>
              </ul>
              """;
          case ENGLISH ->
              """
              <h3>%s</h3>
              <p>%s %s: %s upper, %s sole, %s. Straight from the factory, single pairs or mixed cartons.</p>
              <ul>
              <li>Sizes %s-%s, true to size; choose one size up for wide feet</li>
              <li>Colors: %s</li>
              <li>Ships within 48 hours, returns accepted</li>
              </ul>
              """;
        };
    return words.formatted(
            title(),
            maker.storeName(),
            artNo,
            upper.in(language),
            sole.in(language),
            feature.in(language),
            line.smallest(),
            line.largest(),
            dyes.stream()
                .map(dye -> dye.wording().in(language))
                .collect(Collectors.joining(language == Language.CHINESE ? "、" : ", ")))
        + images;
  }

  private List<String> pictures() {
    List<String> shown = new ArrayList<>(List.of(picture(dyes.getFirst().word())));
    if (dyes.size() > 1) {
      shown.add(picture(dyes.get(1).word()));
    }
    shown.add(picture("pair"));
    shown.add(picture("sole"));
    return shown;
  }

  /** The address of a drawing of a color, the pair or the sole. */
  private String picture(String shown) {
    return pictures.apply(line.silhouette().drawing(shown));
  }

  private BigDecimal price() {
    int whole = line.lowestPrice() + dice.nextInt(line.highestPrice() - line.lowestPrice() + 1);
    int cents = dice.nextInt(5) == 0 ? List.of(50, 80, 90).get(dice.nextInt(3)) : 0;
    return BigDecimal.valueOf(whole * 100L + cents, 2);
  }

  private String categories(int part) {
    return line.categories().stream()
        .map(category -> category.split("=", 2)[part])
        .collect(Collectors.joining(","));
  }

  private List<Attribute> attributes() {
    return List.of(
        attribute(new BilingualText("货号", "Item number"), new BilingualText(artNo, artNo)),
        attribute(new BilingualText("适用对象", "For"), line.audience()),
        attribute(new BilingualText("鞋面材质", "Upper"), upper),
        attribute(new BilingualText("鞋底材质", "Sole"), sole),
        attribute(new BilingualText("季节", "Season"), season),
        attribute(new BilingualText("款式特点", "Feature"), feature));
  }

  private Attribute attribute(BilingualText name, BilingualText value) {
    return new Attribute(name.in(language), value.in(language));
  }

  private List<Color> stock() {
    boolean barCodes = dice.nextInt(5) < 2;
    int fewerSizes = dice.nextInt(3);
    int largest = line.largest() - fewerSizes;
    List<Color> colors = new ArrayList<>();
    for (DemoColor dye : dyes) {
      int before = colors.size() * 100;
      List<Entry> entries =
          IntStream.rangeClosed(line.smallest(), largest)
              .mapToObj(
                  size ->
                      new Entry(
                          size,
                          quantity(),
                          barCodes ? DemoBarcode.of(maker.number(), place, before + size) : null))
              .toList();
      colors.add(new Color(dye.wording().in(language), picture(dye.word()), entries));
    }
    return colors;
  }

  /** Some sizes are sold out, some are low, most are in stock. */
  private int quantity() {
    int fate = dice.nextInt(100);
    if (fate < 8) {
      return 0;
    }
    return fate < 22 ? 1 + dice.nextInt(4) : 5 + dice.nextInt(196);
  }

  private <T> T pick(List<T> choices) {
    return choices.get(dice.nextInt(choices.size()));
  }
}
