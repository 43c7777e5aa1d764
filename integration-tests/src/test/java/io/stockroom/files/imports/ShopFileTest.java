package io.stockroom.files.imports;

import static io.stockroom.files.imports.ProductImportTest.counts;
import static io.stockroom.files.imports.ProductImportTest.errors;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.stockroom.server.testing.Reply;
import io.stockroom.server.testing.TestMerchant;
import java.nio.charset.Charset;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** The product files of shop systems, as they are. */
class ShopFileTest {
  private static final String SHOPIFY =
      "Handle,Title,Body (HTML),Option1 Name,Option1 Value,Option2 Name,Option2 Value,"
          + "Variant Inventory Qty,Variant Price,Variant Barcode,Image Src,Variant Image,Vendor,Taxable\n";

  private final TestMerchant merchant = TestMerchant.fresh();

  @Test
  void aShopifyProductWithoutOptionsIsOneEntryAndItsPictureRowsArePictures() {
    Reply reply =
        apply(
            SHOPIFY
                + "bag,Bag,<p>x</p>,Title,Default Title,,,3,20.00,,https://i.example/1.jpg,,A,true\n"
                + "bag,,,,,,,,,,//i.example/2.jpg,,,\n");

    assertThat(counts(reply)).isEqualTo("applied 1 0 0 0");
    assertThat(entries()).containsExactly("bag Default One size 3");
    assertThat(merchant.texts("select imgs from product_detail where merchant_id = ?"))
        .containsExactly("{https://i.example/1.jpg,https://i.example/2.jpg}");
    assertThat(warning(reply, "ONE_ENTRY"))
        .isEqualTo(
            "Products without a color or a size: 1. What is missing becomes: Default, One size. They are:"
                + " bag.");
  }

  @Test
  void shopifyVariantsGiveTheColorsPicturesTheLowestPriceAndNoNegativeStock() {
    Reply reply =
        apply(
            SHOPIFY
                + "tee,Tee,,Colour,Red,Size,Small,-1,25.00,,https://i.example/1.jpg,https://i.example/r.jpg,,\n"
                + "tee,,,,Red,,30-32,0,20.00,'6900000000011,,https://i.example/r.jpg,,\n"
                + "tee,,,,Blue,,Small,,20.00,,,,,\n");

    assertThat(counts(reply)).isEqualTo("applied 1 0 0 0");
    assertThat(entries()).containsExactly("tee Red 30-32 0", "tee Red Small 0");
    assertThat(merchant.texts("select price from product_detail where merchant_id = ?"))
        .containsExactly("20.00");
    assertThat(
            merchant.texts(
                "select image_colors || image_urls from product_detail where merchant_id = ?"))
        .containsExactly("{Red,https://i.example/r.jpg}");
    assertThat(warning(reply, "PRICES_DIFFER")).contains("tee 20.00–25.00 → 20.00");
    assertThat(warning(reply, "QUANTITY_NEGATIVE")).contains("tee -1");
    assertThat(warning(reply, "ENTRIES_LEFT_OUT")).contains("They are: tee.");
  }

  @Test
  void anOptionThatIsNeitherColorNorSizeIsJoinedToTheColorUnlessTheMappingSaysOtherwise() {
    String file =
        SHOPIFY
            + "ring,Ring,,Color,Red,Material,Cotton,1,5,,,,,\n"
            + "board,Board,,Style,Powder,Length,154,1,5,,,,,\n";

    Reply plan = merchant.imports().plan("p.csv", file);
    assertThat(columns(plan)).contains("Material=colorPart Cotton", "Length=size 154");
    assertThat(counts(plan)).isEqualTo("planned 2 0 0 0");
    assertThat(counts(apply(file))).isEqualTo("applied 2 0 0 0");
    assertThat(entries()).containsExactly("board Powder 154 1", "ring Red / Cotton One size 1");

    TestMerchant other = TestMerchant.fresh();
    Reply mapped =
        other
            .imports()
            .run("p.csv", file.getBytes(UTF_8), "apply=true&map=Material%3Dsize&map=Style%3D-");
    assertThat(counts(mapped)).isEqualTo("applied 2 0 0 0");
    assertThat(entries(other)).containsExactly("board Default 154 1", "ring Red Cotton 1");
    Reply unknown =
        other.imports().run("p.csv", file.getBytes(UTF_8), "apply=true&map=Pattern%3Dsize");
    assertThat(unknown.json().at("/errors/0/code").asString()).isEqualTo("COLUMN_ABSENT");
  }

  @Test
  void woocommerceVariationsBelongToTheirParentAndGroupsToNobody() {
    String file =
        """
        ID,Type,SKU,Name,Description,Stock,Regular price,Categories,Images,Parent,Attribute 1 name,Attribute 1 value(s),Attribute 2 name,Attribute 2 value(s)
        1,variable,tee,Tee,<p>T</p>,,,"Clothing > Shirts, Sale","https://i.example/1.jpg, https://i.example/2.jpg",,Color,"Red, Blue",Logo,"Yes, No"
        2,variation,tee-red,"Tee - Red",,4,20,,https://i.example/r.jpg,tee,Color,Red,Logo,No
        3,variation,tee-blue,"Tee - Blue",,5,18.5,,https://i.example/b.jpg,id:1,Color,Blue,Logo,Yes
        4,simple,cap,Cap,,7,9,,,,Color,Gray,Material,Wool
        5,grouped,set,Set,,,,,,,,,,
        """;

    Reply reply = apply(file);

    assertThat(counts(reply)).isEqualTo("applied 2 0 0 0");
    assertThat(entries())
        .containsExactly(
            "cap Gray One size 7", "tee Blue / Yes One size 5", "tee Red / No One size 4");
    assertThat(
            merchant.texts(
                "select title || ' ' || price || ' ' || category_name_tree || ' ' || cardinality(imgs)"
                    + " from product_detail where merchant_id = ? order by product_id"))
        .containsExactly("Tee 18.50 Clothing,Shirts 2", "Cap 9.00  0");
    assertThat(warning(reply, "ROWS_SKIPPED")).contains("set (grouped)");
  }

  @Test
  void magentoSimpleProductsAreVariantsOfTheConfigurableProductBelowThem() {
    String file =
        """
        sku,store_view_code,attribute_set_code,product_type,name,price,qty,base_image,additional_attributes,configurable_variations
        H-S,,Top,simple,Hoodie S,52.000000,100.0000,/h/s.jpg,"color=Blue,material=Cotton,Wool,size=S",
        H-M,,Top,simple,Hoodie M,52.000000,-2.0000,https://i.example/m.jpg,"color=Blue,size=M",
        H,,Top,configurable,Hoodie,,0.0000,https://i.example/h.jpg,,"sku=H-S,color=Blue,size=S|sku=H-M,color=Blue,size=M"
        H,de,Top,,Kapuze,,,,,
        B,,Bag,simple,Bag,34.123456,5,,"color=Black,material=Nylon",
        """;

    Reply reply = apply(file);

    assertThat(counts(reply)).isEqualTo("applied 2 0 0 0");
    assertThat(entries()).containsExactly("B Black One size 5", "H Blue S 100", "H Blue M 0");
    assertThat(merchant.texts("select title from product_detail where merchant_id = ? order by 1"))
        .containsExactly("Bag", "Hoodie");
    assertThat(warning(reply, "PICTURE_SKIPPED")).contains("H /h/s.jpg");
    assertThat(warning(reply, "VALUE_ADAPTED")).contains("B 34.123456 → 34.12");
  }

  @Test
  void prestaShopProductsAndTheirCombinationsAreTwoFiles() {
    String products =
        """
        Product ID;Active (0/1);Name *;Categories (x,y,z...);Price tax excluded;Wholesale price;Reference #;EAN13;UPC;Quantity;Unit price;Image URLs (x,y,z...)
        1;1;Player;Music;100;80;P-1;123;;0;;http://i.example/1.jpg,http://i.example/2.jpg
        2;1;Phones;Music;60;40;;123;;7;;http://i.example/3.jpg
        """;
    String combinations =
        """
        Product ID*;Product Reference;Attribute (Name:Type:Position)*;Value (Value:Position)*;Reference;EAN13;Quantity
        1;P-1;Color:color:0,Disk space:select:1;Blue:0,16GB:1;P-1-B;;5
        """;

    Reply reply = apply(products);

    assertThat(counts(reply)).isEqualTo("applied 2 0 0 0");
    assertThat(entries()).containsExactly("2 Default One size 7", "P-1 Default One size 0");
    assertThat(warning(reply, "BARCODES_LEFT_OUT")).endsWith("2 entries.");
    assertThat(counts(apply(combinations))).isEqualTo("applied 0 1 0 0");
    assertThat(entries()).contains("P-1 Blue / 16GB One size 5");
  }

  @Test
  void taobaoVariantsWithNamesAreEntriesInGbk() {
    String file =
        "宝贝名称\t宝贝价格\t宝贝数量\t新图片\t销售属性组合\t商家编码\t销售属性别名\n"
            + "短靴\t128.50\t9\tab:1:0:|http://i.example/1.jpg;cd:2:0:1627207:28341|http://i.example/k.jpg;"
            + "\t128.5:5::1627207:28341;20549:29542;128.5:4::1627207:28341;20549:29544;\tA1"
            + "\t1627207:28341:黑色;20549:29542:36;20549:29544:36.5\n"
            + "凉鞋\t58\t3\t\t\tA2\t\n"
            + "拖鞋\t18\t3\t\t18:3::1627207:1;\tA3\t\n";

    Reply reply =
        merchant
            .imports()
            .reading("zh")
            .run("t.csv", file.getBytes(Charset.forName("GBK")), "apply=true");

    assertThat(counts(reply)).isEqualTo("applied 3 0 0 0");
    assertThat(entries()).containsExactly("A1 黑色 36 5", "A1 黑色 36.5 4", "A2 默认 均码 3");
    assertThat(
            merchant.texts(
                "select imgs::text || image_urls::text from product_detail where merchant_id = ?"
                    + " and cardinality(imgs) > 0"))
        .containsExactly("{http://i.example/1.jpg}{http://i.example/k.jpg}");
    assertThat(warning(reply, "ENTRIES_LEFT_OUT")).contains("A3");
  }

  @Test
  void theWordsForAMissingColorAndSizeAreTheMerchantsAndStay() {
    merchant
        .imports()
        .reading("zh")
        .run("p.csv", "货号,标题,价格,库存\nA1,包,5,1\n".getBytes(UTF_8), "apply=true");
    merchant.imports().apply("p.csv", "sku,title,price,stock\nA1,Bag,5,2\n");
    assertThat(entries()).containsExactly("A1 默认 均码 2");

    String query = "apply=true&onlyColor=Plain&onlySize=OS";
    merchant.imports().run("p.csv", "sku,title,price,stock\nA2,Bag,5,3\n".getBytes(UTF_8), query);
    merchant.imports().apply("p.csv", "sku,title,price,stock\nA3,Bag,5,4\n");
    assertThat(entries()).containsExactly("A1 默认 均码 2", "A2 Plain OS 3", "A3 Plain OS 4");
  }

  @Test
  void aRowMayLeaveOutItsSizeOnlyIfAllRowsOfTheProductDo() {
    String header = "sku,title,price,color,size,stock\n";

    assertThat(errors(merchant.imports().plan("p.csv", header + "A1,Bag,5,red,,1\nA1,,,blue,,2\n")))
        .isEmpty();
    assertThat(
            errors(merchant.imports().plan("p.csv", header + "A1,Bag,5,red,36,1\nA1,,,red,,2\n")))
        .containsExactly("3 size FIELD_MISSING");
  }

  @ParameterizedTest
  @CsvSource({"lowest, 5.00, Boot", "highest, 9.00, Boot", "first, 7.00, Boot"})
  void rowsThatDifferAreAChoiceWhereverTheyAre(String differing, String price, String title) {
    String apart =
        "sku,title,price,imgs\nA1,Boot,7,https://i.example/1.jpg\nB1,x,1,\nA1,Boots,5,\nC1,x,1,\n"
            + "A1,Shoe,9,https://i.example/2.jpg https://i.example/1.jpg\n";

    Reply reply =
        merchant.imports().run("p.csv", apart.getBytes(UTF_8), "apply=true&differing=" + differing);

    assertThat(counts(reply)).isEqualTo("applied 3 0 0 0");
    assertThat(
            merchant.texts(
                "select title || ' ' || price || ' ' || imgs::text from product_detail"
                    + " where merchant_id = ? and title <> 'x'"))
        .containsExactly(
            title + " " + price + " {https://i.example/1.jpg,https://i.example/2.jpg}");
    assertThat(warning(reply, "VALUES_DIFFER")).contains("differ in title");
    assertThat(warning(reply, "PRICES_DIFFER")).contains("A1 5.00–9.00 → " + price);
  }

  @ParameterizedTest
  @CsvSource({"sizes, 30 31 32, true", "text, 30-32, false"})
  void whatLooksLikeARangeIsAskedFor(String ranges, String sizes, boolean asked) {
    byte[] file = "sku,title,price,color,size,stock\nA1,Boot,5,red,30-32,1\n".getBytes(UTF_8);

    Reply reply = merchant.imports().run("p.csv", file, "apply=true&ranges=" + ranges);

    assertThat(
            merchant.texts("select size_text from stock_entry where merchant_id = ? order by size"))
        .containsExactly(sizes.split(" "));
    assertThat(warnings(reply).contains("SIZE_RANGES")).isEqualTo(asked);
  }

  @Test
  void ignoredColumnsThatDifferComeFirst() {
    Reply reply =
        merchant
            .imports()
            .plan(
                "p.csv",
                "sku,title,price,Taxable,Vendor,Empty\nA1,a,1,true,Acme,\nA2,b,1,true,Bolt,\n");

    assertThat(reply.json().get("ignored").toString())
        .isEqualTo("[\"Vendor\",\"Taxable\",\"Empty\"]");
    assertThat(reply.json().get("ignoredMinor").asInt()).isEqualTo(2);
  }

  @Test
  void removedHtmlSaysWhatReadersLose() {
    String html =
        "<p class='x' style='color:red' target='y'>a</p><meta charset='utf-8'>"
            + "<iframe src='https://v.example/1'></iframe><script>1</script>";

    Reply reply =
        merchant.imports().plan("p.csv", "sku,title,price,description\nA1,a,1,\"" + html + "\"\n");

    assertThat(reply.json().get("removed").valueStream().map(each -> text(each, "what", "loses")))
        .containsExactly("<iframe> content", "<p style> look", "<script> nothing");
    assertThat(
            merchant
                .imports()
                .plan("p.csv", "sku,title,price,description\nA1,a,1,<p class='x'>a</p>\n")
                .json()
                .get("removedTotal")
                .asInt())
        .isZero();
  }

  private Reply apply(String file) {
    return merchant.imports().apply("products.csv", file);
  }

  private List<String> entries() {
    return entries(merchant);
  }

  private static List<String> entries(TestMerchant of) {
    return of.texts(
        """
        select p.art_no || ' ' || c.color || ' ' || s.size_text || ' ' || s.quantity
        from stock_entry s join product p using (merchant_id, product_id)
        join stock_color c using (merchant_id, product_id, color_no)
        where s.merchant_id = ? order by p.art_no collate "C", c.color collate "C", s.size
        """);
  }

  private static List<String> warnings(Reply reply) {
    return reply
        .json()
        .get("warnings")
        .valueStream()
        .map(each -> each.get("code").asString())
        .toList();
  }

  private static String warning(Reply reply, String code) {
    return reply
        .json()
        .get("warnings")
        .valueStream()
        .filter(each -> each.get("code").asString().equals(code))
        .map(each -> each.get("msg").asString())
        .findFirst()
        .orElse("none of " + code);
  }

  private static List<String> columns(Reply reply) {
    return reply
        .json()
        .at("/source/columns")
        .valueStream()
        .map(
            each ->
                each.get("column").asString()
                    + "="
                    + each.get("field").asString("")
                    + " "
                    + each.at("/values/0").asString(""))
        .toList();
  }

  private static String text(JsonNode node, String first, String second) {
    return node.get(first).asString() + " " + node.get(second).asString();
  }
}
