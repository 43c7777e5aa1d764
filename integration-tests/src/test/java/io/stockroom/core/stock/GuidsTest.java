package io.stockroom.core.stock;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class GuidsTest {
  private static final Instant NOW = Instant.parse("2026-11-18T10:00:00.123Z");

  private final Guids guids = new Guids(Clock.fixed(NOW, ZoneOffset.UTC));

  @Test
  void haveTheVersionTheVariantAndTheTime() {
    assertThat(all(guids.halves(1000)))
        .allSatisfy(
            guid -> {
              assertThat(guid.version()).isEqualTo(7);
              assertThat(guid.variant()).isEqualTo(2);
              assertThat(guid.getMostSignificantBits() >>> 16).isEqualTo(NOW.toEpochMilli());
            });
  }

  @Test
  void differWithinACallAndBetweenCallsOfTheSameMoment() {
    List<UUID> two = all(guids.halves(1000));
    two.addAll(all(guids.halves(1000)));
    assertThat(two).doesNotHaveDuplicates();
  }

  @Test
  void areTheSameKindAsText() {
    String text = guids.next(3);
    assertThat(text).startsWith("{").endsWith("}");
    String[] each = text.substring(1, text.length() - 1).split(",", -1);
    assertThat(each)
        .hasSize(3)
        .doesNotHaveDuplicates()
        .allMatch(guid -> guid.matches("[0-9a-f]{12}7[0-9a-f]{3}[89ab][0-9a-f]{15}"));
    assertThat(guids.next(0)).isEqualTo("{}");
  }

  private static List<UUID> all(long[] halves) {
    List<UUID> all = new ArrayList<>();
    for (int i = 0; i < halves.length; i += 2) {
      all.add(new UUID(halves[i], halves[i + 1]));
    }
    return all;
  }
}
