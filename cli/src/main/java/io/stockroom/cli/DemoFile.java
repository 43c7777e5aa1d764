package io.stockroom.cli;

import io.stockroom.client.Credentials;
import io.stockroom.client.StockroomClient;
import io.stockroom.core.database.StartException;
import io.stockroom.demo.Demo;
import io.stockroom.demo.DemoLinks;
import io.stockroom.demo.DemoSeeder;
import io.stockroom.postgres.CommandDatabase;
import io.stockroom.server.Stockroom;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The demo's stored credentials, readable only by its user, and their display. */
final class DemoFile {
  static final String NAME = "demo.json";
  private static final String USUAL_URL = "http://localhost:8080";
  private static final String USUAL_ADMIN_URL = "http://localhost:8081";

  private record Call(String title, String path, String type, String body) {}

  private final ObjectNode content;

  private DemoFile(ObjectNode content) {
    this.content = content;
  }

  static DemoFile read(Path folder) {
    Path file = folder.resolve(NAME);
    try {
      if (Json.parse(Files.readAllBytes(file)).orElse(null) instanceof ObjectNode object) {
        return new DemoFile(object);
      }
    } catch (IOException missing) {
      throw CommandException.failed(
          "There is no demo in %s. Start it with: stockroom demo"
              .formatted(folder.toAbsolutePath().normalize()),
          missing);
    }
    throw CommandException.failed(file + " is damaged. Delete it and start the demo again.");
  }

  /** Fills the marketplace, keeps the credentials of an earlier start, and writes the file. */
  static DemoFile seed(Path folder, Stockroom server) {
    Path path = folder.resolve(NAME);
    try {
      Demo demo = server.demo();
      List<DemoSeeder.Seeded> merchants = demo.seed(server.baseUrl());
      ObjectNode content = Files.exists(path) ? read(folder).content : Json.object();
      if (!content.has("accesstoken")) {
        Demo.Access access = demo.newAccess(merchants.getFirst().merchantId());
        content.put("appid", access.appid());
        content.put("secret", access.secret());
        content.put("accesstoken", access.accesstoken());
      }
      content.put("url", server.baseUrl());
      content.put("admin", server.adminUrl());
      content.put("stockedProduct", merchants.getFirst().stockedProductId());
      content.put("bareProduct", merchants.getFirst().bareProductId());
      ArrayNode list = content.putArray("merchants");
      for (DemoSeeder.Seeded merchant : merchants) {
        list.addObject()
            .put("merchantId", merchant.merchantId())
            .put("name", merchant.name())
            .put("products", merchant.products());
      }
      write(path, Json.line(content));
      DemoFile file = new DemoFile(content);
      file.link(demo.merchantLink(file.merchantId()), demo.operatorLink());
      return file;
    } catch (SQLException | IOException failure) {
      throw CommandException.failed(
          "The demo marketplace could not be created: " + failure.getMessage(), failure);
    }
  }

  /** Makes new links to the console; false if this demo is not running. */
  boolean renewLinks(Path folder) {
    try (CommandDatabase database = CommandDatabase.ofRunning(folder).orElse(null)) {
      if (database == null) {
        return false;
      }
      DemoLinks links = DemoLinks.on(database.database());
      link(links.merchant(merchantId()), links.operator());
      return true;
    } catch (SQLException | StartException failure) {
      throw CommandException.failed(
          "The links to the console could not be created: " + failure.getMessage(), failure);
    }
  }

  /** The links are shown but never stored in the file. */
  private void link(String merchant, String operator) {
    content
        .putObject("console")
        .put("merchant", text("url") + merchant)
        .put("operator", text("url") + operator);
  }

  private int merchantId() {
    return content.at("/merchants/0/merchantId").asInt();
  }

  private static void write(Path path, String text) throws IOException {
    Path fresh =
        Files.createTempFile(
            path.toAbsolutePath().getParent(),
            NAME,
            ".new",
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    Files.writeString(fresh, text + "\n", StandardCharsets.UTF_8);
    Files.move(
        fresh,
        path,
        java.nio.file.StandardCopyOption.ATOMIC_MOVE,
        java.nio.file.StandardCopyOption.REPLACE_EXISTING);
  }

  /**
   * Prints the calls with new signatures.
   *
   * @param serving whether this process runs the demo; otherwise prints only links and calls
   * @param data the demo's folder as on the command line; empty for the default
   */
  void print(Output output, boolean serving, String data) {
    Map<String, String> headers =
        new Credentials(text("appid"), text("secret"), text("accesstoken")).headers(Instant.now());
    output.show(
        () -> {
          ObjectNode shown = content.deepCopy();
          ArrayNode calls = shown.putArray("calls");
          calls().forEach(call -> calls.add(curl(call, headers, " ")));
          return shown;
        },
        () -> {
          if (serving) {
            printMerchants(output);
          }
          if (content.has("console")) {
            output.line("Open the console (each link works once):");
            output.line("  as the first merchant  " + merchantLink());
            output.line("  as the operator        " + content.at("/console/operator").asString());
            output.line("");
          }
          output.line("# Paste these calls. Their signatures are valid for 5 minutes.");
          for (Call call : calls()) {
            output.line("");
            output.line("# " + call.title);
            output.line(curl(call, headers, " \\\n  "));
          }
          if (serving) {
            printNext(output, data);
          }
        });
  }

  private void printMerchants(Output output) {
    output.line("Stockroom is ready at " + text("url") + " with");
    for (JsonNode merchant : content.get("merchants")) {
      output.line(
          "  merchant %s  %s, %s"
              .formatted(
                  merchant.get("merchantId").asString(),
                  merchant.get("name").asString(),
                  Values.count(merchant.get("products").asLong(), "product", "products")));
    }
    output.line("");
  }

  private void printNext(Output output, String data) {
    String server = text("url").equals(USUAL_URL) ? "" : " --server " + text("url");
    if (!text("admin").equals(USUAL_ADMIN_URL)) {
      server += " --admin-server " + text("admin");
    }
    output.line("");
    output.line("New links and calls: ./stockroom demo --print" + data);
    output.line(
        "Operator commands:   ./stockroom merchant list%s%s"
            .formatted(data.isEmpty() ? " --data data-demo" : data, server));
    output.line("Stop with Ctrl-C. The data stays for the next start.");
  }

  /** A client with the credentials of the demo's application. */
  StockroomClient connect() {
    return StockroomClient.builder()
        .address(text("url"))
        .credentials(Credentials.of(text("appid"), text("secret"), text("accesstoken")))
        .build();
  }

  /** A one-time sign-in link; shown but never stored in the file. */
  String merchantLink() {
    return content.at("/console/merchant").asString();
  }

  private List<Call> calls() {
    String form = "application/x-www-form-urlencoded";
    String stocked = content.get("stockedProduct").asString();
    String bare = content.get("bareProduct").asString();
    return List.of(
        new Call("List products that have stock", "/Stock/Product", form, "page=1&stock=true"),
        new Call("Read the stock of a product", "/Stock/List", form, "productid=" + stocked),
        new Call(
            "Create stock, five sizes at once",
            "/Stock/Creat",
            "application/json",
            "[{\"color\":\"红色\",\"pid\":%s,\"param\":[{\"size\":\"36-40\",\"stock\":20}]}]"
                .formatted(bare)),
        new Call("Fetch the detail of a product", "/Product/Detail", form, "pid=" + stocked));
  }

  private String curl(Call call, Map<String, String> headers, String separator) {
    String given =
        headers.entrySet().stream()
            .map(header -> "-H '%s: %s'".formatted(header.getKey(), header.getValue()))
            .collect(Collectors.joining(separator));
    return String.join(
        separator,
        "curl -sw '\\n' " + text("url") + call.path,
        given,
        "-H 'Content-Type: " + call.type + "'",
        "-d '" + call.body + "'");
  }

  private String text(String field) {
    return content.get(field).asString();
  }
}
