package io.stockroom.demo.generate;

import io.stockroom.demo.Silhouette;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The generated details of a product. */
final class ProductDetails {
  private static final List<Silhouette> KINDS = List.of(Silhouette.values());
  private static final List<String> UPPERS = List.of("头层牛皮", "超纤皮", "帆布", "网布", "麂皮");
  private static final List<String> SOLES = List.of("橡胶", "EVA", "TPU", "牛筋");
  private static final List<String> SEASONS = List.of("春季", "夏季", "秋季", "冬季");

  private final Plan plan;
  private final String artNo;
  private final List<GeneratedColor> dyes;
  private final int firstDye;
  private final Silhouette kind;
  private final String upper;
  private final String sole;
  private final String season;
  private final int cents;

  ProductDetails(Plan plan, List<GeneratedColor> dyes, int ordinal, int number) {
    SeededRandom chance = SeededRandom.ofProduct(plan.seed(), ordinal);
    this.plan = plan;
    this.dyes = dyes;
    this.artNo = "A" + (100_000L + number);
    this.firstDye = chance.below(dyes.size());
    this.kind = KINDS.get(chance.below(KINDS.size()));
    this.upper = UPPERS.get(chance.below(UPPERS.size()));
    this.sole = SOLES.get(chance.below(SOLES.size()));
    this.season = SEASONS.get(chance.below(SEASONS.size()));
    this.cents = 2900 + 50 * chance.below(600);
  }

  String artNo() {
    return artNo;
  }

  /** The name of a color by its number. */
  String color(int number) {
    return dye(number).name();
  }

  List<String> colors() {
    List<String> colors = new ArrayList<>();
    for (int i = 0; i < dyes.size(); i++) {
      colors.add(color(i));
    }
    return colors;
  }

  /** The first picture, shown in lists. */
  String pic() {
    return picture(dye(0).hex());
  }

  List<String> pictures() {
    return List.of(pic(), picture("pair"), picture("sole"));
  }

  List<String> picturesOfColors() {
    List<String> pictures = new ArrayList<>();
    for (int i = 0; i < dyes.size(); i++) {
      pictures.add(picture(dye(i).hex()));
    }
    return pictures;
  }

  String title() {
    return upper + kindName() + " " + season + "新款 " + artNo;
  }

  String description() {
    return "<p>%s鞋面，%s鞋底，%s穿着舒适。</p><p>%s</p>"
        .formatted(upper, sole, season, "柔软轻便，耐磨防滑，一双起批。".repeat(6));
  }

  String price() {
    return cents / 100 + "." + String.format(Locale.ROOT, "%02d", cents % 100);
  }

  String categoryIds() {
    return "1," + (10 + KINDS.indexOf(kind));
  }

  String categoryNames() {
    return "鞋," + kindName();
  }

  List<String> attributeNames() {
    return List.of("鞋面材质", "鞋底材质", "季节");
  }

  List<String> attributeValues() {
    return List.of(upper, sole, season);
  }

  private String kindName() {
    return switch (kind) {
      case SNEAKER -> "运动鞋";
      case HIGH_TOP -> "高帮鞋";
      case BOOT -> "靴子";
      case OXFORD -> "牛津鞋";
      case LOAFER -> "乐福鞋";
      case PUMP -> "高跟鞋";
      case FLAT -> "平底鞋";
      case SANDAL -> "凉鞋";
      case SLIDE -> "拖鞋";
    };
  }

  private GeneratedColor dye(int number) {
    return dyes.get((firstDye + number) % dyes.size());
  }

  /** As long as a real address; there is no picture. */
  private String picture(String shown) {
    return "%s/pictures/%s/%s_1.jpg".formatted(plan.pictures(), kind.drawing(shown), artNo);
  }
}
