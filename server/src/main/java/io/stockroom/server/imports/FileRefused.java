package io.stockroom.server.imports;

import io.stockroom.protocol.ErrorCode;

/** A file that cannot be read as a whole, or not any further. */
final class FileRefused extends Exception {
  private static final long serialVersionUID = 1;

  private final transient Fault fault;

  FileRefused(Fault fault) {
    super(fault.code().name());
    this.fault = fault;
  }

  static FileRefused of(ErrorCode code, Object... arguments) {
    return new FileRefused(Fault.of(0, "", "", code, arguments));
  }

  Fault fault() {
    return fault;
  }
}
