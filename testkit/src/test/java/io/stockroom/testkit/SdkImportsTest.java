package io.stockroom.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.stockroom.client.CallOptions;
import io.stockroom.client.ImportError;
import io.stockroom.client.ImportJobs;
import io.stockroom.client.ImportMode;
import io.stockroom.client.ImportStatus;
import io.stockroom.client.RejectedException;
import io.stockroom.client.SignatureMethod;
import io.stockroom.client.StockroomClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Imports of the SDK against a real server. */
class SdkImportsTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final TestMerchant merchant = SharedServer.get().merchant("Imports");

  @TempDir Path folder;

  @ParameterizedTest
  @EnumSource
  void importsAFileAndUndoesIt(SignatureMethod method) throws IOException {
    Path file = file("artNo,title,price,color,36\nA1,Boot,5,red,7\n" + " ".repeat(3 << 20));
    try (StockroomClient client = merchant.clientBuilder().signatureMethod(method).build()) {
      ImportJobs imports = client.imports();
      CallOptions key = CallOptions.idempotencyKey("first");
      String job = imports.start(file, ImportMode.SET, false, key);
      assertThat(imports.start(file, ImportMode.SET, false, key)).isEqualTo(job);
      assertThat(imports.await(job, PATIENCE).state()).isEqualTo("planned");

      imports.apply(job);
      ImportStatus applied = imports.await(job, PATIENCE);
      assertThat(applied.state() + applied.entries().created()).isEqualTo("applied1");

      ImportStatus undone = imports.await(imports.undo(job), PATIENCE);
      assertThat(undone.kind() + undone.entries().changed()).isEqualTo("undo1");
      assertThat(imports.status(job).undoneBy()).isEqualTo(undone.job());
      assertThatThrownBy(() -> imports.undo(job))
          .isInstanceOf(RejectedException.class)
          .hasMessageContaining("undone already");
    }
  }

  @Test
  void listsErrorsAndCancels() throws IOException {
    try (StockroomClient client = merchant.client()) {
      ImportJobs imports = client.imports();
      String job = imports.start(file("artNo,color,36\nB1,red,x\n"), ImportMode.ADD, false);
      assertThat(imports.await(job, PATIENCE).products().failed()).isEqualTo(1);
      assertThat(imports.errors(job))
          .extracting(ImportError::row, ImportError::artNo, ImportError::code)
          .containsExactly(org.assertj.core.groups.Tuple.tuple(2, "B1", "NUMBER_FORMAT"));
      imports.cancel(job);
      assertThat(imports.status(job).state()).isEqualTo("cancelled");
    }
  }

  private Path file(String text) throws IOException {
    return Files.writeString(folder.resolve("stock.csv"), text);
  }
}
