package io.stockroom.server.apidocs;

import static org.assertj.core.api.Assertions.assertThat;

import io.stockroom.server.testing.TestServer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class ApiDocumentTest {
  private static final Set<String> METHODS = Set.of("get", "post", "put", "patch", "delete");
  private final JsonNode document = new JsonMapper().readTree(ApiDocument.json());

  @Test
  void namesEveryRouteOfTheServerAndNoOther() {
    assertThat(operations(document))
        .containsExactlyElementsOf(
            new TreeSet<>(
                TestServer.shared().addresses().stream()
                    .map(ApiDocumentTest::withoutNames)
                    .toList()));
  }

  @Test
  void everyReferenceLeadsSomewhere() {
    for (String ref : references(document)) {
      assertThat(document.at(ref.substring(1)).isMissingNode()).as(ref).isFalse();
    }
  }

  @Test
  void everyPartThatNothingRefersToIsGone() {
    List<String> references = references(document);
    for (String kind : List.of("schemas", "responses", "parameters", "headers")) {
      document
          .at("/components/" + kind)
          .propertyNames()
          .forEach(name -> assertThat(references).contains("#/components/" + kind + "/" + name));
    }
  }

  /** Else a new field of an answer would pass unseen. */
  @Test
  void noObjectOfAnAnswerIsOpen() {
    JsonNode schemas = document.at("/components/schemas");
    for (String name : schemas.propertyNames()) {
      if (!Set.of("ColourGroups", "PublishResults").contains(name)) {
        requireClosed(name, schemas.get(name));
      }
    }
    for (JsonNode path : document.get("paths")) {
      for (String method : METHODS) {
        for (JsonNode response : path.path(method).path("responses")) {
          requireClosed(
              path.path(method).path("operationId").asString(),
              response.at("/content/application~1json/schema"));
        }
      }
    }
  }

  @Test
  void everyCallSaysWhatItIsForAndWhoMayCallIt() {
    List<String> ids = new ArrayList<>();
    for (JsonNode path : document.get("paths")) {
      for (String method : METHODS) {
        if (path.has(method)) {
          JsonNode operation = path.get(method);
          ids.add(operation.get("operationId").asString());
          assertThat(operation.get("summary").asString()).isNotBlank();
          assertThat(operation.get("security")).isNotNull();
          assertThat(operation.get("tags").size()).isEqualTo(1);
        }
      }
    }
    assertThat(ids).doesNotHaveDuplicates();
  }

  private static void requireClosed(String name, JsonNode schema) {
    if (schema.has("properties")) {
      assertThat(schema.path("additionalProperties").asString("open"))
          .as("an object in " + name)
          .isEqualTo("false");
    }
    schema.forEach(inner -> requireClosed(name, inner));
  }

  private static Set<String> operations(JsonNode document) {
    Set<String> operations = new TreeSet<>();
    document
        .get("paths")
        .propertyStream()
        .forEach(
            path ->
                path.getValue().propertyNames().stream()
                    .filter(METHODS::contains)
                    .map(method -> method.toUpperCase(Locale.ROOT) + " " + path.getKey())
                    .map(ApiDocumentTest::withoutNames)
                    .forEach(operations::add));
    return operations;
  }

  private static String withoutNames(String address) {
    return address.replaceAll("\\{[^}]*\\}", "{}");
  }

  private static List<String> references(JsonNode node) {
    return node.findValuesAsString("$ref");
  }
}
