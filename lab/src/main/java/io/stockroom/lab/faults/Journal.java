package io.stockroom.lab.faults;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.stockroom.lab.Answer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.LinkedHashMap;
import java.util.Map;
import tools.jackson.databind.json.JsonMapper;

/**
 * A write-ahead file: a client appends a line before it sends a request and a line after the
 * response. The oracle reads only these files.
 */
final class Journal implements AutoCloseable {
  /** A request and its final outcome. */
  record Entry(Intent intent, Outcome outcome, int sends, int worstStatus, double longestMillis) {
    private Entry answered(Line line) {
      Outcome known = outcome == Outcome.ACKNOWLEDGED ? outcome : line.outcome;
      return new Entry(
          intent,
          known,
          sends,
          Math.max(worstStatus, line.status),
          Math.max(longestMillis, line.millis));
    }

    private Entry sentAgain() {
      // a rejected resend says nothing about the first send
      return new Entry(intent, outcome, sends + 1, worstStatus, longestMillis);
    }
  }

  /** What is written: a request with the status -1, then the same with its answer. */
  private record Line(Intent intent, Outcome outcome, int status, double millis, String text) {}

  private static final JsonMapper JSON = new JsonMapper();
  private static final int SENDING = -1;

  private final FileChannel file;

  Journal(Path path) {
    try {
      file = FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  void sending(Intent intent) {
    append(new Line(intent, Outcome.UNKNOWN, SENDING, 0, ""));
  }

  void answered(Intent intent, Answer answer) {
    Outcome outcome = intent.kind().outcome(answer);
    append(new Line(intent, outcome, answer.status(), answer.millis(), answer.text()));
  }

  private synchronized void append(Line line) {
    try {
      var _ = file.write(ByteBuffer.wrap((JSON.writeValueAsString(line) + "\n").getBytes(UTF_8)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Reads all entries by number. A request without a response is unknown. */
  static Map<Long, Entry> read(Path path) {
    Map<Long, Entry> entries = new LinkedHashMap<>();
    try (var lines = Files.lines(path, UTF_8)) {
      lines
          .map(text -> JSON.readValue(text, Line.class))
          .forEach(
              line -> {
                long number = line.intent.number();
                if (line.status == SENDING) {
                  Entry first = new Entry(line.intent, Outcome.UNKNOWN, 1, 0, 0);
                  entries.merge(number, first, (old, _) -> old.sentAgain());
                } else {
                  entries.computeIfPresent(number, (_, entry) -> entry.answered(line));
                }
              });
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return entries;
  }

  @Override
  public void close() {
    try {
      file.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
