/**
 * The command line: what an operator types to bring merchants, applications, tokens and products
 * into a running server, and what an application's developer types to try the interface. {@link
 * io.stockroom.cli.Main} holds the tree of commands; each noun has one file. These commands talk to
 * the server over HTTP only and load none of its classes, so that they start quickly.
 */
@NullMarked
package io.stockroom.cli;

import org.jspecify.annotations.NullMarked;
