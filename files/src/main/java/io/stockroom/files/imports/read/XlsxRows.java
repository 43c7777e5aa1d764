package io.stockroom.files.imports.read;

import io.stockroom.protocol.ErrorCode;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import org.jspecify.annotations.Nullable;

/**
 * Reads an Excel workbook front to back, once for the shared strings and once for the rows. Each
 * sheet has its own range of row numbers, so that rows keep their order.
 */
final class XlsxRows implements TableRows {
  /** More rows than a sheet can have. */
  private static final int ROWS_OF_A_SHEET = 1 << 21;

  private static final int MAX_SHEETS = 1000;
  static final int MAX_COLUMNS = 16_384;

  // Excel shows 15 digits; the rest is binary rounding noise
  private static final MathContext SHOWN_DIGITS = new MathContext(15);
  private static final XMLInputFactory XML = factory();

  /** Opens the file again: it is read twice. */
  interface Opening {
    InputStream open() throws IOException;
  }

  private final String name;
  private final SharedStrings texts;
  private final BoundedZip zip;
  private final RowCells cells = new RowCells();
  private static final Pattern ESCAPE = Pattern.compile("_x([0-9A-Fa-f]{4})_");

  private final StringBuilder text = new StringBuilder();
  private @Nullable XMLStreamReader sheet;
  private final List<MergedCells> merged = new ArrayList<>();
  private final HiddenSheets hiddenSheets = new HiddenSheets();
  private boolean hiddenSheet;
  private int sheetNumber;
  private int row;
  private int column;
  private boolean tooLong;

  XlsxRows(Opening file, String name) throws IOException, FileRejection {
    this.name = name;
    this.texts = new SharedStrings();
    try {
      try (BoundedZip first = new BoundedZip(file.open(), name)) {
        readTexts(first);
      }
      this.zip = new BoundedZip(file.open(), name);
    } catch (IOException | FileRejection | RuntimeException failure) {
      texts.close();
      throw failure;
    }
  }

  private void readTexts(BoundedZip archive) throws IOException, FileRejection {
    boolean workbook = false;
    for (String entry = archive.next(); entry != null; entry = archive.next()) {
      if (isSheet(entry)) {
        workbook = true;
        merged.add(merged(archive));
      }
      try {
        hiddenSheets.read(entry, archive.content(), XML);
        if (entry.equals("xl/sharedStrings.xml")) {
          XMLStreamReader xml = XML.createXMLStreamReader(archive.content());
          while (xml.hasNext()) {
            if (step(xml) == XMLStreamConstants.START_ELEMENT && xml.getLocalName().equals("si")) {
              texts.add(readText(xml, "si"));
            }
          }
        }
      } catch (XMLStreamException broken) {
        throw rejection(archive, broken);
      }
    }
    texts.finish();
    if (!workbook) {
      throw FileRejection.of(
          ErrorCode.FILE_FORMAT,
          name,
          "a ZIP archive without an Excel sheet in it",
          "Send the workbook (.xlsx), CSV or JSON Lines itself.");
    }
  }

  private static MergedCells merged(BoundedZip archive) throws IOException, FileRejection {
    try {
      return MergedCells.of(archive.content());
    } catch (IOException broken) {
      throw rejection(archive, new XMLStreamException(broken));
    }
  }

  @Override
  public @Nullable RowCells next() throws IOException, FileRejection {
    try {
      while (true) {
        if (sheet == null && !nextSheet()) {
          return null;
        }
        if (sheet != null && nextRow(sheet)) {
          if (!cells.blank()) {
            return cells;
          }
        } else {
          sheet = null;
        }
      }
    } catch (XMLStreamException broken) {
      throw rejection(zip, broken);
    } catch (BoundedZip.Expands beyond) {
      throw zip.expands();
    }
  }

  private boolean nextSheet() throws IOException, FileRejection, XMLStreamException {
    for (String entry = zip.next(); entry != null; entry = zip.next()) {
      if (isSheet(entry) && sheetNumber < MAX_SHEETS) {
        sheet = XML.createXMLStreamReader(zip.content());
        row = sheetNumber++ * ROWS_OF_A_SHEET;
        hiddenSheet = hiddenSheets.contains(entry);
        return true;
      }
    }
    return false;
  }

  private boolean nextRow(XMLStreamReader xml) throws XMLStreamException {
    while (xml.hasNext()) {
      if (step(xml) == XMLStreamConstants.START_ELEMENT && xml.getLocalName().equals("row")) {
        String number = xml.getAttributeValue(null, "r");
        int first = (sheetNumber - 1) * ROWS_OF_A_SHEET;
        int next = number == null ? row + 1 : first + number(number, ROWS_OF_A_SHEET - 1);
        row = Math.max(row + 1, next);
        String hidden = xml.getAttributeValue(null, "hidden");
        cells.start(row);
        column = -1;
        readCells(xml);
        if (hiddenSheet || "1".equals(hidden) || "true".equals(hidden)) {
          cells.hide();
        }
        if (!cells.blank()) {
          merged.get(sheetNumber - 1).fill(cells, row - first);
        }
        return true;
      }
    }
    return false;
  }

  private void readCells(XMLStreamReader xml) throws XMLStreamException {
    while (xml.hasNext()) {
      int event = step(xml);
      if (event == XMLStreamConstants.END_ELEMENT && xml.getLocalName().equals("row")) {
        return;
      }
      if (event == XMLStreamConstants.START_ELEMENT && xml.getLocalName().equals("c")) {
        readCell(xml);
      }
    }
  }

  private void readCell(XMLStreamReader xml) throws XMLStreamException {
    String place = xml.getAttributeValue(null, "r");
    String given = xml.getAttributeValue(null, "t");
    String type = given == null ? "n" : given;
    int at = place == null ? column + 1 : column(place);
    String value = "";
    String formula = null;
    boolean endless = false;
    while (xml.hasNext()) {
      int event = step(xml);
      if (event == XMLStreamConstants.END_ELEMENT && xml.getLocalName().equals("c")) {
        break;
      }
      if (event == XMLStreamConstants.START_ELEMENT) {
        switch (xml.getLocalName()) {
          case "v" -> value = readText(xml, "v");
          case "is" -> value = readText(xml, "is");
          case "f" -> formula = "=" + readText(xml, "f");
          default -> {}
        }
        endless |= tooLong;
      }
    }
    if (at <= column || at >= MAX_COLUMNS) {
      return;
    }
    column = at;
    if (formula != null) {
      cells.set(at, formula, ErrorCode.CELL_FORMULA);
    } else if (endless) {
      cells.set(at, value, ErrorCode.CELL_TOO_LONG);
    } else {
      put(at, type, value);
    }
  }

  private void put(int at, String type, String value) {
    switch (type) {
      case "s" -> {
        String shared = texts.get(number(value, Integer.MAX_VALUE));
        cells.set(
            at, shared == null ? value : shared, shared == null ? ErrorCode.CELL_FORMAT : null);
      }
      case "n" -> {
        // parsing longer numbers takes quadratic time, and no field has them
        boolean endless = value.length() > FieldTexts.NUMBER_CHARACTERS;
        cells.set(
            at, endless ? value : plainNumber(value), endless ? ErrorCode.TEXT_TOO_LONG : null);
      }
      case "e" -> cells.set(at, value, ErrorCode.CELL_FORMAT);
      default -> cells.set(at, value, null);
    }
  }

  /** The number without an exponent and without binary rounding noise. */
  private static String plainNumber(String value) {
    try {
      boolean brief = value.length() < 15 && value.indexOf('E') < 0 && value.indexOf('e') < 0;
      if (value.isEmpty() || (brief && value.indexOf('.') < 0)) {
        return value;
      }
      BigDecimal number = new BigDecimal(value);
      if (Math.abs((long) number.scale()) > 400) {
        return value;
      }
      return number.round(SHOWN_DIGITS).stripTrailingZeros().toPlainString();
    } catch (NumberFormatException noNumber) {
      return value;
    }
  }

  /** The next event. The JDK's parser throws a NullPointerException on some truncated sheets. */
  static int step(XMLStreamReader xml) throws XMLStreamException {
    try {
      return xml.next();
    } catch (NullPointerException stumbled) {
      throw new XMLStreamException("it is truncated", stumbled);
    }
  }

  /** The text inside the element, without phonetic hints. */
  private String readText(XMLStreamReader xml, String element) throws XMLStreamException {
    text.setLength(0);
    tooLong = false;
    int aside = 0;
    while (xml.hasNext()) {
      switch (step(xml)) {
        case XMLStreamConstants.START_ELEMENT -> aside += xml.getLocalName().equals("rPh") ? 1 : 0;
        case XMLStreamConstants.END_ELEMENT -> {
          if (xml.getLocalName().equals(element)) {
            return unescaped(text.toString());
          }
          aside -= xml.getLocalName().equals("rPh") ? 1 : 0;
        }
        case XMLStreamConstants.CHARACTERS, XMLStreamConstants.CDATA, XMLStreamConstants.SPACE -> {
          int room = RowCells.MAX_CHARACTERS - text.length();
          tooLong |= xml.getTextLength() > room;
          if (aside == 0) {
            text.append(
                xml.getTextCharacters(), xml.getTextStart(), Math.min(room, xml.getTextLength()));
          }
        }
        default -> {}
      }
    }
    return unescaped(text.toString());
  }

  /** Decodes escapes such as {@code _x000D_}, which stand for characters that XML cannot hold. */
  private static String unescaped(String text) {
    return text.contains("_x")
        ? ESCAPE
            .matcher(text)
            .replaceAll(
                found ->
                    Matcher.quoteReplacement(
                        Character.toString((char) Integer.parseInt(found.group(1), 16))))
        : text;
  }

  /** A1 is column 0, AA7 column 26. */
  static int column(String place) {
    int column = 0;
    for (int i = 0; i < place.length() && i < 4; i++) {
      char c = place.charAt(i);
      if (c < 'A' || c > 'Z') {
        break;
      }
      column = column * 26 + (c - 'A' + 1);
    }
    return column - 1;
  }

  private static int number(String digits, int most) {
    boolean plain =
        !digits.isEmpty()
            && digits.length() <= 9
            && digits.chars().allMatch(c -> c >= '0' && c <= '9');
    return plain ? Math.min(Integer.parseInt(digits), most) : -1;
  }

  private static boolean isSheet(String entry) {
    return entry.startsWith("xl/worksheets/") && entry.endsWith(".xml");
  }

  /** Finds the failure of the input behind the parser's exception. */
  private static FileRejection rejection(BoundedZip archive, XMLStreamException broken)
      throws IOException {
    Throwable cause = broken;
    while (cause != null) {
      if (cause instanceof BoundedZip.Expands) {
        return archive.expands();
      }
      if (cause instanceof PieceStream.Lost lost) {
        throw lost;
      }
      cause =
          cause instanceof XMLStreamException outer && outer.getNestedException() != null
              ? outer.getNestedException()
              : cause.getCause();
    }
    return archive.damaged();
  }

  private static XMLInputFactory factory() {
    XMLInputFactory factory = XMLInputFactory.newDefaultFactory();
    factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
    factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
    factory.setProperty(XMLInputFactory.IS_COALESCING, false);
    return factory;
  }

  @Override
  public boolean mayEndEarly() {
    return true;
  }

  @Override
  public boolean guardsFormulas() {
    return false;
  }

  @Override
  public String sheet(int number) {
    return number < ROWS_OF_A_SHEET ? "" : "sheet " + (number / ROWS_OF_A_SHEET + 1) + "!";
  }

  @Override
  public int rowsOfASheet() {
    return ROWS_OF_A_SHEET;
  }

  @Override
  public void close() throws IOException {
    try (texts) {
      zip.close();
    }
  }
}
