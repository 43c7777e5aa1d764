package io.stockroom.server;

import java.util.ArrayDeque;
import java.util.Deque;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Remembers what must be closed, and closes the last one first. */
final class OpenParts implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(OpenParts.class);

  private final Deque<AutoCloseable> open = new ArrayDeque<>();

  <T extends AutoCloseable> T add(T part) {
    open.push(part);
    return part;
  }

  /** Closes the rest even if one fails. */
  @Override
  public void close() {
    while (!open.isEmpty()) {
      AutoCloseable part = open.pop();
      try {
        part.close();
      } catch (Exception failure) {
        log.warn("{} could not be closed.", part.getClass().getSimpleName(), failure);
      }
    }
  }
}
