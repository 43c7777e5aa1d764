package io.stockroom.client;

import io.stockroom.protocol.ColorGroup;
import io.stockroom.protocol.request.CreateReader;
import io.stockroom.protocol.request.RequestContent;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Splits color groups into requests within the server's limits on groups, entries and bytes. Reads
 * at most one group from the source beyond the current request.
 */
final class Batches {
  /** The groups of one request, and its body. */
  record Batch(long firstGroup, List<ColorGroup> groups, byte[] body) {}

  private final Iterator<ColorGroup> source;
  private final int mostGroups;
  private long taken;
  private @Nullable ColorGroup held;

  Batches(Iterator<ColorGroup> source, int mostGroups) {
    this.source = source;
    this.mostGroups = mostGroups;
  }

  /** Returns the next request, or null after the last one. */
  @Nullable Batch next() {
    List<ColorGroup> groups = new ArrayList<>();
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    body.write('[');
    int entries = 0;
    while (groups.size() < mostGroups) {
      ColorGroup group = take();
      if (group == null) {
        break;
      }
      byte[] json = ColorGroups.json(group);
      entries += ColorGroups.entries(group);
      boolean full =
          entries > CreateReader.MAX_ENTRIES
              || body.size() + json.length + 2 > RequestContent.MAX_BYTES;
      if (full && !groups.isEmpty()) {
        held = group;
        break;
      }
      if (!groups.isEmpty()) {
        body.write(',');
      }
      body.writeBytes(json);
      groups.add(group);
    }
    body.write(']');
    if (groups.isEmpty()) {
      return null;
    }
    Batch batch = new Batch(taken, groups, body.toByteArray());
    taken += groups.size();
    return batch;
  }

  private @Nullable ColorGroup take() {
    ColorGroup group = held;
    held = null;
    if (group != null) {
      return group;
    }
    return source.hasNext() ? source.next() : null;
  }
}
