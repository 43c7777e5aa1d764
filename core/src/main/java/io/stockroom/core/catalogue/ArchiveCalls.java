package io.stockroom.core.catalogue;

import io.stockroom.core.admission.CallKind;
import io.stockroom.core.audit.Actor;
import io.stockroom.core.call.Answer;
import io.stockroom.core.call.Call;
import io.stockroom.core.call.Call.Caller;
import io.stockroom.core.call.Endpoint;
import io.stockroom.core.call.Failure;
import io.stockroom.core.call.Rejection;
import io.stockroom.core.call.SignatureRule;
import io.stockroom.core.call.Success;
import io.stockroom.core.catalogue.ProductArchive.UsedBarcode;
import io.stockroom.core.catalogue.ProductNames.Found;
import io.stockroom.core.changes.ChangeLog.ChangeSource;
import io.stockroom.core.limits.IdempotentReplies;
import io.stockroom.core.limits.IdempotentReplies.Repeatable;
import io.stockroom.core.limits.RateLimit;
import io.stockroom.protocol.ErrorCode;
import io.stockroom.protocol.Problem;
import io.stockroom.protocol.request.InvalidRequest;
import io.stockroom.protocol.request.NamedProduct;
import io.stockroom.protocol.request.Problems;
import io.stockroom.protocol.request.ProductsReader;
import io.stockroom.protocol.request.RequestContent;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/**
 * {@code POST /Product/Archive} and {@code POST /Product/Restore}: all of the products or none. A
 * product that is already as wanted stays so, so that a request can be sent again.
 */
public final class ArchiveCalls {
  /**
   * A well-formed request.
   *
   * @param bodyHash recognizes a request that is sent again with its idempotency key
   */
  private record Request(List<NamedProduct> products, byte[] bodyHash) {}

  private final ProductArchive archive;
  private final IdempotentReplies replies;

  public ArchiveCalls(ProductArchive archive, IdempotentReplies replies) {
    this.archive = archive;
    this.replies = replies;
  }

  public Endpoint<?> archive() {
    return new ArchiveEndpoint("/Product/Archive", false);
  }

  public Endpoint<?> restore() {
    return new ArchiveEndpoint("/Product/Restore", true);
  }

  private final class ArchiveEndpoint implements Endpoint<Request> {
    private final String path;
    private final boolean restores;

    private ArchiveEndpoint(String path, boolean restores) {
      this.path = path;
      this.restores = restores;
    }

    /** It locks the same rows as a create, for as long. */
    @Override
    public CallKind kind() {
      return CallKind.CREATE;
    }

    @Override
    public SignatureRule signatureRule() {
      return SignatureRule.NONCE;
    }

    @Override
    public boolean takesIdempotencyKey() {
      return true;
    }

    @Override
    public boolean isCommand() {
      return true;
    }

    @Override
    public Request read(Call call, RequestContent content) throws InvalidRequest {
      return new Request(ProductsReader.named(content), IdempotentReplies.hash(content.body()));
    }

    @Override
    public Answer answer(Call call, Request request) throws SQLException {
      return replies.once(
          call,
          new Repeatable(path, request.bodyHash, RateLimit.NONE, isReplayable()),
          connection -> move(connection, call.caller(), request.products));
    }

    private Answer move(Connection connection, Caller caller, List<NamedProduct> products)
        throws SQLException {
      int merchantId = caller.merchantId();
      ProductLocks.lockMerchant(connection, merchantId);
      ProductNames names = ProductNames.find(connection, merchantId, products);
      Problems repeated = new Problems();
      names.rejectRepeated(products, repeated);
      if (repeated.any()) {
        return Rejection.of(repeated);
      }
      List<Problem> missing =
          products.stream()
              .filter(product -> names.of(product) == null)
              .map(
                  product ->
                      Problem.of(
                          product.at().toString(), ErrorCode.PRODUCT_MISSING, product.name()))
              .toList();
      if (!missing.isEmpty()) {
        return new Failure(missing);
      }
      Map<Integer, NamedProduct> moved = new HashMap<>();
      for (NamedProduct product : products) {
        Found found = Objects.requireNonNull(names.of(product));
        if (found.archived() == restores) {
          moved.put(found.id(), product);
        }
      }
      if (restores) {
        List<Problem> problems =
            archive.usedBarcodes(connection, merchantId, moved.keySet()).stream()
                .map(used -> problem(used, moved))
                .toList();
        if (!problems.isEmpty()) {
          return new Failure(problems);
        }
      }
      Long number = moved(connection, caller, moved.keySet());
      List<Found> found = products.stream().map(names::of).map(Objects::requireNonNull).toList();
      return answer(number, found, moved.keySet());
    }

    private @Nullable Long moved(Connection connection, Caller caller, Set<Integer> products)
        throws SQLException {
      if (products.isEmpty()) {
        return null;
      }
      Actor actor = Actor.of(caller);
      return restores
          ? archive.restore(
              connection, caller.merchantId(), products, actor, ChangeSource.INTERFACE)
          : archive.archive(
              connection, caller.merchantId(), products, actor, ChangeSource.INTERFACE);
    }

    private Answer answer(@Nullable Long number, List<Found> products, Set<Integer> moved) {
      return new Success(
          out -> {
            number(out, number);
            out.writeArrayPropertyStart("products");
            for (Found product : products) {
              out.writeStartObject();
              out.writeNumberProperty("pid", product.id());
              out.writeStringProperty("artNo", product.artNo());
              out.writeBooleanProperty("changed", moved.contains(product.id()));
              out.writeEndObject();
            }
            out.writeEndArray();
          });
    }
  }

  private static Problem problem(UsedBarcode used, Map<Integer, NamedProduct> products) {
    NamedProduct product = Objects.requireNonNull(products.get(used.productId()));
    return used.problem(product.at().toString());
  }

  /** Writes the number of the last change; null if nothing changed. */
  static void number(JsonGenerator out, @Nullable Long number) {
    if (number == null) {
      out.writeNullProperty("number");
    } else {
      out.writeNumberProperty("number", number);
    }
  }
}
