package io.stockroom.cli.mcp;

import io.modelcontextprotocol.json.McpJsonMapper;
import io.modelcontextprotocol.json.TypeRef;
import io.modelcontextprotocol.json.jackson3.JacksonMcpJsonMapper;
import io.modelcontextprotocol.json.schema.JsonSchemaValidator.ValidationResponse;
import io.modelcontextprotocol.server.McpServer;
import io.modelcontextprotocol.server.McpServer.SyncSpecification;
import io.modelcontextprotocol.server.McpSyncServer;
import io.modelcontextprotocol.server.transport.StdioServerTransportProvider;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCMessage;
import io.modelcontextprotocol.spec.McpSchema.JsonSchema;
import io.modelcontextprotocol.spec.McpSchema.ServerCapabilities;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import io.modelcontextprotocol.spec.McpSchema.ToolAnnotations;
import io.modelcontextprotocol.spec.McpServerSession;
import io.modelcontextprotocol.spec.McpServerTransport;
import io.modelcontextprotocol.spec.ProtocolVersions;
import io.stockroom.client.StockroomClient;
import io.stockroom.client.StockroomException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import reactor.core.publisher.Mono;
import tools.jackson.databind.json.JsonMapper;

/** Speaks MCP over standard input and output until the client closes the input. */
public final class McpSession {
  private static final String INSTRUCTIONS =
      """
      Stockroom holds a merchant's products and their stock by color and size. Read with \
      find_products and read_stock. To change quantities, call plan_stock_change, show the table \
      to the user, and call apply_plan only after the user agrees. If a call is rejected with an \
      error code, explain_refusal says why and what to do.""";

  private static final JsonMapper JSON = new JsonMapper();

  /**
   * The SDK offers only the oldest version of the protocol here, which has no structured results.
   */
  private static final class Stdio extends StdioServerTransportProvider {
    private Stdio(McpJsonMapper mapper, InputStream in, OutputStream out) {
      super(mapper, in, out);
    }

    @Override
    public List<String> protocolVersions() {
      return List.of(
          ProtocolVersions.MCP_2024_11_05,
          ProtocolVersions.MCP_2025_03_26,
          ProtocolVersions.MCP_2025_06_18,
          ProtocolVersions.MCP_2025_11_25);
    }

    @Override
    public void setSessionFactory(McpServerSession.Factory factory) {
      super.setSessionFactory(transport -> factory.create(new OneAtATime(transport)));
    }
  }

  /** The SDK drops a message that is sent while another is being sent. */
  private record OneAtATime(McpServerTransport transport) implements McpServerTransport {
    @Override
    public Mono<Void> sendMessage(JSONRPCMessage message) {
      return Mono.fromRunnable(() -> sendNow(message));
    }

    private synchronized void sendNow(JSONRPCMessage message) {
      transport.sendMessage(message).block();
    }

    @Override
    public Mono<Void> closeGracefully() {
      return transport.closeGracefully();
    }

    @Override
    public <T> T unmarshalFrom(Object data, TypeRef<T> type) {
      return transport.unmarshalFrom(data, type);
    }

    @Override
    public List<String> protocolVersions() {
      return transport.protocolVersions();
    }
  }

  private McpSession() {}

  /** Serves one client; returns when it closes {@code in}. */
  public static void serve(
      StockroomClient client, String version, InputStream in, OutputStream out) {
    CountDownLatch closed = new CountDownLatch(1);
    JacksonMcpJsonMapper mapper = new JacksonMcpJsonMapper(JSON);
    SyncSpecification<?> server =
        McpServer.sync(new Stdio(mapper, untilEnd(in, closed), out))
            .serverInfo("stockroom", version)
            .instructions(INSTRUCTIONS)
            .jsonMapper(mapper)
            // the tools have no output schemas, and read their arguments themselves
            .jsonSchemaValidator((_, _) -> ValidationResponse.asValid(""))
            .capabilities(ServerCapabilities.builder().tools(false).build());
    new StockTools(client, new Plans(Clock.systemUTC()), ErrorGuide.packaged())
        .all()
        .forEach(tool -> add(server, tool));
    McpSyncServer running = server.build();
    try {
      closed.await();
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
    running.closeGracefully();
  }

  private static void add(SyncSpecification<?> server, StockTool tool) {
    server.toolCall(
        Tool.builder()
            .name(tool.name())
            .title(tool.title())
            .description(tool.description())
            .inputSchema(
                new JsonSchema("object", tool.fields(), tool.required(), false, null, null))
            .annotations(
                new ToolAnnotations(
                    tool.title(), !tool.isWriting(), tool.isWriting(), true, false, null))
            .build(),
        (_, request) -> call(tool, request.arguments()));
  }

  /** A failure is a result that the assistant reads, not an error of the protocol. */
  private static CallToolResult call(StockTool tool, Map<String, Object> arguments) {
    try {
      StockTool.Result result =
          tool.work()
              .run(new Arguments(JSON.valueToTree(arguments == null ? Map.of() : arguments)));
      return CallToolResult.builder()
          .addTextContent(result.text())
          .structuredContent(result.data())
          .isError(false)
          .build();
    } catch (Refusal | StockroomException refused) {
      return CallToolResult.builder()
          .addTextContent(String.valueOf(refused.getMessage()))
          .isError(true)
          .build();
    }
  }

  /** Counts down when the input ends. */
  private static InputStream untilEnd(InputStream in, CountDownLatch closed) {
    return new FilterInputStream(in) {
      @Override
      public int read() throws IOException {
        return noted(super.read());
      }

      @Override
      public int read(byte[] bytes, int from, int length) throws IOException {
        return noted(super.read(bytes, from, length));
      }

      private int noted(int count) {
        if (count < 0) {
          closed.countDown();
        }
        return count;
      }
    };
  }
}
