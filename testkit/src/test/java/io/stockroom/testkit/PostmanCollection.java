package io.stockroom.testkit;

import io.stockroom.server.apidocs.ApiDocument;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Makes the Postman collection from the OpenAPI document of the interface. */
final class PostmanCollection {
  private static final JsonMapper JSON = new JsonMapper();
  private static final String FORM = "application/x-www-form-urlencoded";

  /** Files and JSON are sent as the examples show them. */
  private static final List<String> BODIES =
      List.of("application/json", "application/octet-stream");

  /** What the examples name, and the variable that an earlier request of the collection sets. */
  private static final Map<String, String> VARIABLES =
      Map.of(
          "\"pid\" : 1", "\"pid\" : {{pid}}",
          "A100", "{{artNo}}",
          "wh_7f1c0a9e5b0d4c53a2f46d1be0c9a417", "{{webhookId}}",
          "https://shop.example/stock-changes", "{{webhookUrl}}");

  private static final Map<String, String> FIELDS =
      Map.of(
          "productid", "{{pid}}",
          "pid", "{{pid}}",
          "id", "{{webhookId}}",
          "after", "{{cursor}}",
          "job", "{{job}}");

  private static final Set<String> PAGED = Set.of("/Stock/Snapshot", "/Product/Find");

  /** Signs the request; the collection's variables have the credentials. */
  private static final String SIGN =
      """
      const hash = require("crypto-js");
      const value = (name) => pm.variables.replaceIn("{{" + name + "}}");
      const timestamp = String(Math.floor(Date.now() / 1000));
      const body = pm.variables.replaceIn((pm.request.body && pm.request.body.raw) || "");
      const set = (key, text) => pm.request.headers.upsert({ key, value: text });
      set("appid", value("appid"));
      set("accesstoken", value("accesstoken"));
      set("timestamp", timestamp);
      // a picture is only accepted with HMAC
      if (value("signature") === "hmac-sha256" || pm.request.url.getPath() === "/Product/Picture") {
        const nonce = pm.variables.replaceIn("{{$guid}}");
        const path = pm.variables.replaceIn(pm.request.url.toString()).replace(/^https?:\\/\\/[^/]+/, "");
        const lines = ["POST", path, timestamp, value("accesstoken"), hash.SHA256(body).toString(), nonce];
        const key = pm.request.headers.get("Idempotency-Key");
        if (key) {
          lines.push(pm.variables.replaceIn(key));
          set("Idempotency-Key", lines[6]);
        }
        const text = lines.join("\\n");
        set("sign", hash.HmacSHA256(text, value("secret")).toString().toUpperCase());
        set("sign-method", "hmac-sha256");
        set("sign-nonce", nonce);
      } else {
        set("sign", hash.MD5(value("secret") + timestamp).toString().toUpperCase());
      }
      """;

  /** Keeps what later requests need. */
  private static final String KEEP =
      """
      let answer = {};
      pm.test("Stockroom answers", () => {
        answer = pm.response.json();
        pm.expect(answer.success).to.be.a("boolean");
        pm.expect(pm.response.code, answer.msg).to.equal(200);
      });
      const keep = (name, value) => { if (value) pm.collectionVariables.set(name, value); };
      if (answer.data && answer.data[0] && answer.data[0].artNo) {
        keep("pid", String(answer.data[0].id));
        keep("artNo", answer.data[0].artNo);
      }
      if (pm.request.url.getPath() === "/Webhook/Create") keep("webhookId", answer.id);
      if (pm.request.url.getPath() === "/Stock/Import") keep("job", answer.job);
      if (pm.request.url.getPath() === "/Changes") keep("cursor", answer.cursor);
      """;

  private PostmanCollection() {}

  static String json() {
    JsonNode document = JSON.readTree(ApiDocument.INTERFACE.json());
    ObjectNode collection = JSON.createObjectNode();
    collection
        .putObject("info")
        .put("name", "Stockroom")
        .put("schema", "https://schema.getpostman.com/json/collection/v2.1.0/collection.json")
        .put(
            "description",
            "The calls of the merchant stock and product interface, signed by a script. Set the"
                + " variables server, appid, secret and accesstoken, then send Product list: it"
                + " keeps an id for the others.");
    ArrayNode variables = collection.putArray("variable");
    defaults().forEach((key, value) -> variables.addObject().put("key", key).put("value", value));
    ArrayNode events = collection.putArray("event");
    event(events, "prerequest", SIGN);
    event(events, "test", KEEP);
    ArrayNode items = collection.putArray("item");
    List<Map.Entry<String, JsonNode>> paths = document.get("paths").propertyStream().toList();
    // the last one ends what the others use
    Comparator<Map.Entry<String, JsonNode>> deletesLast =
        Comparator.comparing(path -> path.getKey().endsWith("/Delete"));
    paths.stream()
        .sorted(deletesLast)
        .forEach(path -> item(items, path.getKey(), path.getValue().get("post")));
    return JSON.writerWithDefaultPrettyPrinter().writeValueAsString(collection) + "\n";
  }

  private static Map<String, String> defaults() {
    Map<String, String> defaults = new LinkedHashMap<>();
    defaults.put("server", "http://localhost:8080");
    for (String name : List.of("appid", "secret", "accesstoken")) {
      defaults.put(name, "");
    }
    defaults.put("signature", "md5");
    defaults.put("pid", "1");
    defaults.put("artNo", "A100");
    defaults.put("cursor", "");
    // an address that every server can look up: its own
    defaults.put("webhookUrl", "{{server}}/stock-changes");
    defaults.put("webhookId", "");
    defaults.put("job", "");
    return defaults;
  }

  private static void event(ArrayNode events, String when, String script) {
    ArrayNode lines = events.addObject().put("listen", when).putObject("script").putArray("exec");
    script.lines().forEach(lines::add);
  }

  private static void item(ArrayNode items, String path, JsonNode operation) {
    ObjectNode item = items.addObject().put("name", operation.get("summary").asString());
    ObjectNode request = item.putObject("request").put("method", "POST");
    request.put("description", operation.get("description").asString().strip());
    ObjectNode url = request.putObject("url").put("raw", "{{server}}" + path);
    url.putArray("host").add("{{server}}");
    ArrayNode parts = url.putArray("path");
    for (String part : path.substring(1).split("/", -1)) {
      parts.add(part);
    }
    JsonNode content = operation.at("/requestBody/content");
    String type = BODIES.stream().filter(content::has).findFirst().orElse(FORM);
    ArrayNode headers = request.putArray("header");
    headers.addObject().put("key", "Content-Type").put("value", type);
    boolean keyed =
        StreamSupport.stream(operation.get("parameters").spliterator(), false)
            .anyMatch(one -> one.path("$ref").asString("").endsWith("/IdempotencyKey"));
    if (keyed) {
      headers.addObject().put("key", "Idempotency-Key").put("value", "{{$guid}}");
    }
    request
        .putObject("body")
        .put("mode", "raw")
        .put(
            "raw", type.equals(FORM) ? form(path, content.path(FORM)) : example(content.get(type)));
  }

  private static String example(JsonNode content) {
    JsonNode example = content.get("example");
    String text =
        example.isString()
            ? example.asString()
            : JSON.writerWithDefaultPrettyPrinter().writeValueAsString(example);
    for (Map.Entry<String, String> variable : VARIABLES.entrySet()) {
      text = text.replace(variable.getKey(), variable.getValue());
    }
    return text;
  }

  /** The required fields, and those of the example. */
  private static String form(String path, JsonNode content) {
    return content
        .at("/schema/properties")
        .propertyStream()
        .map(Map.Entry::getKey)
        // they begin with the first page
        .filter(name -> !(PAGED.contains(path) && name.equals("after")))
        .filter(name -> FIELDS.containsKey(name) || content.at("/example").has(name))
        .map(name -> name + "=" + FIELDS.getOrDefault(name, value(content, name)))
        .collect(Collectors.joining("&"));
  }

  private static String value(JsonNode content, String name) {
    return content.at("/example").path(name).asString("");
  }
}
