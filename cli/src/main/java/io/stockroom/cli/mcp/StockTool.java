package io.stockroom.cli.mcp;

import java.util.List;
import java.util.Map;

/**
 * A tool that the assistant can call.
 *
 * @param fields the JSON schema of each argument
 * @param required the arguments that must be given
 * @param isWriting whether it changes the stock
 */
record StockTool(
    String name,
    String title,
    String description,
    Map<String, Object> fields,
    List<String> required,
    boolean isWriting,
    Work work) {
  /** What a tool does. */
  interface Work {
    Result run(Arguments arguments);
  }

  /**
   * What a tool returns.
   *
   * @param text for people
   * @param data the same as JSON
   */
  record Result(String text, Map<String, Object> data) {}
}
