package io.stockroom.lab.faults;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A write-ahead file: a client appends a line before it sends a request and a line after the
 * response. The oracle reads only these files.
 */
final class Journal implements AutoCloseable {
  /** A request and its final outcome. */
  record Entry(Intent intent, Outcome outcome, int sends, int worstStatus, long longestMillis) {
    Entry answered(Outcome last, int status, long millis) {
      Outcome known = outcome == Outcome.ACKNOWLEDGED ? outcome : last;
      return new Entry(
          intent, known, sends, Math.max(worstStatus, status), Math.max(longestMillis, millis));
    }

    Entry sentAgain() {
      // A rejected resend says nothing about the first send.
      return new Entry(intent, outcome, sends + 1, worstStatus, longestMillis);
    }
  }

  private final FileChannel file;

  Journal(Path path) {
    try {
      file = FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  void sending(Intent intent) {
    append(
        String.join(
            "\t",
            "sent",
            Long.toString(intent.number()),
            intent.kind().name(),
            intent.key(),
            Integer.toString(intent.rows()),
            Long.toString(intent.timestamp()),
            intent.body().replace("\n", "\\n")));
  }

  void answered(Intent intent, Answer answer) {
    append(
        String.join(
            "\t",
            "answered",
            Long.toString(intent.number()),
            answer.outcome(intent.kind()).name(),
            Integer.toString(answer.status()),
            Long.toString(answer.millis()),
            answer.text().replaceAll("\\s+", " ")));
  }

  private synchronized void append(String line) {
    try {
      file.write(ByteBuffer.wrap((line + "\n").getBytes(UTF_8)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Reads all entries by number. A request without a response is unknown. */
  static Map<Long, Entry> read(Path path) {
    Map<Long, Entry> entries = new LinkedHashMap<>();
    try (var lines = Files.lines(path, UTF_8)) {
      lines.forEach(
          line -> {
            String[] parts = line.split("\t", -1);
            long number = Long.parseLong(parts[1]);
            if (parts[0].equals("answered")) {
              entries.computeIfPresent(
                  number,
                  (_, entry) ->
                      entry.answered(
                          Outcome.valueOf(parts[2]),
                          Integer.parseInt(parts[3]),
                          Long.parseLong(parts[4])));
              return;
            }
            Intent intent =
                new Intent(
                    number,
                    Kind.valueOf(parts[2]),
                    parts[3],
                    Integer.parseInt(parts[4]),
                    Long.parseLong(parts[5]),
                    parts[6].replace("\\n", "\n"));
            entries.merge(
                number, new Entry(intent, Outcome.UNKNOWN, 1, 0, 0), (old, _) -> old.sentAgain());
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
