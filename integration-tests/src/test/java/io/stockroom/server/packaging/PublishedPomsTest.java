package io.stockroom.server.packaging;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.xpath.XPath;
import javax.xml.xpath.XPathFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.w3c.dom.Document;

/**
 * The poms of the SDK have what Maven Central asks for; {@code packaging/release} checks the rest.
 */
class PublishedPomsTest {
  private static final Path ROOT = Path.of("..");

  @ParameterizedTest
  @ValueSource(strings = {"protocol", "client"})
  void thePomOfAModuleDescribesIt(String module) throws Exception {
    Document pom = pom(module + "/pom.xml");

    assertThat(text(pom, "/project/name")).isNotBlank();
    assertThat(text(pom, "/project/description")).isNotBlank();
    assertThat(text(pom, "/project/parent/version"))
        .isEqualTo(text(pom("pom.xml"), "/project/version"));
    assertThat(text(pom, "/project/properties/maven.compiler.release")).isEqualTo("17");
  }

  @Test
  void theParentHasWhatAllShare() throws Exception {
    Document pom = pom("pom.xml");

    for (String path :
        List.of(
            "/project/url",
            "/project/licenses/license/name",
            "/project/licenses/license/url",
            "/project/developers/developer/organization",
            "/project/scm/connection",
            "/project/scm/developerConnection",
            "/project/scm/url")) {
      assertThat(text(pom, path)).as(path).isNotBlank();
    }
    assertThat(text(pom, "/project/@child.project.url.inherit.append.path")).isEqualTo("false");
  }

  @Test
  void theVersionIsTheSameEverywhere() throws Exception {
    String version = text(pom("pom.xml"), "/project/version");

    for (String module : List.of("sdk-quickstart", "erp-mirror")) {
      assertThat(
              text(pom("examples/" + module + "/pom.xml"), "/project/properties/stockroom.version"))
          .as(module)
          .isEqualTo(version);
    }
    assertThat(Files.readString(ROOT.resolve("packaging/helm/stockroom/Chart.yaml")))
        .contains("\nappVersion: \"" + version + "\"\n");
    assertThat(Files.readString(ROOT.resolve("docs/sdk.md")))
        .contains("  <version>" + version + "</version>");
  }

  /** Where artifacts go is the business of who publishes them, not of the sources. */
  @Test
  void noPomNamesARepositoryToPublishTo() throws IOException {
    try (Stream<Path> modules = Files.list(ROOT)) {
      for (Path pom : modules.map(folder -> folder.resolve("pom.xml")).toList()) {
        if (Files.exists(pom)) {
          assertThat(Files.readString(pom))
              .as(pom.toString())
              .doesNotContain("<distributionManagement>", "<pluginRepositories>");
        }
      }
    }
  }

  private static Document pom(String path) throws Exception {
    return DocumentBuilderFactory.newInstance()
        .newDocumentBuilder()
        .parse(ROOT.resolve(path).toFile());
  }

  private static String text(Document pom, String path) throws Exception {
    XPath xpath = XPathFactory.newInstance().newXPath();
    return xpath.evaluate(path, pom).strip();
  }
}
