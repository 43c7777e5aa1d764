package io.stockroom.lab.bench;

import picocli.CommandLine.Option;

/** The options of every program that measures a marketplace with one server. */
final class MarketplaceOptions extends FolderOptions {
  @Option(
      names = "--leave",
      description =
          "Keep the marketplace, and leave the server running for the next program with the same"
              + " --data; one without --leave stops it.")
  private boolean leave;

  boolean leaves() {
    return leave;
  }

  @Override
  boolean keeps() {
    return super.keeps() || leave;
  }
}
