package io.stockroom.cli;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Parameters;

/** The merchant that a command is about. */
final class MerchantArgument {
  @Parameters(
      paramLabel = "ID",
      converter = MerchantId.Converter.class,
      description = "The merchant (see: stockroom merchant list).")
  private @Nullable MerchantId merchant;

  /** Its id, as in an address or a command. */
  @Override
  public String toString() {
    return String.valueOf(merchant);
  }
}
