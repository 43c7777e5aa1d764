package io.stockroom.protocol.check;

import io.stockroom.protocol.Scope;
import io.stockroom.protocol.request.AdjustReader;
import io.stockroom.protocol.request.CreateReader;
import io.stockroom.protocol.request.FeedReader;
import io.stockroom.protocol.request.FormReader;
import io.stockroom.protocol.request.ImportReader;
import io.stockroom.protocol.request.InvalidRequest;
import io.stockroom.protocol.request.ProductsReader;
import io.stockroom.protocol.request.PublishReader;
import io.stockroom.protocol.request.RemoveReader;
import io.stockroom.protocol.request.RequestContent;
import io.stockroom.protocol.request.WebhookReader;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The endpoints of the interface and the input of each one. */
public enum Endpoint {
  PRODUCT_LIST("/Stock/Product", Scope.PRODUCT_READ, Takes.FORM_OR_QUERY, "page", "stock"),
  STOCK_LIST("/Stock/List", Scope.STOCK_READ, Takes.FORM, "productid"),
  STOCK_BATCH("/Stock/Batch", Scope.STOCK_READ, Takes.FORM, "productid"),
  STOCK_CREATE("/Stock/Creat", Scope.STOCK_WRITE, Takes.JSON),
  STOCK_ADJUST("/Stock/Adjust", Scope.STOCK_WRITE, Takes.JSON),
  STOCK_REMOVE("/Stock/Remove", Scope.STOCK_WRITE, Takes.JSON),
  PRODUCT_DETAIL("/Product/Detail", Scope.DETAIL_READ, Takes.ANYTHING, "pid"),
  PUBLISH_RESULTS("/Product/Publish", Scope.PUBLISH_WRITE, Takes.JSON),
  PRODUCT_FIND(
      "/Product/Find",
      Scope.PRODUCT_READ,
      Takes.FORM_OR_QUERY,
      "artNo",
      "barCode",
      "words",
      "changedAfter",
      "after",
      "limit"),
  PRODUCT_SAVE("/Product/Save", Scope.PRODUCT_WRITE, Takes.JSON),
  PRODUCT_ARCHIVE("/Product/Archive", Scope.PRODUCT_WRITE, Takes.JSON),
  PRODUCT_RESTORE("/Product/Restore", Scope.PRODUCT_WRITE, Takes.JSON),
  USAGE("/Usage", null, Takes.FORM_OR_QUERY, "page"),
  CHANGES("/Changes", Scope.CHANGES_READ, Takes.FORM_OR_QUERY, "after", "limit", "wait"),
  STOCK_SNAPSHOT("/Stock/Snapshot", Scope.STOCK_READ, Takes.FORM_OR_QUERY, "after", "limit"),
  STOCK_DIGEST("/Stock/Digest", Scope.STOCK_READ, Takes.FORM_OR_QUERY),
  STOCK_IMPORT(
      "/Stock/Import", Scope.STOCK_WRITE, Takes.FILE, "mode", "apply", "skipBad", "name", "header"),
  IMPORT_STATUS("/Stock/Import/Status", Scope.STOCK_WRITE, Takes.FORM_OR_QUERY, "job", "page"),
  IMPORT_APPLY("/Stock/Import/Apply", Scope.STOCK_WRITE, Takes.FORM_OR_QUERY, "job", "skipBad"),
  IMPORT_CANCEL("/Stock/Import/Cancel", Scope.STOCK_WRITE, Takes.FORM_OR_QUERY, "job"),
  IMPORT_UNDO("/Stock/Import/Undo", Scope.STOCK_WRITE, Takes.FORM_OR_QUERY, "job"),
  WEBHOOK_CREATE("/Webhook/Create", Scope.WEBHOOK_MANAGE, Takes.JSON),
  WEBHOOK_UPDATE("/Webhook/Update", Scope.WEBHOOK_MANAGE, Takes.JSON),
  WEBHOOK_LIST("/Webhook/List", Scope.WEBHOOK_MANAGE, Takes.ANYTHING),
  WEBHOOK_DELETE("/Webhook/Delete", Scope.WEBHOOK_MANAGE, Takes.ANYTHING, "id"),
  WEBHOOK_TEST("/Webhook/Test", Scope.WEBHOOK_MANAGE, Takes.ANYTHING, "id"),
  WEBHOOK_REPLAY("/Webhook/Replay", Scope.WEBHOOK_MANAGE, Takes.ANYTHING, "id", "after"),
  WEBHOOK_DELIVERIES("/Webhook/Deliveries", Scope.WEBHOOK_MANAGE, Takes.ANYTHING, "id", "page"),
  WEBHOOK_ROTATE("/Webhook/Rotate", Scope.WEBHOOK_MANAGE, Takes.ANYTHING, "id"),
  WEBHOOK_ENABLE("/Webhook/Enable", Scope.WEBHOOK_MANAGE, Takes.ANYTHING, "id"),
  WEBHOOK_DISABLE("/Webhook/Disable", Scope.WEBHOOK_MANAGE, Takes.ANYTHING, "id");

  /** How an endpoint takes its parameters. */
  public enum Takes {
    /** A form, with its Content-Type. */
    FORM,
    /** A form, or the query string alone. */
    FORM_OR_QUERY,
    /** A JSON array, with its Content-Type. */
    JSON,
    /** A form, the query string, or a JSON object. */
    ANYTHING,
    /** The query string; the body is a file of any type. */
    FILE
  }

  private final String path;
  private final @Nullable Scope scope;
  private final Takes takes;
  private final String fields;

  Endpoint(String path, @Nullable Scope scope, Takes takes, String... fields) {
    this.path = path;
    this.scope = scope;
    this.takes = takes;
    this.fields = String.join(" ", fields);
  }

  /** The path as the interface spells it. */
  public String path() {
    return path;
  }

  /** The scope that the access token needs; null if any token works. */
  public @Nullable Scope scope() {
    return scope;
  }

  public Takes takes() {
    return takes;
  }

  /** The form fields, the required one first; empty if there are none or it takes JSON. */
  public List<String> fields() {
    return fields.isEmpty() ? List.of() : List.of(fields.split(" ", -1));
  }

  /** The names of all fields, of a form or of the objects in a JSON body. */
  Set<String> fieldNames() {
    return switch (this) {
      case STOCK_CREATE -> Set.of("color", "pid", "param", "size", "stock", "barCode");
      case STOCK_ADJUST ->
          Set.of("pid", "artNo", "color", "size", "barCode", "change", "set", "expect");
      case PUBLISH_RESULTS -> Set.of("pid", "result", "url", "msg");
      case WEBHOOK_CREATE -> Set.of("url", "kinds");
      case STOCK_REMOVE -> Set.copyOf(RemoveReader.FIELDS);
      case WEBHOOK_UPDATE -> Set.of("id", "url", "kinds");
      case PRODUCT_SAVE -> Set.copyOf(ProductsReader.FIELDS);
      case PRODUCT_ARCHIVE, PRODUCT_RESTORE -> Set.of("pid", "artNo");
      case PRODUCT_LIST,
          PRODUCT_FIND,
          STOCK_LIST,
          STOCK_BATCH,
          PRODUCT_DETAIL,
          USAGE,
          CHANGES,
          STOCK_SNAPSHOT,
          STOCK_DIGEST,
          STOCK_IMPORT,
          IMPORT_STATUS,
          IMPORT_APPLY,
          IMPORT_CANCEL,
          IMPORT_UNDO,
          WEBHOOK_LIST,
          WEBHOOK_DELETE,
          WEBHOOK_TEST,
          WEBHOOK_REPLAY,
          WEBHOOK_DELIVERIES,
          WEBHOOK_ROTATE,
          WEBHOOK_ENABLE,
          WEBHOOK_DISABLE ->
          Set.copyOf(fields());
    };
  }

  /** A media type that the endpoint accepts. */
  String type() {
    return takes == Takes.JSON ? RequestContent.JSON : RequestContent.FORM;
  }

  /** Whether the endpoint reads the header {@code Idempotency-Key}. */
  boolean takesIdempotencyKey() {
    return takes == Takes.JSON || takes == Takes.FILE;
  }

  /** Reads a request exactly as the server does. */
  void read(RequestContent content) throws InvalidRequest {
    Object unused =
        switch (this) {
          case PRODUCT_LIST -> FormReader.productList(content);
          case STOCK_LIST -> FormReader.stockList(content);
          case STOCK_CREATE -> CreateReader.read(content, CreateReader.DEFAULT_MAX_GROUPS, false);
          case STOCK_ADJUST -> AdjustReader.read(content);
          case STOCK_BATCH -> FormReader.stockBatch(content);
          case STOCK_REMOVE -> RemoveReader.read(content);
          case PRODUCT_DETAIL -> FormReader.detail(content);
          case PUBLISH_RESULTS -> PublishReader.read(content);
          case PRODUCT_FIND -> ProductsReader.find(content);
          case PRODUCT_SAVE -> ProductsReader.save(content);
          case PRODUCT_ARCHIVE, PRODUCT_RESTORE -> ProductsReader.named(content);
          case USAGE -> FormReader.usage(content);
          case CHANGES -> FeedReader.changes(content);
          case STOCK_SNAPSHOT -> FeedReader.snapshot(content);
          case STOCK_DIGEST -> FeedReader.digest(content);
          case STOCK_IMPORT -> ImportReader.start(content);
          case IMPORT_STATUS -> ImportReader.status(content);
          case IMPORT_APPLY -> ImportReader.apply(content);
          case IMPORT_CANCEL, IMPORT_UNDO -> ImportReader.job(content);
          case WEBHOOK_CREATE -> WebhookReader.create(content);
          case WEBHOOK_UPDATE -> WebhookReader.update(content);
          case WEBHOOK_LIST -> WebhookReader.list(content);
          case WEBHOOK_REPLAY -> WebhookReader.replay(content);
          case WEBHOOK_DELIVERIES -> WebhookReader.deliveries(content);
          case WEBHOOK_DELETE, WEBHOOK_TEST, WEBHOOK_ROTATE, WEBHOOK_ENABLE, WEBHOOK_DISABLE ->
              WebhookReader.id(content);
        };
  }

  /** Checks the media type of a request whose body is unknown. */
  void requireType(RequestContent content) throws InvalidRequest {
    if (takes == Takes.FILE) {
      return;
    }
    String sent = content.contentType();
    boolean optional = takes == Takes.FORM_OR_QUERY || takes == Takes.ANYTHING;
    boolean json = takes == Takes.ANYTHING && sent.equals(RequestContent.JSON);
    if (!json && !(optional && sent.isEmpty())) {
      content.require(type());
    }
  }

  /** Whether the call belongs to webhooks or imports. */
  public boolean isManagement() {
    return path.startsWith("/Webhook/") || path.startsWith("/Stock/Import");
  }

  /** Whether an HMAC signature needs a nonce. */
  boolean needsNonce() {
    return switch (this) {
      case STOCK_ADJUST, STOCK_REMOVE, PRODUCT_SAVE, PRODUCT_ARCHIVE, PRODUCT_RESTORE -> true;
      default -> isManagement();
    };
  }

  /** The endpoint at {@code path}, ignoring case. */
  public static Optional<Endpoint> at(String path) {
    return Arrays.stream(values())
        .filter(endpoint -> endpoint.path.equalsIgnoreCase(path))
        .findFirst();
  }

  /** The name used in URLs and file names, such as {@code stock-list}. */
  public String word() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
