package io.stockroom.cli;

import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Common options of the commands that call the interface: credentials, server and output format.
 */
final class InterfaceOptions {
  @Mixin private final AccessOptions access = new AccessOptions();

  @Option(
      names = "--sign-method",
      paramLabel = "METHOD",
      converter = SignMethod.Converter.class,
      completionCandidates = SignMethod.Words.class,
      description = "Signature method: md5, or hmac-sha256 over the whole request (default: md5).")
  private SignMethod signMethod = SignMethod.MD5;

  @Mixin private final ServerOption server = new ServerOption();

  @Option(names = "--json", description = "Print JSON, one object per line.")
  private boolean json;

  InterfaceApi connect(Shell shell) {
    return new InterfaceApi(
        new ServerConnection(server.address(shell, access)),
        access.credentials(shell),
        signMethod,
        shell.language());
  }

  Output output(Shell shell) {
    return new Output(shell, json);
  }
}
