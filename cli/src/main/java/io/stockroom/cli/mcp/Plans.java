package io.stockroom.cli.mcp;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The plans of this session. They exist only in memory, so a session can apply only its own plans.
 */
final class Plans {
  static final Duration LIFETIME = Duration.ofMinutes(10);

  private static final int MAX_PLANS = 100;

  private static final String FIRST_PLAN =
      "Call plan_stock_change first and show its table to the user. This server writes only what"
          + " was planned; nothing was changed.";

  private final Clock clock;
  private final Map<String, Plan> plans = new LinkedHashMap<>();

  Plans(Clock clock) {
    this.clock = clock;
  }

  synchronized Plan add(List<Plan.Row> rows) {
    plans.values().removeIf(plan -> isOver(plan));
    if (plans.size() >= MAX_PLANS) {
      plans.remove(plans.keySet().iterator().next());
    }
    Instant expiresAt = clock.instant().plus(LIFETIME);
    Plan plan = Plan.of("plan-" + UUID.randomUUID(), rows, expiresAt);
    plans.put(plan.id(), plan);
    return plan;
  }

  /** The plan with this id and hash, or a refusal that says what to do. */
  synchronized Plan find(String id, String hash) {
    @Nullable Plan plan = plans.get(id);
    if (plan == null) {
      throw new Refusal(
          (id.isEmpty() ? "apply_plan needs a plan. " : "There is no plan \"" + id + "\". ")
              + FIRST_PLAN);
    }
    if (isOver(plan)) {
      throw new Refusal("The plan expired at %s. %s".formatted(plan.expiresAt(), FIRST_PLAN));
    }
    if (!plan.isIntact() || !plan.hash().equals(hash)) {
      throw new Refusal(
          "The hash \"%s\" is not that of this plan. Pass the plan and the hash that the user saw; nothing was changed."
              .formatted(hash));
    }
    return plan;
  }

  private boolean isOver(Plan plan) {
    return !clock.instant().isBefore(plan.expiresAt());
  }
}
