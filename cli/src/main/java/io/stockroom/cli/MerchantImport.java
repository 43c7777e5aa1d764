package io.stockroom.cli;

import de.siegmar.fastcsv.reader.CsvParseException;
import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.NamedCsvRecord;
import de.siegmar.fastcsv.writer.CsvWriter;
import io.stockroom.protocol.Scope;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Creates what a CSV file names and the server does not have yet: a merchant with its store, an
 * application, and a token, in each row. Running it again continues where it stopped.
 */
final class MerchantImport {
  private static final int MAX_BYTES = 10 << 20;
  private static final List<String> NEEDED = List.of("name", "storeUrl", "storeName");
  private static final List<String> OPTIONAL =
      List.of("application", "boundStore", "scopes", "expires");
  private static final String NEW = "new";
  private static final String EXISTS = "exists";

  /** One line of the file, and what the server has of it. */
  private static final class Row {
    final long line;
    final Map<String, String> fields;
    @Nullable Integer merchantId;
    @Nullable String appid;
    boolean hasToken;

    Row(NamedCsvRecord csv) {
      line = csv.getStartingLineNumber();
      fields = new HashMap<>();
      csv.getFieldsAsMap().forEach((name, value) -> fields.put(name, value.strip()));
    }

    String get(String name) {
      return fields.getOrDefault(name, "");
    }

    boolean hasApplication() {
      return !get("application").isEmpty();
    }

    /** None for all of them. */
    List<String> scopes() {
      return Stream.of(get("scopes").split("[ ;|]+")).filter(each -> !each.isEmpty()).toList();
    }

    boolean isNew() {
      return merchantId == null || (hasApplication() && !hasToken);
    }

    ObjectNode json() {
      return Json.object()
          .put("line", line)
          .put("storeUrl", get("storeUrl"))
          .put("merchant", merchantId == null ? NEW : EXISTS)
          .put("merchantId", merchantId)
          .put("application", !hasApplication() ? null : appid == null ? NEW : EXISTS)
          .put("appid", appid)
          .put("token", !hasApplication() ? null : hasToken ? EXISTS : NEW);
    }
  }

  private final AdminApi api;
  private final List<Row> rows;
  private final List<String> problems = new ArrayList<>();

  private MerchantImport(AdminApi api, List<Row> rows) {
    this.api = api;
    this.rows = rows;
  }

  /** Reads the file, and compares it with the server; ends the command if a row cannot be taken. */
  static MerchantImport plan(InputFile file, AdminApi api) {
    MerchantImport plan = new MerchantImport(api, read(file));
    plan.check();
    plan.compare();
    if (!plan.problems.isEmpty()) {
      throw CommandException.failed(
          "%s cannot be imported; nothing was created:\n  %s"
              .formatted(file.name(), String.join("\n  ", plan.problems)));
    }
    return plan;
  }

  private static List<Row> read(InputFile file) {
    String text = new String(file.read(MAX_BYTES), StandardCharsets.UTF_8);
    List<Row> rows = new ArrayList<>();
    try (CsvReader<NamedCsvRecord> csv =
        CsvReader.builder()
            .skipEmptyLines(true)
            .allowMissingFields(true)
            .ofNamedCsvRecord(text.replaceFirst("^\uFEFF", ""))) {
      for (NamedCsvRecord each : csv) {
        if (rows.isEmpty()) {
          refuseColumns(each.getHeader(), file);
        }
        rows.add(new Row(each));
      }
    } catch (CsvParseException | IOException broken) {
      throw CommandException.failed(
          "%s is not CSV: %s".formatted(file.name(), broken.getMessage()), broken);
    }
    if (rows.isEmpty()) {
      throw CommandException.failed(
          "%s has no rows. The first line names the columns: %s."
              .formatted(file.name(), String.join(",", NEEDED)));
    }
    return rows;
  }

  private static void refuseColumns(List<String> header, InputFile file) {
    List<String> known = new ArrayList<>(NEEDED);
    known.addAll(OPTIONAL);
    List<String> missing = NEEDED.stream().filter(name -> !header.contains(name)).toList();
    List<String> unknown = header.stream().filter(name -> !known.contains(name)).toList();
    if (!missing.isEmpty() || !unknown.isEmpty()) {
      throw CommandException.failed(
          "The first line of %s must name the columns %s, separated by commas, and may name %s.%s%s"
              .formatted(
                  file.name(),
                  String.join(", ", NEEDED),
                  String.join(", ", OPTIONAL),
                  missing.isEmpty() ? "" : " Missing: " + String.join(", ", missing) + ".",
                  unknown.isEmpty() ? "" : " Unknown: " + String.join(", ", unknown) + "."));
    }
  }

  private void check() {
    Map<String, Long> lines = new HashMap<>();
    for (Row row : rows) {
      for (String name : NEEDED) {
        if (row.get(name).isEmpty()) {
          problem(row, name + " is empty.");
        }
      }
      Long before =
          lines.putIfAbsent(row.get("storeUrl") + "\n" + row.get("application"), row.line);
      if (before != null) {
        problem(row, "line %d has the same storeUrl and application.".formatted(before));
      }
      if (!row.hasApplication()) {
        for (String name : List.of("boundStore", "scopes", "expires")) {
          if (!row.get(name).isEmpty()) {
            problem(row, name + " belongs to a token, which needs an application.");
          }
        }
      }
      String expires = row.get("expires").toUpperCase(Locale.ROOT);
      if (!expires.isEmpty() && !Values.isPositivePeriod(expires)) {
        problem(row, "expires is '%s'; write P90D for 90 days.".formatted(expires));
      }
      for (String scope : row.scopes()) {
        if (Scope.of(scope).isEmpty()) {
          problem(row, "there is no scope '%s'.".formatted(scope));
        }
      }
    }
  }

  private void compare() {
    Map<String, JsonNode> merchants = new HashMap<>();
    for (JsonNode each : api.get("/admin/merchants").path("merchants")) {
      if (!each.path("status").asString("").equals("closed")) {
        merchants.put(each.path("storeUrl").asString(""), each);
      }
    }
    Map<String, String> applications = new HashMap<>();
    Set<String> ambiguous = new HashSet<>();
    for (JsonNode each : api.get("/admin/applications").path("applications")) {
      String name = each.path("name").asString("");
      if (applications.put(name, each.path("appid").asString("")) != null) {
        ambiguous.add(name);
      }
    }
    Set<String> tokens = activeTokens();
    for (Row row : rows) {
      JsonNode merchant = merchants.get(row.get("storeUrl"));
      if (merchant != null) {
        row.merchantId = merchant.path("merchantId").asInt();
        for (String name : List.of("name", "storeName")) {
          if (!merchant.path(name).asString("").equals(row.get(name))) {
            problem(
                row,
                "merchant %d has the storeUrl %s already, with the %s '%s'."
                    .formatted(
                        row.merchantId,
                        row.get("storeUrl"),
                        name,
                        merchant.path(name).asString("")));
          }
        }
      }
      if (ambiguous.contains(row.get("application"))) {
        problem(row, "several applications have the name '%s'.".formatted(row.get("application")));
      }
      row.appid = applications.get(row.get("application"));
      row.hasToken = tokens.contains(row.appid + " " + row.merchantId);
    }
  }

  private Set<String> activeTokens() {
    Set<String> active = new HashSet<>();
    Instant now = Instant.now();
    for (JsonNode each : api.get("/admin/tokens").path("tokens")) {
      boolean isExpired =
          Values.instant(each.path("expiresAt")).filter(end -> !now.isBefore(end)).isPresent();
      if (!isExpired && Values.instant(each.path("revokedAt")).isEmpty()) {
        active.add(each.path("appid").asString("") + " " + each.path("merchantId").asInt());
      }
    }
    return active;
  }

  private void problem(Row row, String sentence) {
    problems.add("line %d: %s".formatted(row.line, sentence));
  }

  boolean createsAnything() {
    return rows.stream().anyMatch(Row::isNew);
  }

  /** What the import does, or has done, with each row. */
  ObjectNode json(boolean applied) {
    ObjectNode json = Json.object().put("applied", applied);
    ArrayNode list = json.putArray("rows");
    rows.forEach(row -> list.add(row.json()));
    return json;
  }

  /** Creates what is missing. Writes each secret and token to the file as soon as it is there. */
  void apply(Path credentials) {
    try (FileChannel file =
        FileChannel.open(
            credentials,
            Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")))) {
      write(file, "storeUrl", "merchantId", "application", "appid", "secret", "accesstoken");
      Map<String, String> secrets = new HashMap<>();
      Map<String, String> appids = new HashMap<>();
      Map<String, Integer> merchantIds = new HashMap<>();
      for (Row row : rows) {
        apply(row, file, merchantIds, appids, secrets);
      }
    } catch (FileAlreadyExistsException there) {
      throw CommandException.failed(
          "'%s' already exists. Choose another name for --credentials; nothing was created."
              .formatted(credentials),
          there);
    } catch (IOException failure) {
      throw CommandException.failed(
          "'%s' cannot be written (%s). Rows before this one were created; run the import again with another file."
              .formatted(credentials, failure.getMessage()),
          failure);
    }
  }

  private void apply(
      Row row,
      FileChannel file,
      Map<String, Integer> merchantIds,
      Map<String, String> appids,
      Map<String, String> secrets)
      throws IOException {
    try {
      String store = row.get("storeUrl");
      if (row.merchantId == null) {
        row.merchantId = merchantIds.get(store);
      }
      if (row.merchantId == null) {
        ObjectNode merchant = Json.object();
        NEEDED.forEach(name -> merchant.put(name, row.get(name)));
        row.merchantId = api.post("/admin/merchants", merchant).path("merchantId").asInt();
      }
      merchantIds.put(store, row.merchantId);
      if (!row.hasApplication() || row.hasToken) {
        return;
      }
      String name = row.get("application");
      if (row.appid == null) {
        row.appid = appids.get(name);
      }
      if (row.appid == null) {
        JsonNode made = api.post("/admin/applications", Json.object().put("name", name));
        row.appid = made.path("appid").asString();
        secrets.put(name, made.path("secret").asString());
        // at once: the server shows it only here
        write(file, "", "", name, row.appid, secrets.get(name), "");
      }
      appids.put(name, row.appid);
      String token = api.post("/admin/tokens", token(row)).path("accesstoken").asString();
      row.hasToken = true;
      write(
          file,
          store,
          String.valueOf(row.merchantId),
          name,
          row.appid,
          secrets.getOrDefault(name, ""),
          token);
    } catch (CommandException failure) {
      throw CommandException.failed(
          "line %d: %s\nThe lines before it are done. Correct the file and run the import again: it continues there."
              .formatted(row.line, failure.sentence()),
          failure);
    }
  }

  private static ObjectNode token(Row row) {
    ObjectNode token = Json.object().put("appid", row.appid).put("merchantId", row.merchantId);
    if (!row.get("boundStore").isEmpty()) {
      token.put("boundStore", row.get("boundStore"));
    }
    if (!row.get("expires").isEmpty()) {
      token.put("expires", row.get("expires"));
    }
    if (!row.scopes().isEmpty()) {
      ArrayNode scopes = token.putArray("scopes");
      row.scopes().forEach(scopes::add);
    }
    return token;
  }

  private static void write(FileChannel file, String... cells) throws IOException {
    StringWriter line = new StringWriter();
    try (CsvWriter csv = CsvWriter.builder().build(line)) {
      csv.writeRecord(cells);
    }
    ByteBuffer bytes = ByteBuffer.wrap(line.toString().getBytes(StandardCharsets.UTF_8));
    while (bytes.hasRemaining()) {
      file.write(bytes);
    }
    file.force(false);
  }
}
