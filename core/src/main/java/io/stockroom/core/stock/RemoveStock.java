package io.stockroom.core.stock;

import io.stockroom.core.admission.CallKind;
import io.stockroom.core.audit.Actor;
import io.stockroom.core.call.Answer;
import io.stockroom.core.call.Call;
import io.stockroom.core.call.Call.Caller;
import io.stockroom.core.call.Endpoint;
import io.stockroom.core.call.Failure;
import io.stockroom.core.call.SignatureRule;
import io.stockroom.core.call.Success;
import io.stockroom.core.catalogue.ProductLocks;
import io.stockroom.core.catalogue.ProductNames;
import io.stockroom.core.catalogue.ProductNames.Found;
import io.stockroom.core.changes.ChangeLog.ChangeSource;
import io.stockroom.core.changes.ChangeLog.Origin;
import io.stockroom.core.database.Sql;
import io.stockroom.core.limits.IdempotentReplies;
import io.stockroom.core.limits.IdempotentReplies.Repeatable;
import io.stockroom.core.limits.RateLimit;
import io.stockroom.core.stock.StockEntries.EntryKey;
import io.stockroom.protocol.ErrorCode;
import io.stockroom.protocol.Problem;
import io.stockroom.protocol.Size;
import io.stockroom.protocol.request.InvalidRequest;
import io.stockroom.protocol.request.NamedProduct;
import io.stockroom.protocol.request.RemoveReader;
import io.stockroom.protocol.request.RemoveReader.Removal;
import io.stockroom.protocol.request.RequestContent;
import io.stockroom.protocol.request.SizeJson;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * {@code POST /Stock/Remove}: removes entries, colors or sizes of products. All of them or none.
 */
public final class RemoveStock implements Endpoint<RemoveStock.Request> {
  public static final String PATH = "/Stock/Remove";

  /**
   * A well-formed request.
   *
   * @param bodyHash recognizes a request that is sent again with its idempotency key
   */
  record Request(List<Removal> removals, byte[] bodyHash) {}

  /** An entry that an element names. */
  private record Entry(EntryKey key, UUID guid, int quantity, @Nullable String barCode) {}

  private static final Sql PRODUCTS_OF_BARCODES =
      Sql.of(
          """
          select distinct product_id from stock_entry
          where merchant_id = :merchantId and barcode = any (:barcodes)
          """);

  /** {@code lateral} makes the planner look up the entries of each product by their key. */
  private static final Sql MATCHING =
      Sql.of(
          """
          select g.element, e.product_id, c.color, e.size_text, e.guid, e.quantity, e.barcode
          from unnest(:elements::int[], :productIds::int[], :colors::text[], :sizes::text[],
              :barcodes::text[]) g (element, product_id, color, size, barcode)
          cross join lateral (
            select * from stock_entry
            where merchant_id = :merchantId and product_id = g.product_id
              and g.barcode is null and (g.size is null or size = g.size)
            union all
            select * from stock_entry
            where merchant_id = :merchantId and barcode = g.barcode
          ) e
          join stock_color c on c.merchant_id = e.merchant_id and c.product_id = e.product_id
            and c.color_no = e.color_no
          where g.color is null or c.color = g.color
          order by g.element, e.product_id, e.color_no, e.size
          """);

  private static final Sql LAST_CHANGE =
      Sql.of("select last_change from log_head where merchant_id = :merchantId");

  private final StockEntries entries;
  private final IdempotentReplies replies;

  public RemoveStock(StockEntries entries, IdempotentReplies replies) {
    this.entries = entries;
    this.replies = replies;
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
    return new Request(RemoveReader.read(content), IdempotentReplies.hash(content.body()));
  }

  @Override
  public Answer answer(Call call, Request request) throws SQLException {
    return replies.once(
        call,
        new Repeatable(PATH, request.bodyHash, RateLimit.NONE, isReplayable()),
        connection -> remove(connection, call.caller(), request.removals));
  }

  /** Who writes barcodes locks the merchant: so does this, if it looks for barcodes. */
  private Answer remove(Connection connection, Caller caller, List<Removal> removals)
      throws SQLException {
    int merchantId = caller.merchantId();
    List<NamedProduct> named =
        removals.stream().map(Removal::product).flatMap(Stream::ofNullable).toList();
    List<String> barcodes =
        removals.stream().map(Removal::barCode).flatMap(Stream::ofNullable).toList();
    if (!barcodes.isEmpty()) {
      ProductLocks.lockMerchant(connection, merchantId);
    }
    ProductNames names = ProductNames.find(connection, merchantId, named);
    Set<Integer> productIds = new TreeSet<>();
    named.stream()
        .map(names::of)
        .flatMap(Stream::ofNullable)
        .forEach(found -> productIds.add(found.id()));
    if (!barcodes.isEmpty()) {
      productIds.addAll(
          PRODUCTS_OF_BARCODES
              .on(connection)
              .set("merchantId", merchantId)
              .set("barcodes", barcodes.toArray(String[]::new))
              .list(row -> row.getInt(1)));
    }
    Set<Integer> present = ProductLocks.lockProducts(connection, merchantId, productIds).keySet();
    List<List<Entry>> matching = matching(connection, merchantId, removals, names);
    List<Problem> problems = new ArrayList<>();
    for (int i = 0; i < removals.size(); i++) {
      Problem problem = problem(removals.get(i), names, present, matching.get(i));
      if (problem != null) {
        problems.add(problem);
      }
    }
    if (!problems.isEmpty()) {
      return new Failure(problems);
    }
    Map<EntryKey, Entry> removed = new LinkedHashMap<>();
    matching.forEach(found -> found.forEach(entry -> removed.putIfAbsent(entry.key, entry)));
    Origin origin =
        new Origin(
            Actor.of(caller),
            ChangeSource.INTERFACE,
            "stock.remove",
            ProductNames.subject(removed.keySet().stream().map(EntryKey::productId)),
            removed.size() + " entries");
    entries.put(connection, merchantId, List.of(), List.copyOf(removed.keySet()), origin);
    long number =
        LAST_CHANGE.on(connection).set("merchantId", merchantId).one(row -> row.getLong(1));
    return answer(number, List.copyOf(removed.values()));
  }

  private static List<List<Entry>> matching(
      Connection connection, int merchantId, List<Removal> removals, ProductNames names)
      throws SQLException {
    int[] elements = new int[removals.size()];
    @Nullable Integer[] productIds = new Integer[removals.size()];
    @Nullable String[] colors = new String[removals.size()];
    @Nullable String[] sizes = new String[removals.size()];
    @Nullable String[] barcodes = new String[removals.size()];
    List<List<Entry>> matching = new ArrayList<>();
    for (int i = 0; i < removals.size(); i++) {
      Removal removal = removals.get(i);
      Found found = removal.product() == null ? null : names.of(removal.product());
      elements[i] = i;
      productIds[i] = found == null ? null : found.id();
      colors[i] = removal.color();
      sizes[i] = removal.size() == null ? null : removal.size().rank();
      barcodes[i] = removal.barCode();
      matching.add(new ArrayList<>());
    }
    MATCHING
        .on(connection)
        .set("merchantId", merchantId)
        .set("elements", elements)
        .set("productIds", productIds)
        .set("colors", colors)
        .set("sizes", sizes)
        .set("barcodes", barcodes)
        .forEach(
            row ->
                matching
                    .get(row.getInt("element"))
                    .add(
                        new Entry(
                            new EntryKey(
                                row.getInt("product_id"),
                                row.getString("color"),
                                Size.of(row.getString("size_text"))),
                            row.getObject("guid", UUID.class),
                            row.getInt("quantity"),
                            row.getString("barcode"))));
    return matching;
  }

  private static @Nullable Problem problem(
      Removal removal, ProductNames names, Set<Integer> present, List<Entry> matching) {
    NamedProduct product = removal.product();
    if (product == null) {
      String at = removal.at().field("barCode").toString();
      String barCode = Objects.requireNonNull(removal.barCode());
      return switch (matching.size()) {
        case 0 -> Problem.of(at, ErrorCode.BARCODE_UNKNOWN, barCode);
        case 1 -> null;
        default -> Problem.of(at, ErrorCode.BARCODE_AMBIGUOUS, barCode);
      };
    }
    Found found = names.of(product);
    if (found == null || !present.contains(found.id())) {
      return Problem.of(product.at().toString(), ErrorCode.PRODUCT_MISSING, product.name());
    }
    if (!matching.isEmpty()) {
      return null;
    }
    String what =
        Stream.of(removal.color(), removal.size())
            .flatMap(Stream::ofNullable)
            .map(Object::toString)
            .reduce((color, size) -> color + " " + size)
            .orElse("");
    return Problem.of(removal.at().toString(), ErrorCode.NOTHING_TO_REMOVE, product.name(), what);
  }

  private static Answer answer(long number, List<Entry> removed) {
    return new Success(
        out -> {
          out.writeNumberProperty("number", number);
          out.writeArrayPropertyStart("entries");
          for (Entry entry : removed) {
            out.writeStartObject();
            out.writeStringProperty("guid", Guids.text(entry.guid));
            out.writeNumberProperty("pid", entry.key.productId());
            out.writeStringProperty("color", entry.key.color());
            out.writeName("size");
            SizeJson.write(out, entry.key.size());
            out.writeName("barCode");
            if (entry.barCode == null) {
              out.writeNull();
            } else {
              out.writeString(entry.barCode);
            }
            out.writeNumberProperty("before", entry.quantity);
            out.writeEndObject();
          }
          out.writeEndArray();
        });
  }
}
