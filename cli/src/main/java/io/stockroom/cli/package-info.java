/**
 * The command-line interface for operators and application developers. {@link
 * io.stockroom.cli.Main} holds the command tree; each noun has one file. Commands use the server
 * only over HTTP and load none of its classes, so they start quickly.
 */
@NullMarked
package io.stockroom.cli;

import org.jspecify.annotations.NullMarked;
