package io.stockroom.conformance;

import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import javax.xml.stream.XMLOutputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamWriter;

/** Writes the results as JUnit XML, with a test case for each rule, for build servers. */
public final class JUnitReport {
  private JUnitReport() {}

  public static void write(Path file, List<Result> results) throws IOException {
    try (Writer writer = Files.newBufferedWriter(file)) {
      XMLStreamWriter xml = XMLOutputFactory.newInstance().createXMLStreamWriter(writer);
      xml.writeStartDocument("UTF-8", "1.0");
      suite(xml, results);
      xml.writeEndDocument();
      xml.close();
    } catch (XMLStreamException failure) {
      throw new IOException(failure);
    }
  }

  private static void suite(XMLStreamWriter xml, List<Result> results) throws XMLStreamException {
    Duration took = results.stream().map(Result::took).reduce(Duration.ZERO, Duration::plus);
    xml.writeStartElement("testsuite");
    xml.writeAttribute("name", "stockroom conform");
    xml.writeAttribute("tests", Integer.toString(results.size()));
    xml.writeAttribute("failures", count(results, Outcome.BROKEN));
    xml.writeAttribute("errors", "0");
    xml.writeAttribute("skipped", count(results, Outcome.SKIPPED));
    xml.writeAttribute("time", seconds(took));
    for (Result result : results) {
      xml.writeStartElement("testcase");
      xml.writeAttribute("classname", "conform." + result.rule().group());
      xml.writeAttribute("name", result.rule().id() + ": " + result.rule().sentence());
      xml.writeAttribute("time", seconds(result.took()));
      outcome(xml, result);
      xml.writeEndElement();
    }
    xml.writeEndElement();
  }

  private static void outcome(XMLStreamWriter xml, Result result) throws XMLStreamException {
    switch (result.outcome()) {
      case HOLDS -> {}
      case SKIPPED -> {
        xml.writeEmptyElement("skipped");
        xml.writeAttribute("message", plain(result.reason()));
      }
      case BROKEN -> {
        xml.writeStartElement("failure");
        xml.writeAttribute("message", plain(result.reason()));
        xml.writeCharacters(plain(result.request() + "\n\n" + result.answer()));
        xml.writeEndElement();
      }
    }
  }

  private static String count(List<Result> results, Outcome outcome) {
    return Long.toString(results.stream().filter(r -> r.outcome() == outcome).count());
  }

  private static String seconds(Duration duration) {
    return String.format(Locale.ROOT, "%.3f", duration.toMillis() / 1000.0);
  }

  /** Removes characters that XML does not allow: a server may send anything. */
  private static String plain(String text) {
    return text.codePoints()
        .map(c -> isXml(c) ? c : '?')
        .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
        .toString();
  }

  private static boolean isXml(int c) {
    return c == '\t'
        || c == '\n'
        || (c >= ' ' && c <= 0xD7FF)
        || (c >= 0xE000 && c <= 0xFFFD)
        || c >= 0x10000;
  }
}
