package io.stockroom.demo.generate;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

class CopyRowsTest {
  @Test
  void escapesWhatTheFormatWouldMistake() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    CopyRows rows = new CopyRows(bytes, "any", (_, _) -> {});

    rows.number(-1).flag(true).text("a\tb\nc\\d\r红").texts(List.of("x\"y", "\\", "")).end();
    rows.word("").texts(List.of()).end();
    rows.finish();

    assertThat(bytes.toString(UTF_8).lines())
        .containsExactly("-1\tt\ta\\tb\\nc\\\\d\\r红\t{\"x\\\\\"y\",\"\\\\\\\\\",\"\"}", "\t{}");
  }

  @Test
  void barCodesCarryTheirCheckDigit() {
    assertThat(GeneratedBarcode.of(0)).isEqualTo("2000000000008");
    assertThat(GeneratedBarcode.of(1)).isEqualTo("2000000000015");
  }

  @Test
  void everyRowOfALargeTableArrivesOnce() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    long[] told = new long[1];
    CopyRows rows = new CopyRows(bytes, "any", (_, count) -> told[0] = count);
    for (int i = 0; i < 100_000; i++) {
      rows.number(i).end();
    }
    rows.finish();

    assertThat(bytes.toString(UTF_8).lines()).hasSize(100_000).endsWith("99999");
    assertThat(told[0]).isEqualTo(100_000);
  }
}
