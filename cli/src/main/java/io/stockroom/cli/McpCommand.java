package io.stockroom.cli;

import io.stockroom.cli.mcp.McpSession;
import io.stockroom.client.SignatureMethod;
import io.stockroom.client.StockroomClient;
import io.stockroom.protocol.Language;
import picocli.CommandLine.Model.CommandSpec;

/** {@code stockroom mcp}. */
final class McpCommand {
  private McpCommand() {}

  static CommandSpec make(Shell shell) {
    AccessOptions access = new AccessOptions();
    ServerOption server = new ServerOption();
    return CommandDefinition.local("mcp", given -> run(access, server, shell))
        .does(
            "Serve a merchant's stock to an AI assistant, over standard input and output (MCP).",
            "The assistant can find products, read stock and explain error codes. It can change"
                + " quantities only in two steps: plan a change, then apply that plan.")
        .examples(
            "stockroom mcp --profile acme",
            "STOCKROOM_SERVER=https://stock.example STOCKROOM_APPID=… STOCKROOM_SECRET=… \\",
            "    STOCKROOM_TOKEN=… stockroom mcp")
        .notes("An MCP client starts this command itself; see docs/mcp.md for its configuration.")
        .mixin(access)
        .mixin(server)
        .spec(shell);
  }

  /** Signs with HMAC, which every server accepts and some applications require. */
  private static int run(AccessOptions access, ServerOption server, Shell shell) {
    String language = shell.language();
    boolean isChinese = language != null && language.startsWith("zh");
    try (StockroomClient client =
        StockroomClient.builder()
            .address(server.address(shell, access).toString())
            .credentials(access.credentials(shell))
            .signatureMethod(SignatureMethod.HMAC_SHA256)
            .language(isChinese ? Language.CHINESE : Language.ENGLISH)
            .build()) {
      McpSession.serve(client, Version.number(), shell.in(), shell.out());
    }
    return 0;
  }
}
