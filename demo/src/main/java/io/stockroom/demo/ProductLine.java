package io.stockroom.demo;

import static io.stockroom.demo.DemoColor.*;

import java.util.List;

/**
 * A kind of shoe that a merchant makes, with the words and numbers that its products are generated
 * from.
 *
 * @param categories from the root to the leaf, each as {@code id=name}
 */
record ProductLine(
    Silhouette silhouette,
    List<String> categories,
    BilingualText audience,
    List<BilingualText> nouns,
    List<BilingualText> features,
    List<BilingualText> uppers,
    List<BilingualText> soles,
    List<BilingualText> seasons,
    List<DemoColor> dyes,
    int smallest,
    int largest,
    int lowestPrice,
    int highestPrice) {

  private static final BilingualText MEN = word("男士", "Men's");
  private static final BilingualText WOMEN = word("女士", "Women's");
  private static final BilingualText CHILDREN = word("儿童", "Kids'");
  private static final BilingualText ALL = word("男女同款", "Unisex");

  private static final BilingualText SPRING = word("春季", "Spring");
  private static final BilingualText SUMMER = word("夏季", "Summer");
  private static final BilingualText AUTUMN = word("秋季", "Autumn");
  private static final BilingualText WINTER = word("冬季", "Winter");

  private static final BilingualText COWHIDE = word("头层牛皮", "Genuine Leather");
  private static final BilingualText SUEDE = word("磨砂皮", "Suede");
  private static final BilingualText SHEEPSKIN = word("羊皮", "Sheepskin");
  private static final BilingualText PATENT = word("漆皮", "Patent Leather");
  private static final BilingualText MICROFIBRE = word("超纤皮", "Microfibre");
  private static final BilingualText MESH = word("飞织网面", "Knit Mesh");
  private static final BilingualText CANVAS = word("帆布", "Canvas");
  private static final BilingualText EVA = word("EVA", "EVA");

  private static final BilingualText RUBBER = word("橡胶", "Rubber");
  private static final BilingualText POLYURETHANE = word("聚氨酯", "PU");
  private static final BilingualText TENDON = word("牛筋", "TPR");
  private static final BilingualText FOAM = word("MD发泡", "MD Foam");

  static final List<ProductLine> MENS_SHOES =
      List.of(
          new ProductLine(
              Silhouette.OXFORD,
              List.of("12=鞋靴", "1201=男鞋", "120103=商务正装皮鞋"),
              MEN,
              List.of(
                  word("商务正装皮鞋", "Oxford Shoes"),
                  word("系带德比鞋", "Derby Shoes"),
                  word("布洛克雕花皮鞋", "Brogues")),
              List.of(
                  word("英伦尖头", "Pointed Toe"),
                  word("圆头", "Round Toe"),
                  word("内增高6cm", "6 cm Lift"),
                  word("透气软底", "Breathable Soft Sole")),
              List.of(COWHIDE, MICROFIBRE, PATENT),
              List.of(RUBBER, TENDON),
              List.of(SPRING, AUTUMN),
              List.of(BLACK, BROWN, BURGUNDY, CAMEL),
              38,
              44,
              69,
              168),
          new ProductLine(
              Silhouette.LOAFER,
              List.of("12=鞋靴", "1201=男鞋", "120105=乐福鞋豆豆鞋"),
              MEN,
              List.of(
                  word("一脚蹬乐福鞋", "Loafers"),
                  word("豆豆鞋", "Driving Shoes"),
                  word("懒人休闲皮鞋", "Slip-on Shoes")),
              List.of(
                  word("马衔扣", "Horsebit"),
                  word("手工缝线", "Hand-stitched"),
                  word("百搭", "Casual"),
                  word("大码", "Large Sizes")),
              List.of(COWHIDE, SUEDE, MICROFIBRE),
              List.of(RUBBER, TENDON),
              List.of(SPRING, SUMMER, AUTUMN),
              List.of(BLACK, BROWN, NAVY, KHAKI, WHITE),
              38,
              45,
              49,
              119),
          new ProductLine(
              Silhouette.BOOT,
              List.of("12=鞋靴", "1201=男鞋", "120108=靴子"),
              MEN,
              List.of(word("切尔西短靴", "Chelsea Boots"), word("马丁靴", "Ankle Boots")),
              List.of(
                  word("加绒保暖", "Fleece-lined"),
                  word("复古工装", "Vintage Work"),
                  word("防滑厚底", "Non-slip Thick Sole")),
              List.of(COWHIDE, SUEDE),
              List.of(RUBBER, POLYURETHANE),
              List.of(AUTUMN, WINTER),
              List.of(BLACK, BROWN, CAMEL, OLIVE),
              38,
              44,
              89,
              198),
          new ProductLine(
              Silhouette.SNEAKER,
              List.of("12=鞋靴", "1201=男鞋", "120101=休闲板鞋"),
              MEN,
              List.of(word("休闲板鞋", "Casual Sneakers"), word("小白鞋", "Court Shoes")),
              List.of(
                  word("韩版潮流", "Korean Style"),
                  word("轻便透气", "Light and Breathable"),
                  word("学生百搭", "Everyday")),
              List.of(MICROFIBRE, COWHIDE),
              List.of(RUBBER, POLYURETHANE),
              List.of(SPRING, SUMMER, AUTUMN),
              List.of(WHITE, BLACK, GREY, NAVY),
              38,
              44,
              39,
              95));

  static final List<ProductLine> WOMENS_SHOES =
      List.of(
          new ProductLine(
              Silhouette.PUMP,
              List.of("12=鞋靴", "1202=女鞋", "120201=高跟鞋"),
              WOMEN,
              List.of(word("细跟单鞋", "Stilettos"), word("职业高跟鞋", "Office Pumps")),
              List.of(
                  word("尖头浅口", "Pointed Toe"),
                  word("法式气质", "French Style"),
                  word("7cm细跟", "7 cm Heel"),
                  word("婚鞋", "Wedding")),
              List.of(SHEEPSKIN, PATENT, SUEDE),
              List.of(RUBBER, TENDON),
              List.of(SPRING, AUTUMN),
              List.of(BLACK, APRICOT, RED, SILVER, PINK),
              34,
              40,
              59,
              139),
          new ProductLine(
              Silhouette.FLAT,
              List.of("12=鞋靴", "1202=女鞋", "120202=平底单鞋"),
              WOMEN,
              List.of(
                  word("芭蕾平底鞋", "Ballet Flats"),
                  word("浅口单鞋", "Flats"),
                  word("孕妇软底瓢鞋", "Soft Comfort Flats")),
              List.of(
                  word("蝴蝶结", "Bow"),
                  word("方头", "Square Toe"),
                  word("可折叠", "Foldable"),
                  word("复古", "Retro")),
              List.of(SHEEPSKIN, MICROFIBRE, PATENT),
              List.of(TENDON, RUBBER),
              List.of(SPRING, SUMMER, AUTUMN),
              List.of(BLACK, APRICOT, PINK, OLIVE, BURGUNDY, IVORY),
              35,
              40,
              35,
              89),
          new ProductLine(
              Silhouette.SANDAL,
              List.of("12=鞋靴", "1202=女鞋", "120204=凉鞋"),
              WOMEN,
              List.of(word("粗跟凉鞋", "Block-heel Sandals"), word("罗马凉鞋", "Strappy Sandals")),
              List.of(
                  word("一字扣带", "Ankle Strap"),
                  word("仙女风", "Romantic"),
                  word("露趾", "Open Toe"),
                  word("百搭中跟", "Mid Heel")),
              List.of(SHEEPSKIN, MICROFIBRE),
              List.of(RUBBER, POLYURETHANE),
              List.of(SUMMER),
              List.of(BLACK, IVORY, PINK, CAMEL, LAVENDER),
              34,
              40,
              45,
              109),
          new ProductLine(
              Silhouette.BOOT,
              List.of("12=鞋靴", "1202=女鞋", "120206=短靴"),
              WOMEN,
              List.of(word("切尔西靴", "Chelsea Boots"), word("瘦瘦短靴", "Slim Ankle Boots")),
              List.of(
                  word("加绒", "Fleece-lined"),
                  word("厚底增高", "Platform"),
                  word("复古英伦", "Vintage British")),
              List.of(COWHIDE, SUEDE, MICROFIBRE),
              List.of(RUBBER, POLYURETHANE),
              List.of(AUTUMN, WINTER),
              List.of(BLACK, CAMEL, IVORY, BURGUNDY),
              34,
              40,
              79,
              169),
          new ProductLine(
              Silhouette.SLIDE,
              List.of("12=鞋靴", "1202=女鞋", "120209=拖鞋"),
              WOMEN,
              List.of(word("外穿凉拖", "Slides"), word("交叉一字拖", "Cross-strap Slippers")),
              List.of(word("厚底", "Platform"), word("云朵软底", "Cloud Soft"), word("防滑", "Non-slip")),
              List.of(EVA, MICROFIBRE),
              List.of(FOAM, POLYURETHANE),
              List.of(SUMMER),
              List.of(PINK, IVORY, BLACK, SKY, LAVENDER, GREY),
              35,
              40,
              15,
              49));

  static final List<ProductLine> SPORTS_SHOES =
      List.of(
          new ProductLine(
              Silhouette.SNEAKER,
              List.of("13=运动户外", "1301=运动鞋", "130101=跑步鞋"),
              MEN,
              List.of(word("跑步鞋", "Running Shoes"), word("训练运动鞋", "Training Shoes")),
              List.of(
                  word("减震回弹", "Cushioned"),
                  word("轻量透气", "Lightweight"),
                  word("碳板竞速", "Plated Racing")),
              List.of(MESH, MICROFIBRE),
              List.of(FOAM, RUBBER),
              List.of(SPRING, SUMMER, AUTUMN),
              List.of(BLACK, WHITE, BLUE, LIME, ORANGE, GREY),
              38,
              45,
              55,
              149),
          new ProductLine(
              Silhouette.HIGH_TOP,
              List.of("13=运动户外", "1301=运动鞋", "130104=帆布鞋"),
              ALL,
              List.of(word("高帮帆布鞋", "High-top Canvas Shoes"), word("高帮板鞋", "High-tops")),
              List.of(word("经典款", "Classic"), word("情侣", "Couple"), word("硫化底", "Vulcanised Sole")),
              List.of(CANVAS),
              List.of(RUBBER),
              List.of(SPRING, AUTUMN),
              List.of(BLACK, WHITE, RED, NAVY, OLIVE),
              35,
              44,
              29,
              75),
          new ProductLine(
              Silhouette.SNEAKER,
              List.of("13=运动户外", "1303=童鞋", "130302=儿童运动鞋"),
              CHILDREN,
              List.of(word("运动鞋", "Sports Shoes"), word("软底跑鞋", "Soft Running Shoes")),
              List.of(
                  word("中大童", "School Age"),
                  word("魔术贴", "Hook and Loop"),
                  word("防滑耐磨", "Hard-wearing")),
              List.of(MESH, MICROFIBRE),
              List.of(FOAM, TENDON),
              List.of(SPRING, AUTUMN, WINTER),
              List.of(PINK, BLUE, BLACK, LIME, WHITE, LAVENDER),
              28,
              37,
              32,
              79),
          new ProductLine(
              Silhouette.SLIDE,
              List.of("13=运动户外", "1301=运动鞋", "130109=运动拖鞋"),
              ALL,
              List.of(word("运动拖鞋", "Sports Slides")),
              List.of(word("防滑速干", "Quick-dry"), word("厚底软弹", "Soft Thick Sole")),
              List.of(EVA),
              List.of(FOAM),
              List.of(SUMMER),
              List.of(BLACK, WHITE, NAVY, GREY),
              36,
              45,
              16,
              39));

  private static BilingualText word(String chinese, String english) {
    return new BilingualText(chinese, english);
  }
}
