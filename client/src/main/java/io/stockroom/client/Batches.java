package io.stockroom.client;

import io.stockroom.protocol.ColourGroup;
import io.stockroom.protocol.request.CreateReader;
import io.stockroom.protocol.request.RequestContent;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Cuts colour groups into requests that the server takes: so many groups, entries and bytes at
 * most. It takes no more from the source than the next request needs, and one group further.
 */
final class Batches {
  /** The groups of one request, and its body. */
  record Batch(long firstGroup, List<ColourGroup> groups, byte[] body) {}

  private final Iterator<ColourGroup> source;
  private final int mostGroups;
  private long taken;
  private @Nullable ColourGroup held;

  Batches(Iterator<ColourGroup> source, int mostGroups) {
    this.source = source;
    this.mostGroups = mostGroups;
  }

  /** The next request, or null after the last. */
  @Nullable Batch next() {
    List<ColourGroup> groups = new ArrayList<>();
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    body.write('[');
    int entries = 0;
    while (groups.size() < mostGroups) {
      ColourGroup group = take();
      if (group == null) {
        break;
      }
      byte[] json = ColourGroups.json(group);
      entries += ColourGroups.entries(group);
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

  private @Nullable ColourGroup take() {
    ColourGroup group = held;
    held = null;
    if (group != null) {
      return group;
    }
    return source.hasNext() ? source.next() : null;
  }
}
