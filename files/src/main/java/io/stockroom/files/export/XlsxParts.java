package io.stockroom.files.export;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.zip.Deflater;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/**
 * The zip archive of a workbook: its sheets, one after the other, then the parts that list them.
 */
final class XlsxParts {
  /** Indexes into the styles below. */
  static final int TEXT = 1;

  static final int MONEY = 2;
  static final int BOLD = 3;

  private static final String XML =
      "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n";
  private static final String MAIN =
      "xmlns=\"http://schemas.openxmlformats.org/spreadsheetml/2006/main\"";
  private static final String PACKAGE = "http://schemas.openxmlformats.org/package/2006/";
  private static final String DOCUMENT =
      "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
  private static final String CONTENT =
      "application/vnd.openxmlformats-officedocument.spreadsheetml.";

  private static final String SHEET_BEGINS =
      XML
          + """
          <worksheet %1$s><sheetViews><sheetView workbookViewId="0">\
          <pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>\
          </sheetView></sheetViews><cols>\
          <col min="1" max="1" width="14" style="%2$d" customWidth="1"/>\
          <col min="2" max="2" width="30" customWidth="1"/>\
          <col min="3" max="3" width="40" customWidth="1"/>\
          <col min="4" max="4" width="10" style="%3$d" customWidth="1"/>\
          <col min="5" max="5" width="14" style="%2$d" customWidth="1"/>\
          <col min="6" max="9" width="20" customWidth="1"/>\
          <col min="10" max="10" width="12" style="%2$d" customWidth="1"/>\
          <col min="11" max="11" width="20" customWidth="1"/>\
          <col min="12" max="13" width="9" customWidth="1"/>\
          <col min="14" max="14" width="16" style="%2$d" customWidth="1"/>\
          </cols><sheetData>"""
              .formatted(MAIN, TEXT, MONEY);
  private static final String SHEET_ENDS = "</sheetData></worksheet>";

  private static final String STYLES =
      XML
          + """
          <styleSheet %s>\
          <fonts count="2"><font><sz val="11"/><name val="Calibri"/></font>\
          <font><b/><sz val="11"/><name val="Calibri"/></font></fonts>\
          <fills count="2"><fill><patternFill patternType="none"/></fill>\
          <fill><patternFill patternType="gray125"/></fill></fills>\
          <borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>\
          <cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>\
          <cellXfs count="4">\
          <xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>\
          <xf numFmtId="49" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>\
          <xf numFmtId="2" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>\
          <xf numFmtId="0" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1"/>\
          </cellXfs>\
          <cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles>\
          </styleSheet>"""
              .formatted(MAIN);

  private final ZipOutputStream zip;
  private int sheets;

  XlsxParts(OutputStream to) {
    zip = new ZipOutputStream(to, StandardCharsets.UTF_8);
    // sheets are so repetitive that a higher level gains little
    zip.setLevel(Deflater.BEST_SPEED);
  }

  Bytes beginSheet() throws IOException {
    zip.putNextEntry(new ZipEntry("xl/worksheets/sheet%d.xml".formatted(++sheets)));
    return new Bytes(zip).put(utf8(SHEET_BEGINS));
  }

  void endSheet(Bytes sheet) throws IOException {
    sheet.put(utf8(SHEET_ENDS)).handOn();
    zip.closeEntry();
  }

  /** Writes the parts that need to know the number of sheets. */
  void finish() throws IOException {
    part("xl/styles.xml", STYLES);
    part(
        "xl/workbook.xml",
        "<workbook %s xmlns:r=\"%s\"><sheets>%s</sheets></workbook>"
            .formatted(
                MAIN,
                DOCUMENT,
                forEachSheet(
                    number ->
                        "<sheet name=\"Products%s\" sheetId=\"%d\" r:id=\"rId%d\"/>"
                            .formatted(number == 1 ? "" : " " + number, number, number))));
    part(
        "xl/_rels/workbook.xml.rels",
        relationships(
            forEachSheet(
                    number ->
                        relationship(number, "worksheet", "worksheets/sheet" + number + ".xml"))
                + relationship(sheets + 1, "styles", "styles.xml")));
    part("_rels/.rels", relationships(relationship(1, "officeDocument", "xl/workbook.xml")));
    part(
        "[Content_Types].xml",
        "<Types xmlns=\"%scontent-types\">".formatted(PACKAGE)
            + "<Default Extension=\"rels\" ContentType=\"application/vnd.openxmlformats-package.relationships+xml\"/>"
            + override("workbook", "sheet.main")
            + override("styles", "styles")
            + forEachSheet(number -> override("worksheets/sheet" + number, "worksheet"))
            + "</Types>");
    zip.finish();
  }

  private String forEachSheet(IntFunction<String> text) {
    return IntStream.rangeClosed(1, sheets).mapToObj(text).collect(Collectors.joining());
  }

  private static String relationships(String all) {
    return "<Relationships xmlns=\"%srelationships\">%s</Relationships>".formatted(PACKAGE, all);
  }

  private static String relationship(int number, String type, String target) {
    return "<Relationship Id=\"rId%d\" Type=\"%s/%s\" Target=\"%s\"/>"
        .formatted(number, DOCUMENT, type, target);
  }

  private static String override(String part, String type) {
    return "<Override PartName=\"/xl/%s.xml\" ContentType=\"%s%s+xml\"/>"
        .formatted(part, CONTENT, type);
  }

  private void part(String name, String xml) throws IOException {
    zip.putNextEntry(new ZipEntry(name));
    zip.write(utf8(xml.startsWith(XML) ? xml : XML + xml));
    zip.closeEntry();
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
