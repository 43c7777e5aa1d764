package io.stockroom.server.testing;

import com.networknt.schema.Error;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import io.stockroom.core.call.Answer;
import io.stockroom.server.apidocs.ApiDocument;
import java.net.http.HttpRequest;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Flow;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * Compares HTTP exchanges with the OpenAPI documents: the path, the status, every field of the
 * response, and the JSON of an accepted request.
 */
public final class Documented {
  private static final String JSON = "application~1json";
  private static final JsonMapper MAPPER = new JsonMapper();
  private static final Documented INTERFACE = new Documented(ApiDocument.INTERFACE);
  private static final Documented OPERATOR = new Documented(ApiDocument.OPERATOR);

  private final String id;
  private final JsonNode document;
  private final SchemaRegistry registry;
  private final Map<String, Schema> schemas = new ConcurrentHashMap<>();

  private Documented(ApiDocument source) {
    id = "https://stockroom.invalid" + source.path();
    document = MAPPER.readTree(source.json());
    registry =
        SchemaRegistry.withDefaultDialect(
            SpecificationVersion.DRAFT_2020_12,
            builder -> builder.schemas(Map.of(id, document.toString())));
  }

  /** Fails if the exchange does not match the document; ignores paths outside the API. */
  static void check(HttpRequest request, Reply reply) {
    boolean operator = request.uri().getRawPath().startsWith("/admin/");
    (operator ? OPERATOR : INTERFACE).compare(request, reply);
  }

  private void compare(HttpRequest request, Reply reply) {
    String path = request.uri().getRawPath();
    Optional<String> template = template(path);
    boolean ours = reply.header("x-request-id").isPresent();
    if (path.startsWith("/pictures/") || (template.isEmpty() && !ours)) {
      return;
    }
    String method = request.method().toLowerCase(Locale.ROOT);
    String at = template.map(t -> "/paths/" + escaped(t) + "/" + method).orElse("");
    if (at.isEmpty() || document.at(at).isMissingNode()) {
      boolean refused =
          List.of(401, 404, 405).contains(reply.status()) || reply.codes().contains("HTTP_BROKEN");
      require(refused, request, reply, "the document does not know this call");
      if (!method.equals("head")) {
        require(reply, request, "/components/schemas/Refusal", reply.body());
      }
      return;
    }
    JsonNode response = document.at(at + "/responses/" + reply.status());
    require(!response.isMissingNode(), request, reply, "the document does not know this status");
    String where = at + "/responses/" + reply.status();
    if (response.has("$ref")) {
      where = response.get("$ref").asString().substring(1);
    }
    require(
        reply.header("x-error-code").isEmpty()
            || document.at(where + "/headers").has(Answer.ERROR_CODE),
        request,
        reply,
        "the document does not know the header " + Answer.ERROR_CODE);
    String schema = where + "/content/" + JSON + "/schema";
    if (!document.at(schema).isMissingNode()) {
      require(reply, request, schema, reply.body());
    }
    String body = at + "/requestBody/content/" + JSON + "/schema";
    if (reply.status() < 300
        && isJson(request)
        && isPlain(request)
        && !document.at(body).isMissingNode()) {
      require(reply, request, body, asDocumented(body(request)));
    }
  }

  /**
   * Two variants are documented only in words, because client generators do not support choices: an
   * array may be wrapped in {@code {"list": […]}}, and the size of a create may be a number.
   */
  private static String asDocumented(String json) {
    JsonNode sent = MAPPER.readTree(json);
    JsonNode array = sent.path("list").isArray() ? sent.get("list") : sent;
    for (JsonNode item : array.findParents("stock")) {
      JsonNode size = item.path("size");
      if (size.isIntegralNumber() && item instanceof ObjectNode object) {
        object.put("size", size.asString());
      }
    }
    return array.toString();
  }

  /** The documented path with variables in braces. */
  private Optional<String> template(String path) {
    return document
        .get("paths")
        .propertyStream()
        .map(Map.Entry::getKey)
        .filter(template -> matches(template, path))
        .findFirst();
  }

  private static boolean matches(String template, String path) {
    boolean anyCase = !template.startsWith("/admin/");
    String[] wanted = template.split("/");
    // the admin API accepts a trailing slash, the interface does not
    String[] given = path.split("/", anyCase ? -1 : 0);
    if (wanted.length != given.length) {
      return false;
    }
    for (int i = 0; i < wanted.length; i++) {
      boolean same = anyCase ? wanted[i].equalsIgnoreCase(given[i]) : wanted[i].equals(given[i]);
      if (!same && !wanted[i].startsWith("{")) {
        return false;
      }
    }
    return true;
  }

  private void require(Reply reply, HttpRequest request, String schema, String json) {
    List<Error> errors =
        schemas
            .computeIfAbsent(schema, at -> registry.getSchema(SchemaLocation.of(id + "#" + at)))
            .validate(MAPPER.readTree(json));
    require(errors.isEmpty(), request, reply, errors + " in " + json);
  }

  private static void require(boolean holds, HttpRequest request, Reply reply, String otherwise) {
    if (!holds) {
      throw new AssertionError(
          "%s %s, answered %d: not as in server/src/main/resources/openapi: %s"
              .formatted(request.method(), request.uri(), reply.status(), otherwise));
    }
  }

  /** A compressed body is not text. */
  private static boolean isPlain(HttpRequest request) {
    return request.headers().firstValue("Content-Encoding").map("identity"::equals).orElse(true);
  }

  private static boolean isJson(HttpRequest request) {
    return request
        .headers()
        .firstValue("Content-Type")
        .orElse("")
        .toLowerCase(Locale.ROOT)
        .startsWith("application/json");
  }

  private static String escaped(String path) {
    return path.replace("~", "~0").replace("/", "~1");
  }

  /** The body of a request, read from its publisher again. */
  private static String body(HttpRequest request) {
    StringBuilder text = new StringBuilder();
    request
        .bodyPublisher()
        .ifPresent(
            publisher ->
                publisher.subscribe(
                    new Flow.Subscriber<>() {
                      @Override
                      public void onSubscribe(Flow.Subscription subscription) {
                        subscription.request(Long.MAX_VALUE);
                      }

                      @Override
                      public void onNext(ByteBuffer part) {
                        text.append(StandardCharsets.UTF_8.decode(part));
                      }

                      @Override
                      public void onError(Throwable failure) {
                        throw new IllegalStateException(failure);
                      }

                      @Override
                      public void onComplete() {}
                    }));
    return text.isEmpty() ? "{}" : text.toString();
  }
}
