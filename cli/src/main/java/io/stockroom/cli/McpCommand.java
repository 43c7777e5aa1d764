package io.stockroom.cli;

import io.stockroom.cli.mcp.McpSession;
import io.stockroom.client.SignatureMethod;
import io.stockroom.client.StockroomClient;
import io.stockroom.protocol.Language;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(
    name = "mcp",
    description = {
      "Serve a merchant's stock to an AI assistant, over standard input and output (MCP).",
      "The assistant can find products, read stock and explain error codes. It can change"
          + " quantities only in two steps: plan a change, then apply that plan."
    },
    footer = {
      "  stockroom mcp --profile acme",
      "  STOCKROOM_SERVER=https://stock.example STOCKROOM_APPID=… STOCKROOM_SECRET=… \\",
      "      STOCKROOM_TOKEN=… stockroom mcp",
      "",
      "An MCP client starts this command itself; see docs/mcp.md for its configuration."
    })
final class McpCommand implements Runnable {
  private final Shell shell;

  @Mixin private final AccessOptions access = new AccessOptions();
  @Mixin private final ServerOption server = new ServerOption();

  McpCommand(Shell shell) {
    this.shell = shell;
  }

  @Override
  public void run() {
    try (StockroomClient client = connect()) {
      McpSession.serve(client, Version.number(), shell.in(), shell.out());
    }
  }

  /** Signs with HMAC, which every server accepts and some applications require. */
  private StockroomClient connect() {
    String address = server.address(shell, access).toString();
    String language = shell.language();
    return StockroomClient.builder()
        .address(address)
        .credentials(access.credentials(shell))
        .signatureMethod(SignatureMethod.HMAC_SHA256)
        .language(
            language != null && language.startsWith("zh") ? Language.CHINESE : Language.ENGLISH)
        .build();
  }
}
