package io.stockroom.files.imports.read;

import static java.nio.charset.StandardCharsets.UTF_16LE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.stockroom.protocol.Language;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.dhatim.fastexcel.VisibilityState;
import org.dhatim.fastexcel.Workbook;
import org.dhatim.fastexcel.Worksheet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Files as shops and spreadsheets make them, and the messages for those that cannot be read. */
class FileShapeTest {
  private static final ImportOptions NONE = ImportOptions.NONE;

  @Test
  void readsAShopifyProductFile() throws Exception {
    String file =
        """
        Handle,Title,Body (HTML),Vendor,Option1 Name,Option1 Value,Option2 Name,Option2 Value,Option3 Name,Option3 Value,Variant SKU,Variant Inventory Qty,Variant Price,Variant Barcode,Image Src,Status
        boot,Winter Boot,<p>Warm</p>,Acme,Color,Red,Size,36,,,B-R-36,5,59.90,6900000000011,https://img.example.com/1.jpg,active
        boot,,,,,Red,,37,,,B-R-37,0,59.90,,https://img.example.com/2.jpg,
        boot,,,,,Blue,,36,,,B-B-36,2,59.90,,,
        clog,Clog,,Acme,Size,40,,,,,C-40,7,19.00,,,active
        """;

    assertThat(rows("products_export.csv", file.getBytes(UTF_8), NONE))
        .containsExactly(
            "boot Winter Boot 5990 [https://img.example.com/1.jpg] Red 36=5 6900000000011",
            "boot null 5990 [https://img.example.com/2.jpg] Red 37=0 null",
            "boot null null null Blue 36=2 null",
            "clog Clog 1900 null Default 40=7 null");
  }

  /** The first row has a version, the second one English names, the third one Chinese names. */
  @Test
  void readsATaobaoAssistantFile() throws Exception {
    String file =
        """
        version 1.00
        title\tcid\tprice\tnum\tdescription\tskuProps\touter_id\tpicture
        宝贝名称\t宝贝类目\t宝贝价格\t宝贝数量\t宝贝描述\t销售属性组合\t商家编码\t新图片
        真皮短靴\t50012027\t128.50\t20\t<p>保暖</p>\t128.5:20::1627207:28341;\tA100\tx:1:0:|;
        """;
    byte[] marked = ("\uFEFF" + file).getBytes(UTF_16LE);

    assertThat(rows("taobao.csv", marked, NONE)).containsExactly("A100 真皮短靴 12850 null");
  }

  @ParameterizedTest
  @CsvSource({
    "颜色:黑色;尺码:38, 黑色 38=5",
    "颜色分类：黑色；鞋码：38码, 黑色 38=5",
    "黑色;38, 黑色 38=5",
    "黑色/38, 黑色 38=5",
    "深 灰 38-40, 深 灰 38-40=5"
  })
  void readsColorAndSizeFromOneColumn(String specification, String expected) throws Exception {
    String file = "货号,商品标题,规格,库存\nA100,短靴,\"%s\",5\n".formatted(specification);

    assertThat(rows("1688.csv", file.getBytes(UTF_8), NONE).getFirst())
        .isEqualTo("A100 短靴 null null " + expected + " null");
  }

  @Test
  void skipsATitleAboveTheHeaderOnEverySheet() throws Exception {
    byte[] book =
        Sheets.of(
            List.of(
                List.of("库存表 2026"),
                List.of("制表人", "李"),
                List.of("货号", "颜色", "36"),
                List.of("A1", "红", 5)),
            List.of(List.of("说明"), List.of("请勿修改")),
            List.of(List.of("第二页"), List.of("货号", "颜色", "36"), List.of("A2", "蓝", 6)));

    assertThat(rows("book.xlsx", book, NONE))
        .containsExactly("A1 null null null 红 36=5 null", "A2 null null null 蓝 36=6 null");
    assertThat(
            rows("title.csv", "Stock of May;;\nItem No;Color;36\nA1;red;5\n".getBytes(UTF_8), NONE))
        .containsExactly("A1 null null null red 36=5 null");
  }

  @Test
  void fillsMergedCellsAndCountsHiddenRows() throws Exception {
    byte[] book =
        Sheets.archive(
            "xl/worksheets/sheet1.xml",
            "<worksheet><sheetData>"
                + row(1, "", "artNo", "color", "size", "quantity")
                + row(2, "", "A1", "red", "36", "5")
                + row(3, " hidden=\"1\"", "", "", "37", "6")
                + row(4, "", "", "blue", "36", "7")
                + "</sheetData><mergeCells count=\"2\"><mergeCell ref=\"A2:A4\"/>"
                + "<mergeCell ref=\"B2:B3\"/></mergeCells></worksheet>");

    assertThat(rows("merged.xlsx", book, NONE))
        .containsExactly(
            "A1 null null null red 36=5 null",
            "A1 null null null red 37=6 null",
            "A1 null null null blue 36=7 null",
            "hidden 1");
  }

  @Test
  void warnsOfTheRowsOfAHiddenSheet() throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (Workbook book = new Workbook(bytes, "test", "1.0")) {
      for (String artNo : List.of("A1", "A2", "a list of choices")) {
        Worksheet sheet = book.newWorksheet(artNo);
        sheet.value(0, 0, artNo.startsWith("A") ? "artNo" : "Choice");
        sheet.value(0, 1, "title");
        sheet.value(1, 0, artNo);
        sheet.value(1, 1, "Boot");
        if (!artNo.equals("A1")) {
          sheet.setVisibilityState(VisibilityState.VERY_HIDDEN);
        }
        sheet.finish();
      }
    }

    assertThat(rows("hidden.xlsx", bytes.toByteArray(), NONE))
        .containsExactly("A1 Boot null null", "A2 Boot null null", "hidden 1");
  }

  @Test
  void readsATableWithoutAHeader() throws Exception {
    ImportOptions options =
        ImportOptions.of(
                null,
                null,
                Map.of("A", "artNo", "B", "color", "C", "size", "D", "quantity"),
                Language.ENGLISH)
            .withoutHeader(true);

    assertThat(rows("data.csv", "A1,red,36,5\nA2,blue,37,6\n".getBytes(UTF_8), options))
        .containsExactly("A1 null null null red 36=5 null", "A2 null null null blue 37=6 null");
    assertThat(
            problem(
                "data.csv",
                "A1,red,36,5\n".getBytes(UTF_8),
                ImportOptions.NONE.withoutHeader(true)))
        .isEqualTo(
            "COLUMN_MISSING The file has no column for artNo; its columns are: A, B, C, D."
                + " Name one of them artNo, or map one to artNo. If the columns are not separated"
                + " correctly, choose the delimiter.");
  }

  /** The table of docs/importing.md: what is wrong, and what the message says to do. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "A1|red|36|1,200|5|NUMBER_THOUSANDS|without them: 1200.",
        "A1|red|36|1.200,50|5|NUMBER_THOUSANDS|without them: 1200.50.",
        "A1|red|36|59,90|5|NUMBER_COMMA|Write a point: 59.90.",
        "A1|red|36|¥59.90|5|NUMBER_CURRENCY|Write only the number: 59.90.",
        "A1|red|36|59.90 元|5|NUMBER_CURRENCY|Write only the number: 59.90.",
        "A1|red|36|cheap|5|CELL_FORMAT|such as 59.00.",
        "A1|red|36|5|1,000|NUMBER_THOUSANDS|without them: 1000.",
        "A1|red|36|5|5.0|NUMBER_FORMAT|whole number from 0 to 2147483647.",
        "A1|red|6-Mar|5|5|SIZE_DATE|Format the column as text",
        "A1|red|Mar-36|5|5|SIZE_DATE|Format the column as text",
        "A1|red|3月6日|5|5|SIZE_DATE|Format the column as text",
        "A1|red|3/6|5|5|SIZE_DATE|Format the column as text",
        "A1|red|3月|5|5|SIZE_DATE|Format the column as text",
        "A1|red|2026/3/6|5|5|SIZE_DATE|Format the column as text",
        "A1|red|46087|5|5|SIZE_DATE|Format the column as text",
        "A1|red|40-36|5|5|SIZE_ORDER|did you mean 36-40?",
        "A1|red|36|=B2*2|5|CELL_FORMULA|Paste its value",
      })
  void saysWhatToDoAboutABadCell(
      String artNo,
      String color,
      String size,
      String price,
      String quantity,
      String code,
      String advice)
      throws Exception {
    String file =
        "artNo;color;size;price;quantity\n%s;%s;%s;%s;%s\n"
            .formatted(artNo, color, size, price, quantity);

    String problem = rows("p.csv", file.getBytes(UTF_8), NONE).getFirst();

    assertThat(problem).contains(code);
    assertThat(messages("p.csv", file.getBytes(UTF_8)).getFirst()).contains(advice);
  }

  @Test
  void saysWhatToDoAboutABarcodeInScientificNotation() throws Exception {
    String file = "artNo,color,size,quantity,barCode\nA1,red,36,5,6.90001E+12\nA2,red,36,5,6E9X\n";

    assertThat(messages("p.csv", file.getBytes(UTF_8)))
        .singleElement()
        .asString()
        .startsWith("\"6.90001E+12\" is a barcode in scientific notation");
  }

  @Test
  void saysWhatToDoAboutABadFile() throws Exception {
    assertThat(problem("stock.csv", "%PDF-1.7".getBytes(UTF_8), NONE))
        .isEqualTo("FILE_FORMAT The file stock.csv is a PDF. Save the table as CSV or XLSX.");
    byte[] png = {(byte) 0x89, 'P', 'N', 'G', '\r', '\n'};
    assertThat(problem("stock.csv", png, NONE))
        .isEqualTo(
            "FILE_FORMAT The file stock.csv is a PNG picture. Send the table itself as CSV or XLSX.");
    byte[] latin =
        "artNo,title\nA1,Stra\u00DFe\n".getBytes(java.nio.charset.StandardCharsets.ISO_8859_1);
    assertThat(problem("p.csv", latin, ImportOptions.of("UTF-8", null, Map.of(), Language.ENGLISH)))
        .startsWith("FILE_ENCODING In row 2")
        .contains("Save the file as UTF-8");
    assertThat(problem("p.csv", "artNo:color:36\nA1:red:5\n".getBytes(UTF_8), NONE))
        .startsWith("COLUMN_MISSING")
        .contains("its columns are: artNo:color:36.", "choose the delimiter");
    assertThat(problem("p.csv", ("artNo" + ",".repeat(1_000_000) + "\nA1\n").getBytes(UTF_8), NONE))
        .isEqualTo(
            "COLUMNS_TOO_MANY Row 1 has 1000001 columns; at most 16384 are allowed. Check the"
                + " delimiter, or save the table again with the columns that you need.");
    assertThat(messages("p.csv", "artNo,title\nA1,\"Boot\nA2,Shoe\n".getBytes(UTF_8)))
        .containsExactly(
            "A quote opens in row 2 and is never closed. Close it, or double it if it belongs to the"
                + " text.");
  }

  private static String row(int number, String attributes, String... cells) {
    StringBuilder row = new StringBuilder("<row r=\"" + number + "\"" + attributes + ">");
    for (int i = 0; i < cells.length; i++) {
      if (!cells[i].isEmpty()) {
        row.append(
            "<c r=\"%c%d\" t=\"inlineStr\"><is><t>%s</t></is></c>"
                .formatted('A' + i, number, cells[i]));
      }
    }
    return row.append("</row>").toString();
  }

  private static ImportFile file(String name, byte[] bytes, ImportOptions options)
      throws SQLException, FileRejection {
    Inspection inspection = new Inspection();
    inspection.look(bytes, bytes.length);
    return ImportFile.of(
        new StoredFile(
            1,
            name,
            bytes.length,
            inspection.encoding(),
            options,
            number -> number == 0 ? bytes : null),
        new Progress());
  }

  private static List<String> rows(String name, byte[] bytes, ImportOptions options)
      throws Exception {
    List<String> rows = new ArrayList<>();
    try (RowSource source = file(name, bytes, options).source(Map.of(), options.choices())) {
      for (ProductRow row = source.next(); row != null; row = source.next()) {
        ProductValues values = row.values == null ? new ProductValues() : row.values;
        StringBuilder text = new StringBuilder();
        text.append(row.artNo + " " + values.title + " " + values.cents + " " + values.imgs);
        for (ProductRow.Stock stock : row.stock) {
          String sizes =
              stock.sizes().count() == 1
                  ? "" + stock.sizes().first()
                  : stock.sizes().first() + "-" + stock.sizes().last();
          text.append(
              " " + stock.color() + " " + sizes + "=" + stock.quantity() + " " + stock.barCode());
        }
        row.problems.forEach(each -> text.append(" " + each.column() + " " + each.code()));
        rows.add(text.toString());
      }
      if (source.hiddenRows() > 0) {
        rows.add("hidden " + source.hiddenRows());
      }
    }
    return rows;
  }

  private static List<String> messages(String name, byte[] bytes) throws Exception {
    List<String> messages = new ArrayList<>();
    try (RowSource source = file(name, bytes, NONE).source(Map.of(), Choices.NONE)) {
      for (ProductRow row = source.next(); row != null; row = source.next()) {
        row.problems.forEach(each -> messages.add(each.message(Language.ENGLISH)));
      }
    }
    return messages;
  }

  private static String problem(String name, byte[] bytes, ImportOptions options)
      throws IOException, SQLException {
    try (RowSource source = file(name, bytes, options).source(Map.of(), options.choices())) {
      while (source.next() != null) {
        // until something is wrong
      }
      return "none";
    } catch (FileRejection rejection) {
      return rejection.problem().code() + " " + rejection.problem().message(Language.ENGLISH);
    }
  }
}
