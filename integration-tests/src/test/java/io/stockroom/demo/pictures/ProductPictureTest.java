package io.stockroom.demo.pictures;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.StringReader;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.xml.sax.InputSource;

final class ProductPictureTest {
  private static final List<String> SIX_COLORS =
      List.of("1d1d1f", "f3f1ec", "7a4a2b", "b3263a", "2f5d9a", "a9cf3a");

  @ParameterizedTest
  @EnumSource
  void drawsEverySilhouetteInEveryViewAsWellFormedXml(Silhouette silhouette) throws Exception {
    for (View view : View.values()) {
      for (int colors = 1; colors <= SIX_COLORS.size(); colors++) {
        var picture =
            new ProductPicture(silhouette, SIX_COLORS.subList(0, colors), "A8826-3", view);

        var document =
            DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(new InputSource(new StringReader(picture.svg())));

        assertThat(document.getDocumentElement().getAttribute("viewBox")).isEqualTo("0 0 800 800");
        assertThat(document.getDocumentElement().getTextContent()).contains("A8826-3");
      }
    }
  }

  @Test
  void drawsEachSilhouetteViewAndColorDifferently() {
    Set<String> drawings = new HashSet<>();
    for (Silhouette silhouette : Silhouette.values()) {
      for (View view : View.values()) {
        for (String color : SIX_COLORS) {
          drawings.add(new ProductPicture(silhouette, List.of(color), "A1", view).svg());
        }
      }
    }

    assertThat(drawings)
        .hasSize(Silhouette.values().length * View.values().length * SIX_COLORS.size());
  }

  @Test
  void drawsTheSamePictureEveryTime() {
    var picture = new ProductPicture(Silhouette.PUMP, SIX_COLORS, "LY2601", View.COLORS);

    assertThat(picture.svg()).isEqualTo(picture.svg());
  }

  @ParameterizedTest
  @EnumSource
  void parsesItsOwnPath(Silhouette silhouette) {
    for (View view : View.values()) {
      var picture = new ProductPicture(silhouette, SIX_COLORS, "A8826-3", view);
      String below = picture.address().substring(ProductPicture.FOLDER.length());

      assertThat(ProductPicture.parse(below)).contains(picture);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/loafer/7a4a2b/A8826-3_1.svg",
        "/loafer/7a4a2b/A_4.svg",
        "/loafer/7a4a2b/A23456789012345678901234_1.svg",
        "/loafer/111111-222222-333333-444444-555555-666666/A1_1.svg"
      })
  void parsesAPathJustInsideItsLimits(String path) {
    assertThat(ProductPicture.parse(path)).isPresent();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "/",
        "/loafer/7a4a2b/A8826-3_0.svg",
        "/loafer/7a4a2b/A8826-3_5.svg",
        "/loafer/7a4a2b/A8826-3_1.png",
        "/loafer/7a4a2b/A234567890123456789012345_1.svg",
        "/loafer/7a4a2b/_1.svg",
        "/loafer/7a4a2b/A<script>_1.svg",
        "/loafer/7a4a2b/A&amp;_1.svg",
        "/loafer/7a4a2b/A1_1.svg\n",
        "/loafer/7A4A2B/A1_1.svg",
        "/loafer/7a4a2/A1_1.svg",
        "/loafer/7a4a2g/A1_1.svg",
        "/loafer/111111-222222-333333-444444-555555-666666-777777/A1_1.svg",
        "/clog/7a4a2b/A1_1.svg",
        "/../loafer/7a4a2b/A1_1.svg"
      })
  void rejectsInvalidPaths(String path) {
    assertThat(ProductPicture.parse(path)).isEmpty();
  }

  @Test
  void cannotBeMadeFromTextThatWouldNeedEscaping() {
    assertThatThrownBy(
            () -> new ProductPicture(Silhouette.BOOT, List.of("7a4a2b"), "A'/>", View.SIDE))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(
            () -> new ProductPicture(Silhouette.BOOT, List.of("'/>abc"), "A1", View.SIDE))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new ProductPicture(Silhouette.BOOT, List.of(), "A1", View.SIDE))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
