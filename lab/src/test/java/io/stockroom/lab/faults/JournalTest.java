package io.stockroom.lab.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.stockroom.lab.Answer;
import java.nio.file.Path;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JournalTest {
  private static final Intent IMPORT = new Intent(7, Kind.IMPORT, "I7", 2, "a\nb\n");

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
    assertThat(outcome(503, false)).isEqualTo(Outcome.UNKNOWN);
    assertThat(outcome(0, false)).isEqualTo(Outcome.UNKNOWN);
    assertThat(outcome(200, false)).isEqualTo(Outcome.REFUSED);
    assertThat(outcome(400, false)).isEqualTo(Outcome.REFUSED);
    assertThat(outcome(200, true)).isEqualTo(Outcome.ACKNOWLEDGED);
  }

  private static Outcome outcome(int status, boolean isSuccess) {
    return Kind.CREATE.outcome(new Answer(status, "{\"success\":%b}".formatted(isSuccess), 1));
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
