package io.stockroom.files.imports.api;

import io.stockroom.core.admission.CallKind;
import io.stockroom.core.audit.Actor;
import io.stockroom.core.call.Answer;
import io.stockroom.core.call.Call;
import io.stockroom.core.call.Endpoint;
import io.stockroom.core.call.Failure;
import io.stockroom.core.call.SignatureRule;
import io.stockroom.core.limits.IdempotentReplies;
import io.stockroom.files.imports.ImportJob;
import io.stockroom.files.imports.ImportJob.State;
import io.stockroom.files.imports.Imports;
import io.stockroom.files.imports.JobRejection;
import io.stockroom.protocol.ErrorCode;
import io.stockroom.protocol.request.ImportReader;
import io.stockroom.protocol.request.ImportReader.JobPage;
import io.stockroom.protocol.request.ImportReader.JobToApply;
import io.stockroom.protocol.request.InvalidRequest;
import io.stockroom.protocol.request.RequestContent;
import java.sql.SQLException;
import java.util.List;

/** The calls below {@code /Stock/Import}: start a job, see it, apply, cancel and undo it. */
public final class ImportCalls {
  private interface Reader<Q> {
    Q read(RequestContent content) throws InvalidRequest;
  }

  private interface Action<Q> {
    Answer answer(Call call, Q request) throws SQLException, JobRejection;
  }

  private record JobEndpoint<Q>(
      CallKind kind, boolean isCommand, Reader<Q> reader, Action<Q> action) implements Endpoint<Q> {
    @Override
    public SignatureRule signatureRule() {
      return SignatureRule.MANAGEMENT;
    }

    @Override
    public Q read(Call call, RequestContent content) throws InvalidRequest {
      return reader.read(content);
    }

    @Override
    public Answer answer(Call call, Q request) throws SQLException {
      try {
        return action.answer(call, request);
      } catch (JobRejection rejection) {
        return new Failure(List.of(rejection.problem()));
      }
    }
  }

  private interface JobAction {
    Answer answer(ImportJob job) throws SQLException, JobRejection;
  }

  private final Imports imports;
  private final IdempotentReplies replies;

  public ImportCalls(Imports imports, IdempotentReplies replies) {
    this.imports = imports;
    this.replies = replies;
  }

  public Endpoint<?> start() {
    return new StartImport(imports, replies);
  }

  public Endpoint<?> status() {
    return new JobEndpoint<JobPage>(
        CallKind.OTHER,
        false,
        ImportReader::status,
        (call, request) ->
            with(
                call,
                request.job(),
                job -> new JobStatus(job, imports.errors(job, request.page()), request.page())));
  }

  public Endpoint<?> apply() {
    return new JobEndpoint<JobToApply>(
        CallKind.OTHER,
        true,
        ImportReader::apply,
        (call, request) ->
            with(
                call,
                request.job(),
                job -> {
                  if (job.state() != State.PLANNED) {
                    return inAnotherState(job, State.PLANNED.word());
                  }
                  return job.fileKept() && imports.apply(job, request.skipBad())
                      ? new StartedJob(job.importId())
                      : failure(ErrorCode.IMPORT_FILE_GONE, job.importId());
                }));
  }

  /** It waits until the job has stopped, so it has a slot among the uploads. */
  public Endpoint<?> cancel() {
    return new JobEndpoint<Integer>(
        CallKind.UPLOAD,
        true,
        ImportReader::job,
        (call, id) ->
            with(
                call,
                id,
                job ->
                    imports.cancel(job.merchantId(), job.importId())
                        ? new StartedJob(job.importId())
                        : inAnotherState(job, "waiting, planning, planned or applying")));
  }

  public Endpoint<?> undo() {
    return new JobEndpoint<Integer>(
        CallKind.OTHER,
        true,
        ImportReader::job,
        (call, id) ->
            with(
                call,
                id,
                job ->
                    new StartedJob(
                        imports.undo(job, call.language(), Actor.of(call.caller())).importId())));
  }

  private Answer with(Call call, int id, JobAction action) throws SQLException, JobRejection {
    int merchantId = call.caller().merchantId();
    ImportJob job = imports.find(merchantId, id);
    return job == null ? failure(ErrorCode.IMPORT_MISSING, merchantId, id) : action.answer(job);
  }

  private static Answer inAnotherState(ImportJob job, String needed) {
    return failure(ErrorCode.IMPORT_STATE, job.importId(), job.state().word(), needed);
  }

  private static Answer failure(ErrorCode code, Object... arguments) {
    return Failure.of("job", code, arguments);
  }
}
