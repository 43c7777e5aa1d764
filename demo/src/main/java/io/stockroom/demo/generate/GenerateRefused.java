package io.stockroom.demo.generate;

/** A marketplace that cannot be generated; the message is whole sentences for the operator. */
public final class GenerateRefused extends RuntimeException {
  GenerateRefused(String message) {
    super(message);
  }
}
