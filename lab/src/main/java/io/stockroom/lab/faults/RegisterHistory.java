package io.stockroom.lab.faults;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What clients saw of one stock entry. Every write has a value of its own, so it is known which
 * write each read saw.
 *
 * <p>The history is linearizable if its operations can be ordered so that each takes effect between
 * its begin and its end, and each read returns the value of the last write before it. Gibbons and
 * Korach (Testing Shared Memories, 1997) show when that is so: the operations of one value span a
 * zone from the first end to the last begin. If the end comes first, the value must have been the
 * current one during the whole zone, so no two such zones may overlap. The operations of any other
 * value fit into one moment, and all of its moments must not lie in the zone of another value.
 */
final class RegisterHistory {
  /** The end of a write whose result is unknown: it may take effect at any time, or never. */
  static final long UNKNOWN = Long.MAX_VALUE;

  private record Operation(boolean isWrite, int value, long begin, long end) {}

  /** The operations of one value. */
  private static final class Zone {
    private final int value;
    private boolean isWritten;
    private boolean isRead;
    private long writeBegin = Long.MIN_VALUE;
    private long firstReadEnd = Long.MAX_VALUE;
    private long firstEnd = Long.MAX_VALUE;
    private long lastBegin = Long.MIN_VALUE;

    private Zone(int value) {
      this.value = value;
    }

    private void add(Operation operation) {
      if (operation.isWrite) {
        isWritten = true;
        writeBegin = operation.begin;
      } else {
        isRead = true;
        firstReadEnd = Math.min(firstReadEnd, operation.end);
      }
      firstEnd = Math.min(firstEnd, operation.end);
      lastBegin = Math.max(lastBegin, operation.begin);
    }

    /** A write without a known result that nobody saw may not have happened. */
    private boolean counts() {
      return isRead || firstEnd != UNKNOWN;
    }

    private boolean isForward() {
      return firstEnd < lastBegin;
    }

    private boolean contains(Zone backward) {
      return firstEnd < backward.lastBegin && backward.firstEnd < lastBegin;
    }
  }

  private final String name;
  private final List<Operation> operations = new ArrayList<>();

  /** Starts a history with the value 0. */
  RegisterHistory(String name) {
    this.name = name;
    wrote(0, Long.MIN_VALUE, Long.MIN_VALUE + 1);
  }

  /** Adds a write; {@code end} may be {@link #UNKNOWN}. */
  synchronized void wrote(int value, long begin, long end) {
    operations.add(new Operation(true, value, begin, end));
  }

  synchronized void read(int value, long begin, long end) {
    operations.add(new Operation(false, value, begin, end));
  }

  /** Why no order explains the history; empty if one does. */
  synchronized List<String> violations() {
    Map<Integer, Zone> byValue = new HashMap<>();
    for (Operation operation : operations) {
      byValue.computeIfAbsent(operation.value, Zone::new).add(operation);
    }
    List<String> violations = new ArrayList<>();
    List<Zone> forward = new ArrayList<>();
    List<Zone> backward = new ArrayList<>();
    for (Zone zone : byValue.values()) {
      if (!zone.isWritten) {
        violations.add("%s: %d was read but never written".formatted(name, zone.value));
      } else if (zone.firstReadEnd < zone.writeBegin) {
        violations.add("%s: %d was read before it was written".formatted(name, zone.value));
      } else if (zone.counts()) {
        (zone.isForward() ? forward : backward).add(zone);
      }
    }
    forward.sort(Comparator.comparingLong(zone -> zone.firstEnd));
    for (int i = 1; i < forward.size(); i++) {
      if (forward.get(i).firstEnd < forward.get(i - 1).lastBegin) {
        violations.add(
            "%s: %d and %d were both current at the same time"
                .formatted(name, forward.get(i - 1).value, forward.get(i).value));
      }
    }
    for (Zone zone : backward) {
      if (forward.stream().anyMatch(other -> other.contains(zone))) {
        violations.add(
            "%s: %d was seen or written only while another value was current"
                .formatted(name, zone.value));
      }
    }
    return violations;
  }
}
