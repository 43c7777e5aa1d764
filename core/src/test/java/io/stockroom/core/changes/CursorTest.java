package io.stockroom.core.changes;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CursorTest {
  private static final UUID LOG = UUID.randomUUID();

  @ParameterizedTest
  @ValueSource(longs = {0, 1, 4_711, Long.MAX_VALUE})
  void readsWhatItWrites(long number) {
    Cursor cursor = Cursor.of(LOG, number);

    assertThat(cursor.text()).matches("c_[A-Za-z0-9_-]{27}");
    assertThat(Cursor.parse(cursor.text())).isEqualTo(cursor);
    assertThat(cursor.isOf(LOG)).isTrue();
    assertThat(cursor.isOf(UUID.randomUUID())).isFalse();
  }

  @Test
  void rejectsEveryTextWithOneOtherCharacter() {
    String text = Cursor.of(LOG, 17).text();
    for (int i = 0; i < text.length(); i++) {
      for (char other : "Aa9_-=".toCharArray()) {
        String changed = text.substring(0, i) + other + text.substring(i + 1);
        if (other != text.charAt(i)) {
          assertThat(Cursor.parse(changed)).as(changed).isNull();
        }
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "c_", "17", "latest", "c_AAAA", "c_äöü"})
  void rejectsOtherTexts(String text) {
    assertThat(Cursor.parse(text)).isNull();
  }

  @Test
  void rejectsATextThatIsCutOrLonger() {
    String text = Cursor.of(LOG, 17).text();

    assertThat(Cursor.parse(text.substring(0, text.length() - 1))).isNull();
    assertThat(Cursor.parse(text + "A")).isNull();
    assertThat(Cursor.parse(text + "=")).isNull();
  }
}
