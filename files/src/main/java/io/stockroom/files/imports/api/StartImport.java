package io.stockroom.files.imports.api;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.stockroom.core.admission.CallKind;
import io.stockroom.core.audit.Actor;
import io.stockroom.core.call.Answer;
import io.stockroom.core.call.Call;
import io.stockroom.core.call.Failure;
import io.stockroom.core.call.Rejection;
import io.stockroom.core.call.SignatureRule;
import io.stockroom.core.call.UploadEndpoint;
import io.stockroom.core.limits.IdempotentReplies;
import io.stockroom.core.limits.IdempotentReplies.Repeatable;
import io.stockroom.core.limits.RateLimit;
import io.stockroom.files.imports.Imports;
import io.stockroom.files.imports.Imports.Upload;
import io.stockroom.files.imports.JobRejection;
import io.stockroom.files.imports.read.Choices;
import io.stockroom.files.imports.read.ImportOptions;
import io.stockroom.protocol.ErrorCode;
import io.stockroom.protocol.Problem;
import io.stockroom.protocol.Scope;
import io.stockroom.protocol.Sha256;
import io.stockroom.protocol.request.ImportReader;
import io.stockroom.protocol.request.ImportReader.ImportRequest;
import io.stockroom.protocol.request.InvalidRequest;
import io.stockroom.protocol.request.RequestContent;
import java.io.IOException;
import java.io.InputStream;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.sql.SQLException;
import java.util.List;

/**
 * {@code POST /Stock/Import}: stores the file as it arrives, and queues a job for it. A repeated
 * request with the same idempotency key and file gets the job of the first.
 */
final class StartImport implements UploadEndpoint<ImportRequest> {
  private static final String PATH = "/Stock/Import";

  private final Imports imports;
  private final IdempotentReplies replies;

  StartImport(Imports imports, IdempotentReplies replies) {
    this.imports = imports;
    this.replies = replies;
  }

  @Override
  public CallKind kind() {
    return CallKind.UPLOAD;
  }

  @Override
  public SignatureRule signatureRule() {
    return SignatureRule.MANAGEMENT;
  }

  @Override
  public boolean takesIdempotencyKey() {
    return true;
  }

  @Override
  public ImportRequest read(Call call, RequestContent content) throws InvalidRequest {
    return ImportReader.start(content);
  }

  @Override
  public Answer answer(Call call, ImportRequest request, InputStream body)
      throws SQLException, IOException {
    int merchantId = call.caller().merchantId();
    DigestInputStream file = new DigestInputStream(body, Sha256.digest());
    try {
      imports.check(merchantId, -1);
      Upload upload = imports.store(merchantId, file);
      return queued(call, request, upload, file.getMessageDigest());
    } catch (JobRejection rejection) {
      return new Failure(List.of(rejection.problem()));
    }
  }

  private Answer queued(Call call, ImportRequest request, Upload upload, MessageDigest file)
      throws SQLException, IOException {
    Imports.Order order =
        new Imports.Order(
            Imports.name(request.name().isEmpty() ? null : request.name()),
            request.apply(),
            request.skipBad(),
            options(call, request),
            Actor.of(call.caller()));
    boolean isKept = false;
    try {
      List<Problem> unknown = ImportOptions.problems(null, null, request.map());
      if (!unknown.isEmpty()) {
        return new Rejection(unknown, unknown.size());
      }
      Problem problem = imports.problem(upload, order);
      if (problem != null) {
        return new Rejection(List.of(problem), 1);
      }
      Answer answer =
          replies.once(
              call,
              new Repeatable(PATH, hash(file, request), RateLimit.NONE, isReplayable()),
              connection -> {
                try {
                  imports.queue(connection, upload, order);
                  return new StartedJob(upload.importId());
                } catch (JobRejection rejection) {
                  return new Rejection(List.of(rejection.problem()), 1);
                }
              });
      // another answer is that of an earlier request
      isKept = answer instanceof StartedJob;
      // a rejection is no reply to keep for a repeated request, but a failure for the caller
      return answer instanceof Rejection rejection
              && rejection.problems().getFirst().code() == ErrorCode.IMPORTS_OPEN
          ? new Failure(rejection.problems())
          : answer;
    } finally {
      imports.settle(upload, isKept);
    }
  }

  private static ImportOptions options(Call call, ImportRequest request) {
    return ImportOptions.of(null, null, request.map(), call.language())
        .with(Choices.of(request.choices()))
        .withoutHeader(!request.hasHeader())
        .stockOnly(!call.caller().scopes().contains(Scope.PRODUCT_WRITE));
  }

  private static byte[] hash(MessageDigest file, ImportRequest request) {
    MessageDigest all = Sha256.digest();
    all.update(file.digest());
    return all.digest(request.toString().getBytes(UTF_8));
  }
}
