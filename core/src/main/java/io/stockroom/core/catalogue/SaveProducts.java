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
import io.stockroom.core.catalogue.Descriptions.Cleaned;
import io.stockroom.core.catalogue.ProductNames.Found;
import io.stockroom.core.changes.ChangeLog.ChangeSource;
import io.stockroom.core.changes.ChangeLog.Origin;
import io.stockroom.core.database.Cells;
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
import io.stockroom.protocol.request.SavedProduct;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.IntFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/**
 * {@code POST /Product/Save}: creates products, and changes fields of existing ones. All of them or
 * none.
 */
public final class SaveProducts implements Endpoint<SaveProducts.Request> {
  public static final String PATH = "/Product/Save";

  /**
   * One product of a request.
   *
   * @param values with a sanitized description
   * @param removed what was removed from the description, such as {@code <script>}
   */
  private record Element(NamedProduct product, ProductWriter.Values values, Set<String> removed) {
    private static Element of(SavedProduct saved, EmbeddedPictures pictures) {
      String description = saved.description();
      Cleaned cleaned = description == null ? null : Descriptions.clean(description, pictures);
      return new Element(
          saved.product(),
          new ProductWriter.Values(
              saved.title(),
              cleaned == null ? null : cleaned.text(),
              saved.price(),
              saved.imgs(),
              saved.categoryIdTree(),
              saved.categoryNameTree(),
              saved.attributeNames(),
              saved.attributeValues(),
              saved.video()),
          cleaned == null ? Set.of() : cleaned.removed());
    }
  }

  /**
   * A well-formed request.
   *
   * @param bodyHash recognizes a request that is sent again with its idempotency key
   */
  record Request(List<SavedProduct> products, byte[] bodyHash) {}

  /** What became of a product. */
  private record Saved(
      int pid, String artNo, boolean created, List<String> fields, Set<String> removed) {
    private void write(JsonGenerator out) {
      out.writeStartObject();
      out.writeNumberProperty("pid", pid);
      out.writeStringProperty("artNo", artNo);
      out.writeBooleanProperty("created", created);
      out.writeArrayPropertyStart("fields");
      fields.forEach(out::writeString);
      out.writeEndArray();
      out.writeArrayPropertyStart("removed");
      removed.forEach(out::writeString);
      out.writeEndArray();
      out.writeEndObject();
    }
  }

  private final ProductWriter writer;
  private final IdempotentReplies replies;
  private final IntFunction<EmbeddedPictures> pictures;

  /**
   * @param pictures stores the embedded pictures of a merchant
   */
  public SaveProducts(
      Cells cells, IdempotentReplies replies, IntFunction<EmbeddedPictures> pictures) {
    this.writer = new ProductWriter(cells);
    this.replies = replies;
    this.pictures = pictures;
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
  public Request read(Call call, RequestContent content) throws InvalidRequest {
    return new Request(ProductsReader.save(content), IdempotentReplies.hash(content.body()));
  }

  @Override
  public Answer answer(Call call, Request request) throws SQLException {
    EmbeddedPictures embedded = pictures.apply(call.caller().merchantId());
    // outside the transaction: a picture takes a connection of its own
    List<Element> elements =
        request.products.stream().map(product -> Element.of(product, embedded)).toList();
    return replies.once(
        call,
        new Repeatable(PATH, request.bodyHash, RateLimit.NONE, isReplayable()),
        connection -> save(connection, call.caller(), elements));
  }

  /** Locks the merchant, as an import does, so that numbers and ids grow together. */
  private Answer save(Connection connection, Caller caller, List<Element> elements)
      throws SQLException {
    int merchantId = caller.merchantId();
    ProductLocks.lockMerchant(connection, merchantId);
    List<NamedProduct> named = elements.stream().map(Element::product).toList();
    ProductNames names = ProductNames.find(connection, merchantId, named);
    Problems repeated = new Problems();
    names.rejectRepeated(named, repeated);
    if (repeated.any()) {
      return Rejection.of(repeated);
    }
    List<Problem> problems =
        elements.stream().map(one -> problem(one, names)).flatMap(Stream::ofNullable).toList();
    if (!problems.isEmpty()) {
      return new Failure(problems);
    }
    Map<Integer, ProductWriter.Values> present = new HashMap<>();
    List<ProductWriter.New> missing = new ArrayList<>();
    for (Element element : elements) {
      Found found = names.of(element.product);
      if (found == null) {
        String artNo = Objects.requireNonNull(element.product.artNo());
        missing.add(new ProductWriter.New(artNo, element.values));
      } else {
        present.put(found.id(), element.values);
      }
    }
    var _ = ProductLocks.lockProducts(connection, merchantId, present.keySet());
    Map<Integer, List<String>> differences =
        ProductWriter.differences(connection, merchantId, present);
    List<ProductWriter.Created> created = writer.number(connection, merchantId, missing);
    Long number = write(connection, caller, created, present, differences);
    List<Saved> saved = new ArrayList<>();
    Iterator<ProductWriter.Created> next = created.iterator();
    for (Element element : elements) {
      Found found = names.of(element.product);
      saved.add(
          found == null
              ? created(next.next(), element)
              : new Saved(
                  found.id(),
                  found.artNo(),
                  false,
                  Objects.requireNonNull(differences.get(found.id())),
                  element.removed));
    }
    return answer(number, saved);
  }

  private static Saved created(ProductWriter.Created one, Element element) {
    return new Saved(one.productId(), one.product().artNo(), true, List.of(), element.removed);
  }

  private static Answer answer(@Nullable Long number, List<Saved> saved) {
    return new Success(
        out -> {
          ArchiveCalls.number(out, number);
          out.writeArrayPropertyStart("products");
          saved.forEach(one -> one.write(out));
          out.writeEndArray();
        });
  }

  private static @Nullable Problem problem(Element element, ProductNames names) {
    NamedProduct product = element.product;
    Found found = names.of(product);
    if (found != null) {
      return found.archived()
          ? Problem.of(product.at().toString(), ErrorCode.PRODUCT_ARCHIVED, product.name())
          : null;
    }
    if (product.artNo() == null) {
      return Problem.of(product.at().toString(), ErrorCode.PRODUCT_MISSING, product.name());
    }
    List<String> needed = new ArrayList<>();
    if (element.values.title() == null) {
      needed.add("title");
    }
    if (element.values.price() == null) {
      needed.add("price");
    }
    return needed.isEmpty()
        ? null
        : Problem.of(
            product.element().toString(),
            ErrorCode.PRODUCT_INCOMPLETE,
            product.name(),
            String.join(", ", needed));
  }

  private @Nullable Long write(
      Connection connection,
      Caller caller,
      List<ProductWriter.Created> created,
      Map<Integer, ProductWriter.Values> present,
      Map<Integer, List<String>> differences)
      throws SQLException {
    Map<Integer, ProductWriter.Values> changed = new LinkedHashMap<>(present);
    changed.keySet().removeIf(id -> differences.getOrDefault(id, List.of()).isEmpty());
    if (created.isEmpty() && changed.isEmpty()) {
      return null;
    }
    Origin origin =
        new Origin(
            Actor.of(caller),
            ChangeSource.INTERFACE,
            "product.save",
            ProductNames.subject(
                Stream.concat(
                    changed.keySet().stream(),
                    created.stream().map(ProductWriter.Created::productId))),
            created.size() + " created, " + changed.size() + " changed");
    return writer.write(connection, caller.merchantId(), created, changed, differences, origin);
  }
}
