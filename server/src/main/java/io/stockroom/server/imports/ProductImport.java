package io.stockroom.server.imports;

import io.stockroom.protocol.ErrorCode;
import io.stockroom.protocol.Problem;
import io.stockroom.server.database.Database;
import io.stockroom.server.http.Problems;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Imports products of a merchant from lines of JSON, in one transaction: all of them, or, unless
 * bad lines are to be skipped, none.
 */
public final class ProductImport {
  private static final int BATCH = 500;
  private static final int MOST_ERRORS = 100;

  private final Database database;

  public ProductImport(Database database) {
    this.database = database;
  }

  /** Gives null where there is no such merchant. */
  public @Nullable ImportResult run(int merchantId, InputStream lines, boolean skipBad)
      throws SQLException, IOException {
    try {
      return database.writeOnce(
          connection -> {
            Run run = new Run(connection, merchantId);
            if (!run.catalogue.hold()) {
              return null;
            }
            run.readAll(new Lines(lines));
            if (run.failed > 0 && !skipBad) {
              connection.rollback();
              return run.refused();
            }
            run.catalogue.finish();
            return run.applied();
          });
    } catch (UncheckedIOException cut) {
      throw cut.getCause();
    }
  }

  /** One import on its way: what it has counted, and the batch it gathers. */
  private static final class Run {
    private final CatalogueWriter catalogue;
    private final Map<String, Integer> firstLines = new HashMap<>();
    private final List<Product> batch = new ArrayList<>(BATCH);
    private final List<ImportResult.BadLine> errors = new ArrayList<>();
    private final TreeSet<String> ignored = new TreeSet<>();
    private int failed;

    Run(Connection connection, int merchantId) throws SQLException {
      this.catalogue = new CatalogueWriter(connection, merchantId);
      try (Statement statement = connection.createStatement()) {
        statement.execute("set local statement_timeout = 0");
      }
    }

    void readAll(Lines lines) throws SQLException {
      for (Lines.Line line = lines.next(); line != null; line = lines.next()) {
        Problems problems = new Problems();
        Product product = read(line, problems);
        if (product == null) {
          failed++;
          note(line.number(), problems.refused().problems());
          continue;
        }
        batch.add(product);
        if (batch.size() == BATCH) {
          flush();
        }
      }
      flush();
    }

    private @Nullable Product read(Lines.Line line, Problems problems) {
      if (line.fault() != null) {
        problems.add(line.fault());
        return null;
      }
      Product product = ProductLine.read(line.text(), problems, ignored);
      if (product == null) {
        return null;
      }
      Integer earlier = firstLines.putIfAbsent(product.artNo(), line.number());
      if (earlier != null) {
        problems.add(
            "artNo",
            ErrorCode.TEXT_FORMAT,
            product.artNo(),
            "the same item number stands on line " + earlier + " already");
        return null;
      }
      return product;
    }

    private void note(int line, List<Problem> problems) {
      for (Problem problem : problems) {
        if (errors.size() < MOST_ERRORS) {
          errors.add(new ImportResult.BadLine(line, problem));
        }
      }
    }

    private void flush() throws SQLException {
      if (!batch.isEmpty()) {
        catalogue.put(batch);
        batch.clear();
      }
    }

    ImportResult refused() {
      return new ImportResult(0, 0, 0, failed, false, List.copyOf(ignored), errors);
    }

    ImportResult applied() {
      return new ImportResult(
          catalogue.created(),
          catalogue.changed(),
          catalogue.unchanged(),
          failed,
          true,
          List.copyOf(ignored),
          errors);
    }
  }
}
