package io.stockroom.cli;

import java.io.InputStream;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Uploads a product file, follows its import, and prints the result. */
final class ProductImport {
  /**
   * The options of the command.
   *
   * @param map columns and their fields, such as {@code 货号=artNo}
   */
  record Request(
      MerchantId merchant,
      Path file,
      boolean dryRun,
      boolean skipBad,
      @Nullable String mode,
      boolean noHeader,
      List<String> map,
      @Nullable String encoding,
      @Nullable String delimiter) {

    Request {
      for (String entry : map) {
        if (entry.lastIndexOf('=') < 1) {
          throw CommandException.usage(
              "'%s' is not a mapping; write COLUMN=FIELD, such as 货号=artNo, or COLUMN= to ignore a column."
                  .formatted(entry));
        }
      }
    }

    boolean isStandardInput() {
      return file.toString().equals("-");
    }

    private String path() {
      StringBuilder path = new StringBuilder("/admin/merchants/").append(merchant);
      String name = isStandardInput() ? "standard-input" : file.getFileName().toString();
      path.append("/imports?name=").append(AdminApi.parameter(name));
      path.append("&apply=").append(!dryRun).append("&skipBad=").append(skipBad);
      if (mode != null) {
        path.append("&mode=").append(AdminApi.parameter(mode));
      }
      if (noHeader) {
        path.append("&header=false");
      }
      if (encoding != null) {
        path.append("&encoding=").append(AdminApi.parameter(encoding));
      }
      if (delimiter != null) {
        path.append("&delimiter=").append(AdminApi.parameter(character(delimiter)));
      }
      map.forEach(entry -> path.append("&map=").append(AdminApi.parameter(entry)));
      return path.toString();
    }

    /** Accepts the word "tab", because a tab is hard to type. */
    private static String character(String delimiter) {
      return delimiter.equals("\\t") || delimiter.equalsIgnoreCase("tab") ? "\t" : delimiter;
    }
  }

  private final Shell shell;
  private final OperatorOptions operator;
  private final Output output;

  ProductImport(Shell shell, OperatorOptions operator, Output output) {
    this.shell = shell;
    this.operator = operator;
    this.output = output;
  }

  int run(Request request) {
    refuseOtherFormats(request.file);
    try (InputFile input = InputFile.open(request.file, shell)) {
      refuseOtherContent(input);
      AdminApi api = operator.connect(shell);
      requireMerchant(request.merchant, api);
      ImportJob ended = sendAndFollow(request, input, api);
      return new ImportOutcome(output, api).conclude(ended, request.file);
    }
  }

  private ImportJob sendAndFollow(Request request, InputFile input, AdminApi api) {
    ImportWatch watch = new ImportWatch(api, shell, output, ImportWatch.PATIENCE);
    try (LiveLine line = new LiveLine(shell);
        CancelOnInterrupt interrupt =
            new CancelOnInterrupt(request.merchant, api, output, line, watch)) {
      ProgressStream.Watcher watcher =
          ProgressStream.drawing("Sending  ", input.length(), line, shell);
      ProgressStream sent = new ProgressStream(input.stream(), watcher);
      ImportJob job = new ImportJob(api.upload(request.path(), publisher(input, sent)));
      interrupt.begun(job);
      return watch.follow(job, line);
    }
  }

  private static BodyPublisher publisher(InputFile input, InputStream stream) {
    BodyPublisher publisher = BodyPublishers.ofInputStream(() -> stream);
    return input.length().isPresent()
        ? BodyPublishers.fromPublisher(publisher, input.length().getAsLong())
        : publisher;
  }

  private static void refuseOtherFormats(Path file) {
    String name = file.toString().toLowerCase(Locale.ROOT);
    String instead =
        switch (name.replaceFirst(".*\\.", "")) {
          case "xls", "ods", "numbers", "et" -> "save it as .xlsx or .csv first";
          case "gz" -> "decompress it: zcat %s | stockroom product import … -".formatted(file);
          case "zip", "7z", "rar" -> "unpack it first";
          case "xml", "pdf", "html", "htm", "doc", "docx" -> "it must be .csv, .xlsx or .jsonl";
          default -> "";
        };
    if (!instead.isEmpty()) {
      throw CommandException.failed("'%s' cannot be imported; %s.".formatted(file, instead));
    }
  }

  private static void refuseOtherContent(InputFile input) {
    switch (input.peek()) {
      case -1 ->
          throw CommandException.failed(
              "%s is empty; pass CSV, XLSX or JSON Lines.".formatted(input.name()));
      case '[' ->
          throw CommandException.failed(
              "%s contains one JSON array; pass JSON Lines, one JSON object per line (convert it with jq -c '.[]')."
                  .formatted(input.name()));
      default -> {}
    }
  }

  /**
   * Checks before the upload: a server that rejects a long upload closes the connection, and the
   * reason would be lost.
   */
  private static void requireMerchant(MerchantId merchant, AdminApi api) {
    boolean exists =
        api.get("/admin/merchants")
            .path("merchants")
            .valueStream()
            .anyMatch(each -> each.path("merchantId").asLong(0) == merchant.value());
    if (!exists) {
      throw CommandException.failed(
          "There is no merchant %s; see: stockroom merchant list".formatted(merchant));
    }
  }
}
