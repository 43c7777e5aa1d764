/**
 * The MCP server of the command line: tools with which an AI assistant reads a merchant's stock and
 * changes it in two steps. Only the command {@code mcp} loads these classes and their libraries.
 */
@NullMarked
package io.stockroom.cli.mcp;

import org.jspecify.annotations.NullMarked;
