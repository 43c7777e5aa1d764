package io.stockroom.demo.generate;

/** A marketplace that cannot be generated; the message addresses the operator. */
public final class GeneratorException extends RuntimeException {
  GeneratorException(String message) {
    super(message);
  }
}
