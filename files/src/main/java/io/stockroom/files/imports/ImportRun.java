package io.stockroom.files.imports;

import io.stockroom.core.changes.ChangeLog.ChangeSource;
import io.stockroom.core.changes.ChangeLog.Origin;
import io.stockroom.core.database.LongTransaction;
import io.stockroom.files.imports.ImportJob.State;
import io.stockroom.files.imports.plan.Comparison;
import io.stockroom.files.imports.plan.ImportReport;
import io.stockroom.files.imports.plan.ImportReport.SourceColumn;
import io.stockroom.files.imports.plan.ImportTransaction;
import io.stockroom.files.imports.plan.RejectedRows;
import io.stockroom.files.imports.plan.ReportQueries;
import io.stockroom.files.imports.plan.Staging;
import io.stockroom.files.imports.read.Choices;
import io.stockroom.files.imports.read.Columns;
import io.stockroom.files.imports.read.Detection;
import io.stockroom.files.imports.read.FileProblem;
import io.stockroom.files.imports.read.FileRejection;
import io.stockroom.files.imports.read.ImportFile;
import io.stockroom.files.imports.read.ProductRow;
import io.stockroom.files.imports.read.RowSource;
import io.stockroom.files.imports.read.RowSource.Ignored;
import io.stockroom.files.imports.write.CatalogueWriter;
import io.stockroom.files.imports.write.ProductIds;
import io.stockroom.protocol.ErrorCode;
import io.stockroom.protocol.Scope;
import java.io.IOException;
import java.io.OutputStream;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One attempt at one import: reads the stored file into temporary tables, compares, and writes, all
 * in one transaction.
 */
final class ImportRun extends JobRun {
  private static final Logger log = LoggerFactory.getLogger(ImportRun.class);
  private static final int ROWS_PER_UPDATE = 256;
  private static final int SHOWN_VALUES = 3;

  /** Fewer products do not make a small table a large one. */
  private static final int MANY = 1000;

  private static final List<String> GROWING =
      List.of(
          "product", "product_detail", "product_block", "stock_color", "stock_entry", "change_log");

  private final ImportMemory memory;
  private Choices choices = Choices.NONE;

  ImportRun(Tools tools, ImportJob job, UUID holder) {
    super(tools, job, holder);
    this.memory = new ImportMemory(tools.cells());
  }

  @Override
  void run() throws SQLException, IOException, FileRejection {
    ImportFile file = ImportFile.of(tools.files().file(job), progress);
    choices = memory.choices(job.merchantId(), job.options());
    try (RowSource source = open(file);
        LongTransaction began = begin()) {
      source.store(tools.pictures().apply(job.merchantId()));
      report = report.withSource(described(file, source), source.ignored());
      ImportTransaction statements = statements(began);
      try (Staging staging =
          Staging.begin(source, began.connection(), tools.guids(), job.options().mode())) {
        read(file, source, staging);
        report = report.withSource(described(file, source), source.ignored());
        if (source.rows() == 0) {
          throw FileRejection.of(ErrorCode.FILE_WITHOUT_ROWS, file.name());
        }
        if (job.options().stockOnly() && staging.hasProductFields()) {
          throw FileRejection.of(ErrorCode.IMPORT_SCOPE, Scope.PRODUCT_WRITE.word());
        }
        if (!job.options().headerless()) {
          memory.keepColumns(job.merchantId(), job.options().columns());
        }
        finish(file, source, staging, statements, began);
      }
    }
  }

  /**
   * If the header does not fit, the report still lists its columns so that a person can map them.
   */
  private RowSource open(ImportFile file) throws SQLException, IOException, FileRejection {
    Map<String, String> remembered =
        job.options().headerless() ? Map.of() : memory.columns(job.merchantId());
    try {
      return file.source(remembered, choices);
    } catch (FileRejection unfit) {
      List<List<String>> sample = file.sample();
      List<Columns.Column> columns =
          sample.isEmpty()
              ? List.of()
              : Columns.each(sample.getFirst(), job.options().columns(), remembered);
      Map<Columns.Column, @Nullable String> meanings = new LinkedHashMap<>();
      columns.forEach(column -> meanings.put(column, column.meaning()));
      report = report.withSource(described(file, 0, meanings, List.of()), Ignored.NOTHING);
      throw unfit;
    }
  }

  private void read(ImportFile file, RowSource source, Staging staging)
      throws SQLException, IOException, FileRejection {
    long total = file.total();
    int since = 0;
    for (ProductRow row = source.next(); row != null; row = source.next()) {
      staging.add(row);
      if (++since == ROWS_PER_UPDATE) {
        since = 0;
        progress.at("reading", file.read(), total, "bytes");
      }
    }
    staging.finish();
    progress.at("reading", total, total, "bytes");
  }

  private void finish(
      ImportFile file,
      RowSource source,
      Staging staging,
      ImportTransaction statements,
      LongTransaction began)
      throws SQLException, IOException, FileRejection {
    Comparison comparison =
        new Comparison(
            statements,
            job.merchantId(),
            source,
            staging,
            tools.uniqueBarcodes(),
            choices,
            progress);
    comparison.advance();
    if (job.apply()) {
      CatalogueWriter.hold(statements, job.merchantId());
    }
    comparison.run();
    report = compared(comparison, source, staging, statements);
    comparison.advance();
    boolean bad = report.counts().failed() > 0;
    if (bad) {
      try (OutputStream rejected =
          tools.files().replaceRejected(job.merchantId(), job.importId())) {
        new RejectedRows(file, source, job.options().language(), progress)
            .write(began.connection(), rejected);
      }
    }
    if (!job.apply() || (bad && !job.skipBad())) {
      State state = job.apply() ? State.REFUSED : State.PLANNED;
      require(tools.claims().finish(job, holder, state, report, bad));
      return;
    }
    tools.claims().applying(job, holder, report);
    ProductIds ids = new ProductIds(tools.cells(), job.merchantId());
    CatalogueWriter writer =
        new CatalogueWriter(
            statements, job.merchantId(), job.importId(), comparison.fields(), ids, progress);
    ImportReport.Counts counts = report.counts();
    writer.write(counts);
    if (source.notes().has(ErrorCode.ONE_ENTRY)) {
      ImportMemory.keepWords(statements, job.merchantId(), choices);
    }
    Long batch =
        writer.record(
            new Origin(
                job.actor(),
                ChangeSource.IMPORT,
                "products.import",
                "products",
                "%d created, %d changed, %d unchanged, %d failed"
                    .formatted(
                        counts.created(), counts.changed(), counts.unchanged(), counts.failed())));
    require(
        ImportClaims.finish(began.connection(), job, holder, State.APPLIED, report, batch, bad));
    began.commit();
    analyze(counts.created() + counts.changed());
  }

  private void analyze(int products) {
    if (products < MANY) {
      return;
    }
    try {
      tools.cells().current(job.merchantId()).analyzeGrown(GROWING, products);
    } catch (SQLException failure) {
      log.debug("leaves the statistics to autovacuum", failure);
    }
  }

  private ImportReport compared(
      Comparison comparison, RowSource source, Staging staging, ImportTransaction statements)
      throws SQLException {
    ReportQueries queries =
        new ReportQueries(statements, job.merchantId(), source, comparison.fields());
    List<FileProblem> problems = queries.problems(ImportErrors.MAX_STORED);
    tools.errors().replace(job, problems);
    return new ImportReport(
        report.source(),
        comparison.counts(),
        queries.differences(),
        Stream.concat(
                source.notes().warnings().stream(),
                queries
                    .warnings(
                        comparison.sharedBarcodes(), staging.mixedScripts(), staging.textSizes())
                    .stream())
            .toList(),
        problems.stream().limit(ImportErrors.MAX_REPORTED).toList(),
        staging.removed(),
        report.ignored(),
        null);
  }

  private static ImportReport.Source described(ImportFile file, RowSource source) {
    Columns columns = source.columns();
    return described(
        file, source.rows(), columns == null ? Map.of() : columns.shown(), source.options());
  }

  private static ImportReport.Source described(
      ImportFile file,
      int rows,
      Map<Columns.Column, @Nullable String> columns,
      List<RowSource.Option> options) {
    Detection detection = file.detection();
    List<List<String>> sample = file.sample();
    List<SourceColumn> shown = new ArrayList<>();
    columns.forEach(
        (column, meaning) ->
            shown.add(
                new SourceColumn(
                    FileProblem.shown(column.name()), meaning, values(sample, column.index()))));
    options.forEach(each -> shown.add(new SourceColumn(each.name(), each.field(), each.values())));
    return new ImportReport.Source(
        detection.format().word(),
        detection.format() == Detection.Format.XLSX ? null : detection.encoding(),
        detection.shownDelimiter(),
        rows,
        shown,
        shown.isEmpty() ? sample.stream().map(List::getFirst).toList() : List.of());
  }

  /** The first values of a column below the header. */
  private static List<String> values(List<List<String>> sample, int column) {
    return sample.stream()
        .skip(1)
        .filter(row -> column < row.size() && !row.get(column).isBlank())
        .map(row -> row.get(column))
        .distinct()
        .limit(SHOWN_VALUES)
        .toList();
  }
}
