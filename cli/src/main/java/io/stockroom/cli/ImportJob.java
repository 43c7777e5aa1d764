package io.stockroom.cli;

import java.util.Set;
import tools.jackson.databind.JsonNode;

/** An import as returned by the server. */
record ImportJob(JsonNode json) {
  private static final Set<String> RUNNING = Set.of("waiting", "planning", "applying");

  long id() {
    return json.path("importId").asLong(0);
  }

  long merchantId() {
    return json.path("merchantId").asLong(0);
  }

  String state() {
    return json.path("state").asString("");
  }

  boolean isRunning() {
    return RUNNING.contains(state());
  }

  long count(String field) {
    return json.path(field).asLong(0);
  }

  boolean hasRejected() {
    return json.path("rejected").asBoolean(false);
  }

  /** Its path in the admin API. */
  String path() {
    return "/admin/merchants/%d/imports/%d".formatted(merchantId(), id());
  }

  /** The import that a command names; without its merchant, searches the latest imports. */
  static ImportJob find(Given given) {
    String id = given.text("ID");
    AdminApi api = given.api();
    if (given.has("--merchant")) {
      String merchant = given.text("--merchant");
      return new ImportJob(api.get("/admin/merchants/%s/imports/%s".formatted(merchant, id)));
    }
    return api.get("/admin/imports")
        .path("imports")
        .valueStream()
        .map(ImportJob::new)
        .filter(job -> Long.toString(job.id()).equals(id))
        .findFirst()
        .map(job -> new ImportJob(api.get(job.path())))
        .orElseThrow(
            () ->
                CommandException.failed(
                    "There is no import %s among the last ones. See: stockroom import list, or pass its merchant with --merchant"
                        .formatted(id)));
  }
}
