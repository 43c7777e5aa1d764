package io.stockroom.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;
import org.w3c.dom.Element;

class JUnitReportTest {
  @TempDir Path folder;

  @Test
  void writesValidXmlWhateverTheServerResponds() throws Exception {
    Path file = folder.resolve("conform.xml");
    Rule rule = Suite.rules().getFirst();
    JUnitReport.write(
        file,
        List.of(
            new Result(rule, Outcome.HOLDS, "", "", "", Duration.ofMillis(1500)),
            new Result(rule, Outcome.SKIPPED, "no <product>", "", "", Duration.ZERO),
            new Result(
                rule,
                Outcome.BROKEN,
                "got \u0007",
                "POST /",
                "]]>\u0000 红 \ud800",
                Duration.ZERO)));

    Document xml = DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(file.toFile());
    Element suite = xml.getDocumentElement();
    assertThat(suite.getAttribute("tests")).isEqualTo("3");
    assertThat(suite.getAttribute("failures")).isEqualTo("1");
    assertThat(suite.getAttribute("skipped")).isEqualTo("1");
    assertThat(suite.getAttribute("time")).isEqualTo("1.500");
    assertThat(suite.getElementsByTagName("testcase").getLength()).isEqualTo(3);
    Element skipped = (Element) suite.getElementsByTagName("skipped").item(0);
    assertThat(skipped.getAttribute("message")).isEqualTo("no <product>");
    Element failure = (Element) suite.getElementsByTagName("failure").item(0);
    assertThat(failure.getAttribute("message")).isEqualTo("got ?");
    assertThat(failure.getTextContent()).contains("POST /", "]]>? 红 ?");
  }
}
