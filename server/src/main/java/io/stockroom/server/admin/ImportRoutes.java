package io.stockroom.server.admin;

import io.stockroom.core.call.Answer;
import io.stockroom.core.call.Rejection;
import io.stockroom.core.http.BodyFailure;
import io.stockroom.files.imports.ImportJob;
import io.stockroom.files.imports.ImportJob.State;
import io.stockroom.files.imports.Imports;
import io.stockroom.files.imports.JobRejection;
import io.stockroom.files.imports.read.Choices;
import io.stockroom.files.imports.read.ImportOptions;
import io.stockroom.protocol.ErrorCode;
import io.stockroom.protocol.Language;
import io.stockroom.protocol.request.ImportReader;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.JsonNode;

/** Routes for imports: upload, plan, apply, status and cancel. */
public final class ImportRoutes {
  private static final Duration MAX_WAIT = Duration.ofSeconds(60);

  private static final String PLANNABLE = "planned, refused or failed";

  private final Imports imports;

  public ImportRoutes(Imports imports) {
    this.imports = imports;
  }

  /** One import, or a named list of imports. */
  private record JobAnswer(int status, List<ImportJob> jobs, boolean listed) implements Answer {
    @Override
    public void write(JsonGenerator out, Language language) {
      if (!listed) {
        ImportResponse.write(out, jobs.getFirst(), language);
        return;
      }
      out.writeStartObject();
      out.writeArrayPropertyStart("imports");
      jobs.forEach(job -> ImportResponse.write(out, job, language));
      out.writeEndArray();
      out.writeEndObject();
    }
  }

  Answer submit(AdminRequest request) throws SQLException {
    int merchantId = request.id("merchant");
    boolean apply = request.flag("apply", false);
    boolean skipBad = request.flag("skipBad", false);
    boolean wait = request.flag("wait", false);
    Map<String, String> columns = ImportReader.map(request.queries("map"), request.problems());
    ImportOptions options =
        options(request, request.query("encoding"), request.query("delimiter"), columns)
            .with(Choices.of(ImportReader.choices(request::query, request.problems())))
            .withoutHeader(!request.flag("header", true));
    String name = Imports.name(request.query("name"));
    if (request.problems().any()) {
      return request.rejection();
    }
    if (!imports.merchantExists(merchantId)) {
      return Rejection.of("merchant", ErrorCode.MERCHANT_MISSING, merchantId);
    }
    ImportJob job;
    try {
      imports.check(merchantId, request.length());
      job =
          imports.submit(
              merchantId, name, request.stream(), apply, skipBad, options, request.actor());
    } catch (JobRejection refused) {
      return new Rejection(List.of(refused.problem()), 1);
    } catch (IOException unread) {
      return Rejection.of("", BodyFailure.code(unread));
    }
    ImportJob ended = wait ? imports.await(merchantId, job.importId(), MAX_WAIT) : null;
    return ended != null && ended.state().resting()
        ? new JobAnswer(200, List.of(ended), false)
        : new JobAnswer(202, List.of(job), false);
  }

  Answer list(AdminRequest request) throws SQLException {
    String merchant = request.query("merchantId");
    String word = request.query("state");
    Integer merchantId =
        merchant == null ? null : request.problems().positive("merchantId", merchant);
    State state = word == null ? null : State.named(word.toLowerCase(Locale.ROOT));
    if (word != null && state == null) {
      request
          .problems()
          .add(
              "state",
              ErrorCode.TEXT_FORMAT,
              word,
              "a state is waiting, planning, planned, applying, applied, refused, failed, cancelled"
                  + " or expired");
    }
    if (request.problems().any()) {
      return request.rejection();
    }
    return new JobAnswer(200, imports.newest(merchantId, state), true);
  }

  Answer show(AdminRequest request) throws SQLException {
    return withJob(request, job -> new JobAnswer(200, List.of(job), false));
  }

  Answer plan(AdminRequest request) throws SQLException, IOException {
    JsonNode body = request.optionalBody();
    Map<String, String> columns = columns(request, body.get("columns"));
    ImportOptions options =
        options(
            request,
            request.text(body, "encoding", false),
            request.text(body, "delimiter", false),
            columns);
    return withJob(
        request,
        job -> {
          if (!job.state().plannable()) {
            return inAnotherState(job, PLANNABLE);
          }
          ImportOptions kept =
              options.with(job.options().choices()).withoutHeader(job.options().headerless());
          return job.fileKept() && imports.plan(job, kept) ? shown(job, 202) : gone(job);
        });
  }

  Answer apply(AdminRequest request) throws SQLException, IOException {
    JsonNode skipBad = request.optionalBody().get("skipBad");
    if (skipBad != null && !skipBad.isBoolean()) {
      request.problems().add("skipBad", ErrorCode.BOOLEAN_FORMAT, skipBad);
    }
    return withJob(
        request,
        job -> {
          if (job.state() != State.PLANNED) {
            return inAnotherState(job, State.PLANNED.word());
          }
          boolean skip = skipBad != null && skipBad.asBoolean();
          return job.fileKept() && imports.apply(job, skip) ? shown(job, 202) : gone(job);
        });
  }

  Answer cancel(AdminRequest request) throws SQLException {
    return withJob(
        request,
        job ->
            imports.cancel(job.merchantId(), job.importId())
                ? shown(job, 200)
                : inAnotherState(
                    job, "waiting, planning, planned or applying, or its file is kept"));
  }

  Answer undo(AdminRequest request) throws SQLException {
    return withJob(
        request,
        job -> {
          try {
            return shown(imports.undo(job, request.language(), request.actor()), 202);
          } catch (JobRejection rejection) {
            return new Rejection(List.of(rejection.problem()), 1);
          }
        });
  }

  Answer rejected(AdminRequest request) throws SQLException {
    return withJob(
        request,
        job -> {
          if (!job.rejected()) {
            return Rejection.of("import", ErrorCode.REJECTED_MISSING, job.importId());
          }
          return imports.rejected(job);
        });
  }

  /** An action on an existing import. */
  private interface Work {
    Answer run(ImportJob job) throws SQLException;
  }

  private Answer withJob(AdminRequest request, Work work) throws SQLException {
    int merchantId = request.id("merchant");
    int importId = request.id("import");
    if (request.problems().any()) {
      return request.rejection();
    }
    ImportJob job = imports.find(merchantId, importId);
    return job == null
        ? Rejection.of("import", ErrorCode.IMPORT_MISSING, merchantId, importId)
        : work.run(job);
  }

  private Answer shown(ImportJob job, int status) throws SQLException {
    ImportJob now = imports.find(job.merchantId(), job.importId());
    return new JobAnswer(status, List.of(now == null ? job : now), false);
  }

  private static Answer inAnotherState(ImportJob job, String needed) {
    return Rejection.of(
        "import", ErrorCode.IMPORT_STATE, job.importId(), job.state().word(), needed);
  }

  private static Answer gone(ImportJob job) {
    return Rejection.of("import", ErrorCode.IMPORT_FILE_GONE, job.importId());
  }

  private static ImportOptions options(
      AdminRequest request,
      @Nullable String encoding,
      @Nullable String delimiter,
      Map<String, String> columns) {
    ImportOptions.problems(encoding, delimiter, columns).forEach(request.problems()::add);
    return ImportOptions.of(encoding, delimiter, columns, request.language());
  }

  private static Map<String, String> columns(AdminRequest request, @Nullable JsonNode given) {
    Map<String, String> columns = new LinkedHashMap<>();
    if (given == null || given.isNull()) {
      return columns;
    }
    if (!given.isObject()) {
      request.problems().add("columns", ErrorCode.FIELD_TYPE, given.getNodeType(), "an object");
      return columns;
    }
    given
        .properties()
        .forEach(
            field ->
                columns.put(
                    request.kept("columns", field.getKey()),
                    field.getValue().isNull()
                        ? ""
                        : request.kept("columns", AdminRequest.plain(field.getValue()))));
    return columns;
  }
}
