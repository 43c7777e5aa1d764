package io.stockroom.files.export;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.stockroom.protocol.Language;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

class XlsxFormatTest {
  private static final String FIRST = "xl/worksheets/sheet1.xml";

  private final ByteArrayOutputStream file = new ByteArrayOutputStream();

  @Test
  void keepsTextCellsAsTextAndNumbersAsNumbers() throws Exception {
    ProductWriter writer = new TableWriter(new XlsxFormat(file, Language.ENGLISH));
    writer.begin(product("00123", " =1+1 "));
    writer.color(bytes("红"), bytes("http://p.example/r"));
    writer.entry(bytes("36"), 5, bytes("6901234567890"), 0, 13);
    writer.end();
    writer.finish();

    List<String> cells = cells(parts().get(FIRST));

    assertThat(cells)
        .contains(
            "A2 inlineStr 00123",
            "B2 inlineStr  =1+1 ",
            "D2 n 59.00",
            "J2 inlineStr 红",
            "K2 inlineStr http://p.example/r",
            "L2 n 36",
            "M2 n 5",
            "N2 inlineStr 6901234567890");
    assertThat(cells.getFirst()).isEqualTo("A1 inlineStr artNo");
    assertThat(cells.get(13)).isEqualTo("N1 inlineStr barCode");
  }

  @Test
  void writesAllPartsOfAWorkbookAndNamesEachSheet() throws Exception {
    write(4, 5);

    Map<String, Document> parts = parts();

    assertThat(parts)
        .containsOnlyKeys(
            FIRST,
            "xl/worksheets/sheet2.xml",
            "xl/styles.xml",
            "xl/workbook.xml",
            "xl/_rels/workbook.xml.rels",
            "_rels/.rels",
            "[Content_Types].xml");
    assertThat(attributes(parts.get("xl/workbook.xml"), "sheet", "name"))
        .containsExactly("Products", "Products 2");
    assertThat(attributes(parts.get("xl/_rels/workbook.xml.rels"), "Relationship", "Target"))
        .containsExactly("worksheets/sheet1.xml", "worksheets/sheet2.xml", "styles.xml");
    assertThat(attributes(parts.get("[Content_Types].xml"), "Override", "PartName"))
        .contains("/xl/worksheets/sheet1.xml", "/xl/worksheets/sheet2.xml");
    assertThat(attributes(parts.get(FIRST), "pane", "state")).containsExactly("frozen");
  }

  @ParameterizedTest
  @CsvSource({"3, 1", "4, 2", "6, 2", "7, 3"})
  void continuesOnTheNextSheetWhenOneIsFull(int products, int sheets) throws Exception {
    write(4, products);

    Map<String, Document> parts = parts();

    List<String> artNos = new ArrayList<>();
    for (int sheet = 1; sheet <= sheets; sheet++) {
      List<String> cells = cells(parts.get("xl/worksheets/sheet" + sheet + ".xml"));
      assertThat(cells.getFirst()).isEqualTo("A1 inlineStr artNo");
      cells.stream()
          .filter(cell -> cell.matches("A[2-9] .*"))
          .forEach(cell -> artNos.add(cell.replaceFirst(".* ", "")));
    }
    assertThat(artNos).hasSize(products).doesNotHaveDuplicates();
    assertThat(parts).doesNotContainKey("xl/worksheets/sheet" + (sheets + 1) + ".xml");
  }

  static Stream<Arguments> charactersAndWhatXmlMakesOfThem() {
    return Stream.of(
        Arguments.of("a&b<c>d", "a&b<c>d"),
        Arguments.of("a\r\nb", "a\r\nb"),
        Arguments.of("a\u000bb", "a_x000B_b"),
        Arguments.of("a\u001fb", "a_x001F_b"),
        Arguments.of("a_x000B_b", "a_x005F_x000B_b"),
        Arguments.of("a_x000_b", "a_x000_b"),
        Arguments.of("a\uffffb\ufffec\ufffd", "a_xFFFF_b_xFFFE_c\ufffd"),
        Arguments.of("😀", "😀"));
  }

  @ParameterizedTest
  @MethodSource("charactersAndWhatXmlMakesOfThem")
  void writesEveryCharacterWithoutLoss(String text, String seen) throws Exception {
    ByteArrayOutputStream xml = new ByteArrayOutputStream();
    Bytes out = new Bytes(xml);
    out.put(Bytes.ascii("<t>"));
    XlsxText.put(out, bytes("-" + text + "-"), 1, bytes(text).length);
    out.put(Bytes.ascii("</t>")).handOn();

    assertThat(document(xml.toByteArray()).getDocumentElement().getTextContent()).isEqualTo(seen);
  }

  private void write(int mostRows, int products) throws IOException {
    ProductWriter writer = new TableWriter(new XlsxFormat(file, Language.ENGLISH, mostRows));
    for (int i = 0; i < products; i++) {
      writer.begin(product("A" + i, "T"));
      writer.end();
    }
    writer.finish();
  }

  private static ExportedProduct product(String artNo, String title) {
    byte[] none = {};
    byte[][] nothing = {};
    return new ExportedProduct(
        1,
        bytes(artNo),
        bytes(title),
        none,
        bytes("59.00"),
        none,
        none,
        nothing,
        none,
        nothing,
        nothing,
        nothing,
        nothing);
  }

  private Map<String, Document> parts() throws Exception {
    Map<String, Document> parts = new LinkedHashMap<>();
    try (ZipInputStream zip = new ZipInputStream(new ByteArrayInputStream(file.toByteArray()))) {
      for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
        parts.put(entry.getName(), document(zip.readAllBytes()));
      }
    }
    return parts;
  }

  private static Document document(byte[] xml) throws Exception {
    return DocumentBuilderFactory.newInstance()
        .newDocumentBuilder()
        .parse(new ByteArrayInputStream(xml));
  }

  /** Every cell with its reference, type and content. */
  private static List<String> cells(@Nullable Document sheet) {
    List<String> cells = new ArrayList<>();
    NodeList found = Objects.requireNonNull(sheet).getElementsByTagName("c");
    for (int i = 0; i < found.getLength(); i++) {
      Element cell = (Element) found.item(i);
      String type = cell.hasAttribute("t") ? cell.getAttribute("t") : "n";
      cells.add(cell.getAttribute("r") + " " + type + " " + cell.getTextContent());
    }
    return cells;
  }

  private static List<String> attributes(
      @Nullable Document document, String element, String attribute) {
    List<String> values = new ArrayList<>();
    NodeList found = Objects.requireNonNull(document).getElementsByTagName(element);
    for (int i = 0; i < found.getLength(); i++) {
      values.add(((Element) found.item(i)).getAttribute(attribute));
    }
    return values;
  }

  private static byte[] bytes(String text) {
    return text.getBytes(UTF_8);
  }
}
