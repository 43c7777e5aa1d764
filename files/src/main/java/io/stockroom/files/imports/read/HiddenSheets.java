package io.stockroom.files.imports.read;

import java.io.InputStream;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/**
 * Which sheets of a workbook are hidden. The workbook says it of a relationship, and another file
 * says which sheet the relationship means; either may come first.
 */
final class HiddenSheets {
  private static final String RELATIONSHIPS =
      "http://schemas.openxmlformats.org/officeDocument/2006/relationships";

  private final Set<String> hidden = new HashSet<>();
  private final Map<String, String> relationshipOf = new HashMap<>();

  /** Reads a file of the archive, if it is one of the two. */
  void read(String entry, InputStream content, XMLInputFactory factory) throws XMLStreamException {
    boolean workbook = entry.equals("xl/workbook.xml");
    if (!workbook && !entry.equals("xl/_rels/workbook.xml.rels")) {
      return;
    }
    XMLStreamReader xml = factory.createXMLStreamReader(content);
    while (xml.hasNext()) {
      if (XlsxRows.step(xml) == XMLStreamConstants.START_ELEMENT) {
        if (workbook) {
          readSheet(xml);
        } else {
          readRelationship(xml);
        }
      }
    }
  }

  private void readSheet(XMLStreamReader xml) {
    String state = xml.getAttributeValue(null, "state");
    String relationship = xml.getAttributeValue(RELATIONSHIPS, "id");
    boolean isHidden = "hidden".equals(state) || "veryHidden".equals(state);
    if (xml.getLocalName().equals("sheet") && isHidden && relationship != null) {
      hidden.add(relationship);
    }
  }

  private void readRelationship(XMLStreamReader xml) {
    String id = xml.getAttributeValue(null, "Id");
    String target = xml.getAttributeValue(null, "Target");
    if (xml.getLocalName().equals("Relationship") && id != null && target != null) {
      // "worksheets/sheet1.xml", or "/xl/worksheets/sheet1.xml"
      relationshipOf.put(target.startsWith("/") ? target.substring(1) : "xl/" + target, id);
    }
  }

  /** Whether the sheet in this file of the archive is hidden. */
  boolean contains(String entry) {
    return hidden.contains(relationshipOf.getOrDefault(entry, ""));
  }
}
