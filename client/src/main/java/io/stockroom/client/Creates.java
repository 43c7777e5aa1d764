package io.stockroom.client;

import io.stockroom.client.CreateBatch.Outcome;
import io.stockroom.protocol.ColorGroup;
import io.stockroom.protocol.Language;
import io.stockroom.protocol.request.CreateReader;
import io.stockroom.protocol.request.InvalidRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Creates stock batch by batch, one at a time across all threads, and records each result. */
final class Creates {
  private final Transport transport;
  private final SigningClock clock;
  private final Retries retries;
  private final CreateTurns turns;
  private final int mostGroups;
  private final Language language;

  /** Fair: threads get their turns in order of arrival. */
  private final ReentrantLock oneAtATime;

  Creates(
      Transport transport,
      SigningClock clock,
      Retries retries,
      CreateTurns turns,
      int mostGroups,
      Language language) {
    this(transport, clock, retries, turns, mostGroups, language, new ReentrantLock(true));
  }

  private Creates(
      Transport transport,
      SigningClock clock,
      Retries retries,
      CreateTurns turns,
      int mostGroups,
      Language language,
      ReentrantLock oneAtATime) {
    this.transport = transport;
    this.clock = clock;
    this.retries = retries;
    this.turns = turns;
    this.mostGroups = mostGroups;
    this.language = language;
    this.oneAtATime = oneAtATime;
  }

  /** The same turns with another timeout. */
  Creates with(Transport other) {
    return new Creates(other, clock, retries, turns, mostGroups, language, oneAtATime);
  }

  /** Sends all groups; throws the report so far if anything keeps it from completing. */
  CreateReport run(Stream<ColorGroup> groups, Consumer<CreateBatch> progress, CallOptions options) {
    List<CreateBatch> done = new ArrayList<>();
    RuntimeException stop = null;
    try (Stream<ColorGroup> source = groups) {
      Batches batches = new Batches(source.sequential().iterator(), mostGroups);
      for (Batches.Batch batch = batches.next();
          batch != null;
          batch = stop == null ? batches.next() : null) {
        CreateBatch report = create(batch, done.size(), options.part(done.size()));
        done.add(report);
        progress.accept(report);
        stop = concernsAll(report.failure()) ? report.failure() : null;
      }
    } catch (RuntimeException broken) {
      stop = broken;
    }
    CreateReport report = new CreateReport(done);
    if (stop != null || !report.failed().isEmpty()) {
      throw incomplete(report, stop);
    }
    return report;
  }

  private static IncompleteCreateException incomplete(
      CreateReport report, @Nullable RuntimeException stop) {
    int begun = report.batches().size();
    StringBuilder words = new StringBuilder();
    words.append(
        "%d of %d batches (%d color groups) were created."
            .formatted(begun - report.failed().size(), begun, report.created()));
    for (CreateBatch batch : report.failed().stream().limit(3).toList()) {
      StockroomException failure = batch.failure();
      words.append(
          " Batch %d, from group %d on, is %s: %s"
              .formatted(
                  batch.index(),
                  batch.firstGroup(),
                  batch.outcome(),
                  failure == null ? "" : failure.getMessage()));
    }
    if (stop instanceof StockroomException) {
      words.append(" Later groups were not sent.");
    } else if (stop != null) {
      words.append(" Later groups were not sent because the source or its listener failed: ");
      words.append(stop);
    }
    return new IncompleteCreateException(words.toString(), report, stop);
  }

  /** Whether the failure would also hit all later batches. */
  private static boolean concernsAll(@Nullable StockroomException failure) {
    if (failure instanceof InvalidRequestException) {
      return failure.status().orElse(400) != 400;
    }
    return failure != null
        && !(failure instanceof RejectedException)
        && !(failure instanceof NotFoundException);
  }

  private CreateBatch create(Batches.Batch batch, int index, CallOptions options) {
    try {
      CreateReader.read(batch.body(), mostGroups, true);
    } catch (InvalidRequest invalid) {
      StockroomException unsent = InvalidRequestException.unsent(invalid, language);
      return report(batch, index, Outcome.REJECTED, unsent);
    }
    try {
      oneAtATime.lockInterruptibly();
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      return report(
          batch,
          index,
          Outcome.REJECTED,
          new CallInterruptedException("Interrupted before it was sent.", interrupted));
    }
    try {
      return send(batch, index, options);
    } finally {
      oneAtATime.unlock();
    }
  }

  private CreateBatch send(Batches.Batch batch, int index, CallOptions options) {
    CreateCall call = new CreateCall(transport, clock, retries, turns, batch.body(), options);
    StockroomException failure = call.run();
    if (failure == null) {
      return new CreateBatch(
          index,
          batch.firstGroup(),
          batch.groups().size(),
          Outcome.CREATED,
          call.requestId(),
          null);
    }
    boolean unknown = call.lost() && !isAnswerToThisBatch(failure);
    return report(batch, index, unknown ? Outcome.UNKNOWN : Outcome.REJECTED, failure);
  }

  private static CreateBatch report(
      Batches.Batch batch, int index, Outcome outcome, StockroomException failure) {
    return new CreateBatch(
        index,
        batch.firstGroup(),
        batch.groups().size(),
        outcome,
        failure.requestId().orElse(null),
        failure);
  }

  /** The server checked the content, so it wrote neither this attempt nor an earlier one. */
  private static boolean isAnswerToThisBatch(StockroomException failure) {
    return failure instanceof RejectedException
        || failure instanceof NotFoundException
        || failure instanceof InvalidRequestException;
  }
}
