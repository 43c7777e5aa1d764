package io.stockroom.protocol.check;

import io.stockroom.protocol.Scope;
import io.stockroom.protocol.request.AdjustReader;
import io.stockroom.protocol.request.CreateReader;
import io.stockroom.protocol.request.FeedReader;
import io.stockroom.protocol.request.FormReader;
import io.stockroom.protocol.request.ImportReader;
import io.stockroom.protocol.request.InvalidRequest;
import io.stockroom.protocol.request.PictureReader;
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
  PRODUCT_LIST(
      "/Stock/Product",
      Scope.PRODUCT_READ,
      Takes.FORM_OR_QUERY,
      FormReader::productList,
      "page stock"),
  STOCK_LIST("/Stock/List", Scope.STOCK_READ, Takes.FORM, FormReader::stockList, "productid"),
  STOCK_BATCH("/Stock/Batch", Scope.STOCK_READ, Takes.FORM, FormReader::stockBatch, "productid"),
  STOCK_CREATE(
      "/Stock/Creat",
      Scope.STOCK_WRITE,
      Takes.JSON,
      content -> CreateReader.read(content, CreateReader.DEFAULT_MAX_GROUPS, false),
      "color pid param size stock barCode"),
  STOCK_ADJUST(
      "/Stock/Adjust",
      Scope.STOCK_WRITE,
      Takes.JSON,
      AdjustReader::read,
      "pid artNo color size barCode change set expect"),
  STOCK_REMOVE(
      "/Stock/Remove",
      Scope.STOCK_WRITE,
      Takes.JSON,
      RemoveReader::read,
      String.join(" ", RemoveReader.FIELDS)),
  PRODUCT_DETAIL("/Product/Detail", Scope.DETAIL_READ, Takes.ANYTHING, FormReader::detail, "pid"),
  PUBLISH_RESULTS(
      "/Product/Publish",
      Scope.PUBLISH_WRITE,
      Takes.JSON,
      PublishReader::read,
      "pid result url msg"),
  PRODUCT_FIND(
      "/Product/Find",
      Scope.PRODUCT_READ,
      Takes.FORM_OR_QUERY,
      ProductsReader::find,
      "artNo barCode words changedAfter after limit"),
  PRODUCT_SAVE(
      "/Product/Save",
      Scope.PRODUCT_WRITE,
      Takes.JSON,
      ProductsReader::save,
      String.join(" ", ProductsReader.FIELDS)),
  PRODUCT_PICTURE(
      "/Product/Picture",
      Scope.PRODUCT_WRITE,
      Takes.FILE,
      PictureReader::read,
      "pid artNo color position"),
  PRODUCT_ARCHIVE(
      "/Product/Archive", Scope.PRODUCT_WRITE, Takes.JSON, ProductsReader::named, "pid artNo"),
  PRODUCT_RESTORE(
      "/Product/Restore", Scope.PRODUCT_WRITE, Takes.JSON, ProductsReader::named, "pid artNo"),
  USAGE("/Usage", null, Takes.FORM_OR_QUERY, FormReader::usage, "page"),
  CHANGES(
      "/Changes", Scope.CHANGES_READ, Takes.FORM_OR_QUERY, FeedReader::changes, "after limit wait"),
  STOCK_SNAPSHOT(
      "/Stock/Snapshot",
      Scope.STOCK_READ,
      Takes.FORM_OR_QUERY,
      FeedReader::snapshot,
      "after limit"),
  STOCK_DIGEST("/Stock/Digest", Scope.STOCK_READ, Takes.FORM_OR_QUERY, FeedReader::digest, ""),
  STOCK_IMPORT(
      "/Stock/Import",
      Scope.STOCK_WRITE,
      Takes.FILE,
      ImportReader::start,
      String.join(" ", ImportReader.START_FIELDS)),
  IMPORT_STATUS("/Stock/Import/Status", ImportReader::status, "job page"),
  IMPORT_APPLY("/Stock/Import/Apply", ImportReader::apply, "job skipBad"),
  IMPORT_CANCEL("/Stock/Import/Cancel", ImportReader::job, "job"),
  IMPORT_UNDO("/Stock/Import/Undo", ImportReader::job, "job"),
  WEBHOOK_CREATE(
      "/Webhook/Create", Scope.WEBHOOK_MANAGE, Takes.JSON, WebhookReader::create, "url kinds"),
  WEBHOOK_UPDATE(
      "/Webhook/Update", Scope.WEBHOOK_MANAGE, Takes.JSON, WebhookReader::update, "id url kinds"),
  WEBHOOK_LIST("/Webhook/List", Scope.WEBHOOK_MANAGE, Takes.ANYTHING, WebhookReader::list, ""),
  WEBHOOK_DELETE("/Webhook/Delete"),
  WEBHOOK_TEST("/Webhook/Test"),
  WEBHOOK_REPLAY(
      "/Webhook/Replay", Scope.WEBHOOK_MANAGE, Takes.ANYTHING, WebhookReader::replay, "id after"),
  WEBHOOK_DELIVERIES(
      "/Webhook/Deliveries",
      Scope.WEBHOOK_MANAGE,
      Takes.ANYTHING,
      WebhookReader::deliveries,
      "id page"),
  WEBHOOK_ROTATE("/Webhook/Rotate"),
  WEBHOOK_ENABLE("/Webhook/Enable"),
  WEBHOOK_DISABLE("/Webhook/Disable");

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

  /** Reads a request exactly as the server does. */
  private interface Reader {
    Object read(RequestContent content) throws InvalidRequest;
  }

  private final String path;
  private final @Nullable Scope scope;
  private final Takes takes;

  // a method without state
  @SuppressWarnings("ImmutableEnumChecker")
  private final Reader reader;

  private final String fields;

  Endpoint(String path, @Nullable Scope scope, Takes takes, Reader reader, String fields) {
    this.path = path;
    this.scope = scope;
    this.takes = takes;
    this.reader = reader;
    this.fields = fields;
  }

  /** A call about an import. */
  Endpoint(String path, Reader reader, String fields) {
    this(path, Scope.STOCK_WRITE, Takes.FORM_OR_QUERY, reader, fields);
  }

  /** A call about one webhook. */
  Endpoint(String path) {
    this(path, Scope.WEBHOOK_MANAGE, Takes.ANYTHING, WebhookReader::id, "id");
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
    return takes == Takes.JSON || fields.isEmpty() ? List.of() : List.of(fields.split(" ", -1));
  }

  /** The names of all fields, of a form or of the objects in a JSON body. */
  Set<String> fieldNames() {
    return Set.of(fields.split(" ", -1));
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
    Object unused = reader.read(content);
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
