package io.stockroom.server.apidocs;

import static org.assertj.core.api.Assertions.assertThat;

import io.stockroom.server.testing.TestServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class ApiDocumentTest {
  private static final Set<String> METHODS = Set.of("get", "post", "put", "patch", "delete");
  private static final JsonNode INTERFACE = read(ApiDocument.INTERFACE);
  private static final JsonNode OPERATOR = read(ApiDocument.OPERATOR);

  @Test
  void documentsExactlyTheRoutesOfTheServer() {
    Set<String> all = new TreeSet<>(operations(INTERFACE));
    all.addAll(operations(OPERATOR));
    assertThat(all)
        .containsExactlyElementsOf(
            new TreeSet<>(
                TestServer.shared().addresses().stream()
                    .map(ApiDocumentTest::withoutNames)
                    .toList()));
  }

  @Test
  void thePageOfTheAdminApiListsEveryCallWithItsFields() throws IOException {
    String page = Files.readString(Path.of("../docs/operators/admin-api.md"));
    OPERATOR
        .get("paths")
        .properties()
        .forEach(
            path ->
                path.getValue().properties().stream()
                    .filter(call -> METHODS.contains(call.getKey()))
                    .forEach(
                        call -> {
                          String method = call.getKey().toUpperCase(Locale.ROOT);
                          String start =
                              "| `%s %s` | %s |"
                                  .formatted(
                                      method,
                                      path.getKey(),
                                      call.getValue().get("summary").asString());
                          assertThat(page).contains(start);
                          String row =
                              page.substring(page.indexOf(start)).lines().findFirst().orElseThrow();
                          call.getValue()
                              .at("/requestBody/content/application~1json/schema/properties")
                              .propertyNames()
                              .forEach(field -> assertThat(row).contains("`" + field + "`"));
                        }));
  }

  @Test
  void integratorsAndOperatorsHaveSeparateDocuments() {
    assertThat(operations(INTERFACE)).isNotEmpty().noneMatch(call -> call.contains(" /admin/"));
    assertThat(operations(OPERATOR)).isNotEmpty().allMatch(call -> call.contains(" /admin/"));
    assertThat(INTERFACE.at("/components/securitySchemes").has("operatorKey")).isFalse();
    assertThat(INTERFACE.at("/servers/0/url").asString()).isEqualTo("/");
    assertThat(OPERATOR.at("/servers/0/url").asString()).isEqualTo("http://{host}:{adminPort}");
  }

  @Test
  void everyCallOfTheInterfaceNamesTheSignMethod() {
    for (JsonNode path : INTERFACE.get("paths")) {
      assertThat(path.at("/post/parameters").findValuesAsString("$ref"))
          .contains("#/components/parameters/SignMethod");
    }
    assertThat(INTERFACE.at("/components/parameters/SignMethod/name").asString())
        .isEqualTo("sign-method");
  }

  @ParameterizedTest
  @EnumSource
  void everyReferenceResolves(ApiDocument source) {
    JsonNode document = read(source);
    for (String ref : references(document)) {
      assertThat(document.at(ref.substring(1)).isMissingNode()).as(ref).isFalse();
    }
  }

  @ParameterizedTest
  @EnumSource
  void everyComponentIsReferenced(ApiDocument source) {
    JsonNode document = read(source);
    List<String> references = references(document);
    for (String kind : List.of("schemas", "responses", "parameters", "headers")) {
      document
          .at("/components/" + kind)
          .propertyNames()
          .forEach(name -> assertThat(references).contains("#/components/" + kind + "/" + name));
    }
  }

  /** An open object would hide new fields of a response. */
  @ParameterizedTest
  @EnumSource
  void responseObjectsAllowNoOtherFields(ApiDocument source) {
    JsonNode document = read(source);
    JsonNode schemas = document.at("/components/schemas");
    for (String name : schemas.propertyNames()) {
      if (!Set.of(
              "ColorGroup",
              "SizeItem",
              "Adjustment",
              "PublishResult",
              "NewWebhook",
              "WebhookChange",
              "NamedProduct",
              "Removal",
              "ProductToSave",
              "AttributeToSave")
          .contains(name)) {
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

  @ParameterizedTest
  @EnumSource
  void everyCallHasASummaryAndItsScope(ApiDocument source) {
    List<String> ids = new ArrayList<>();
    for (JsonNode path : read(source).get("paths")) {
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

  /** Client generators guess wrong types for values without a type. */
  @ParameterizedTest
  @EnumSource
  void everyConstantHasAType(ApiDocument source) {
    requireTypes(read(source));
  }

  private static void requireTypes(JsonNode node) {
    if (node.has("const") || node.path("enum").isArray()) {
      assertThat(node.has("type")).as(node.toString()).isTrue();
    }
    node.forEach(ApiDocumentTest::requireTypes);
  }

  private static JsonNode read(ApiDocument source) {
    return new JsonMapper().readTree(source.json());
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
