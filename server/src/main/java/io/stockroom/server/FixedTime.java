package io.stockroom.server;

import java.time.Instant;
import java.util.Optional;

/** The time by which limits are judged instead of the database's; for tests of days and months. */
interface FixedTime {
  Optional<Instant> now();
}
