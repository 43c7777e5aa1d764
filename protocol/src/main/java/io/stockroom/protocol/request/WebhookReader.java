package io.stockroom.protocol.request;

import io.stockroom.protocol.ErrorCode;
import io.stockroom.protocol.Spelling;
import java.net.URI;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Reads the calls that manage webhooks. {@code /Webhook/Create} takes a JSON object; the others
 * take a form, the query string or a JSON object.
 */
public final class WebhookReader {
  /** The kinds of changes, in the order in which responses list them. */
  public static final List<String> KINDS = List.of("stock", "product");

  private static final String ID = "id";
  private static final String AFTER = "after";
  private static final String PAGE = "page";
  private static final List<String> CREATE_FIELDS = List.of("url", "kinds");
  private static final List<String> UPDATE_FIELDS = List.of(ID, "url", "kinds");

  /**
   * A request of {@code /Webhook/Create}.
   *
   * @param kinds at least one, in the order of {@link #KINDS}
   */
  public record CreateWebhook(URI url, List<String> kinds) {}

  /**
   * A request of {@code /Webhook/Update}; null is left as it is.
   *
   * @param kinds at least one, in the order of {@link #KINDS}
   */
  public record UpdateWebhook(String id, @Nullable URI url, @Nullable List<String> kinds) {}

  /** A request of {@code /Webhook/Replay}: the webhook and the cursor to continue after. */
  public record ReplayWebhook(String id, String after) {}

  /** A request of {@code /Webhook/Deliveries}. */
  public record DeliveryPage(String id, int page) {}

  private final JsonReader json;
  private final Problems problems;
  private @Nullable String id;
  private @Nullable URI url;
  private @Nullable List<String> kinds;

  private WebhookReader(JsonReader json) {
    this.json = json;
    this.problems = json.problems();
  }

  /** {@code /Webhook/Create}: the URL, and the kinds of changes if not all are wanted. */
  public static CreateWebhook create(RequestContent content) throws InvalidRequest {
    content.require(RequestContent.JSON);
    return JsonReader.read(content.body(), json -> new WebhookReader(json).create());
  }

  /**
   * The same from a form.
   *
   * @param kinds some of {@link #KINDS}
   */
  public static CreateWebhook create(String url, List<String> kinds) throws InvalidRequest {
    Problems problems = new Problems();
    URI read = WebhookUrl.read(JsonPath.BODY.field("url"), url, problems);
    problems.throwIfAny();
    return new CreateWebhook(Objects.requireNonNull(read), kinds);
  }

  private CreateWebhook create() {
    object("an object such as {\"url\": \"https://…\"}", CREATE_FIELDS);
    // a missing URL is a problem, so this placeholder never leaves the reader
    return new CreateWebhook(url == null ? URI.create("") : url, kinds == null ? KINDS : kinds);
  }

  /** {@code /Webhook/Update}: the id, and what changes. */
  public static UpdateWebhook update(RequestContent content) throws InvalidRequest {
    content.require(RequestContent.JSON);
    return JsonReader.read(content.body(), json -> new WebhookReader(json).update());
  }

  private UpdateWebhook update() {
    object("an object such as {\"id\": \"wh_…\", \"url\": \"https://…\"}", UPDATE_FIELDS);
    return new UpdateWebhook(id == null ? "" : id, url, kinds);
  }

  /** Reads the body; the first of the known fields is required. */
  private void object(String expected, List<String> known) {
    List<String> names = new ArrayList<>();
    int before = problems.total();
    json.object(
        expected,
        name -> {
          names.add(name);
          field(name, known);
        });
    String required = known.get(0);
    if (!names.contains(required) && problems.total() == before) {
      problems.add(required, ErrorCode.FIELD_MISSING, required);
    }
  }

  private void field(String name, List<String> known) {
    JsonPath at = JsonPath.BODY.field(name);
    switch (known.contains(name) ? name : "") {
      case ID -> id = json.text(at);
      case "url" -> {
        if (json.isNull() && known.get(0).equals(ID)) {
          return;
        }
        String text = json.text(at);
        url = text == null ? null : WebhookUrl.read(at, text, problems);
      }
      case "kinds" -> kinds(at);
      default -> {
        Spelling.misspelled(name, known)
            .ifPresent(meant -> problems.add(at, ErrorCode.FIELD_MISSPELLED, name, meant));
        json.skip();
      }
    }
  }

  private void kinds(JsonPath at) {
    if (json.isNull()) {
      return;
    }
    List<String> sent = new ArrayList<>();
    json.array(
        at,
        "an array of kinds",
        KINDS.size(),
        element -> {
          String kind = json.text(element);
          if (kind != null && !KINDS.contains(kind)) {
            problems.add(element, ErrorCode.WEBHOOK_KIND, kind);
          }
          sent.add(kind == null ? "" : kind);
        });
    kinds = KINDS.stream().filter(sent::contains).toList();
  }

  /** {@code /Webhook/List}: takes no parameters; returns true. */
  public static boolean list(RequestContent content) throws InvalidRequest {
    return read(content).isEmpty();
  }

  /** The calls that need only a webhook's id. */
  public static String id(RequestContent content) throws InvalidRequest {
    return required(read(content, ID), ID).get(0);
  }

  /** {@code /Webhook/Replay}. */
  public static ReplayWebhook replay(RequestContent content) throws InvalidRequest {
    List<String> values = required(read(content, ID, AFTER), ID, AFTER);
    return new ReplayWebhook(values.get(0), values.get(1));
  }

  /** {@code /Webhook/Deliveries}: the page may be left out. */
  public static DeliveryPage deliveries(RequestContent content) throws InvalidRequest {
    Map<String, String> fields = read(content, ID, PAGE);
    Problems problems = new Problems();
    String page = fields.getOrDefault(PAGE, "");
    int number = page.isEmpty() ? 1 : problems.positive(PAGE, page);
    problems.throwIfAny();
    return new DeliveryPage(required(fields, ID).get(0), number);
  }

  private static List<String> required(Map<String, String> fields, String... names)
      throws InvalidRequest {
    Problems problems = new Problems();
    List<String> values = new ArrayList<>();
    for (String name : names) {
      String value = fields.getOrDefault(name, "");
      if (value.isEmpty()) {
        problems.add(name, ErrorCode.FIELD_MISSING, name);
      }
      values.add(value);
    }
    problems.throwIfAny();
    return values;
  }

  private static Map<String, String> read(RequestContent content, String... names)
      throws InvalidRequest {
    boolean isJson = content.body().length > 0 && content.contentType().equals(RequestContent.JSON);
    if (!isJson && content.body().length > 0) {
      content.require(RequestContent.FORM);
    }
    FormReader form = isJson ? FormReader.ofQuery(content) : FormReader.of(content);
    Map<String, String> fields = new HashMap<>();
    for (String name : names) {
      String value = form.get(name);
      if (value != null) {
        fields.put(name, value);
      }
    }
    if (!isJson) {
      form.problems().throwIfAny();
      return fields;
    }
    return JsonReader.read(
        content.body(), form.problems(), json -> fields(json, fields, List.of(names)));
  }

  private static Map<String, String> fields(
      JsonReader json, Map<String, String> fields, List<String> names) {
    json.object(
        "an object such as {\"id\": \"wh_…\"}",
        name -> {
          if (!names.contains(name)) {
            json.skip();
            return;
          }
          JsonPath at = JsonPath.BODY.field(name);
          String value = json.textOrNumber(at);
          if (value == null) {
            return;
          }
          String inQuery = fields.put(name, value);
          if (inQuery != null && !inQuery.equals(value)) {
            json.problems().add(at, ErrorCode.FIELD_CONFLICT, name, inQuery, value);
          }
        });
    return fields;
  }
}
