package io.stockroom.lab.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JournalTest {
  private static final Intent IMPORT = new Intent(7, Kind.IMPORT, "I7", 2, 1_700_000_000, "a\nb\n");

  @TempDir Path folder;

  @Test
  void treatsARequestWithoutAResponseAsUnknown() {
    write(journal -> journal.sending(IMPORT));

    assertThat(read().outcome()).isEqualTo(Outcome.UNKNOWN);
    assertThat(read().intent()).isEqualTo(IMPORT);
  }

  @Test
  void keepsAnAcknowledgementWhateverALaterSendReturns() {
    write(
        journal -> {
          journal.sending(IMPORT);
          journal.answered(IMPORT, new Answer(200, "{\"state\":\"applied\"}", 5));
          journal.sending(IMPORT);
          journal.answered(IMPORT, new Answer(503, "", 9));
        });

    assertThat(read().outcome()).isEqualTo(Outcome.ACKNOWLEDGED);
    assertThat(read().sends()).isEqualTo(2);
    assertThat(read().worstStatus()).isEqualTo(503);
  }

  @Test
  void treatsRetryableFailuresAsUnknownAndOthersAsRejections() {
    assertThat(new Answer(503, "{\"success\":false}", 1).outcome(Kind.CREATE))
        .isEqualTo(Outcome.UNKNOWN);
    assertThat(new Answer(0, "", 1).outcome(Kind.CREATE)).isEqualTo(Outcome.UNKNOWN);
    assertThat(new Answer(200, "{\"success\":false}", 1).outcome(Kind.CREATE))
        .isEqualTo(Outcome.REFUSED);
    assertThat(new Answer(400, "{\"success\":false}", 1).outcome(Kind.CREATE))
        .isEqualTo(Outcome.REFUSED);
    assertThat(new Answer(200, "{\"success\":true,\"msg\":\"\"}", 1).outcome(Kind.CREATE))
        .isEqualTo(Outcome.ACKNOWLEDGED);
  }

  private interface Writing {
    void to(Journal journal);
  }

  private void write(Writing writing) {
    try (Journal journal = new Journal(file())) {
      writing.to(journal);
    }
  }

  private Journal.Entry read() {
    return Objects.requireNonNull(Journal.read(file()).get(7L));
  }

  private Path file() {
    return folder.resolve("j");
  }
}
