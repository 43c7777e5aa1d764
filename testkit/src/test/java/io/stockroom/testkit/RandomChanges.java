package io.stockroom.testkit;

import io.stockroom.client.AdjustRejectedException;
import io.stockroom.client.Adjustment;
import io.stockroom.client.StockroomClient;
import io.stockroom.protocol.ColorGroup;
import io.stockroom.protocol.SizeItem;
import java.util.List;
import java.util.Random;

/** Changes the stock of a merchant at random: creates, adjustments, imports. */
final class RandomChanges {
  private static final List<String> COLORS = List.of("red", "Red", "红", "\ud83d\udc5f");

  private final StockroomServer server;
  private final TestMerchant merchant;
  private final List<Integer> pids;
  private final Random random;

  RandomChanges(StockroomServer server, TestMerchant merchant, List<Integer> pids, long seed) {
    this.server = server;
    this.merchant = merchant;
    this.pids = pids;
    this.random = new Random(seed);
  }

  void run(int count) {
    try (StockroomClient client = merchant.client()) {
      for (int i = 0; i < count; i++) {
        switch (random.nextInt(10)) {
          case 0, 1, 2 -> create(client);
          case 3 -> runImport();
          default -> adjust(client);
        }
      }
    }
  }

  private int pid() {
    return pids.get(random.nextInt(pids.size()));
  }

  private String color() {
    return COLORS.get(random.nextInt(COLORS.size()));
  }

  private void create(StockroomClient client) {
    int first = 36 + random.nextInt(3);
    String sizes = first + "-" + (first + random.nextInt(3));
    var _ =
        client.createStock(
            List.of(
                new ColorGroup(color(), pid(), List.of(SizeItem.of(sizes, random.nextInt(20))))));
  }

  private void adjust(StockroomClient client) {
    Adjustment.Target entry = Adjustment.entry(pid(), color(), 36 + random.nextInt(4));
    try {
      var _ =
          client.adjust(
              List.of(
                  random.nextBoolean()
                      ? entry.change(random.nextInt(10) - 5 == 0 ? 1 : -1)
                      : entry.set(random.nextInt(20))));
    } catch (AdjustRejectedException missingOrEmpty) {
      // as good as any other attempt: it changes nothing
    }
  }

  private void runImport() {
    StringBuilder rows = new StringBuilder("artNo,color,size,stock\n");
    for (int i = 0; i < 3; i++) {
      rows.append("T%d,%s,%d,%d\n".formatted(1 + i, "imported", 36 + i, random.nextInt(20)));
    }
    try (Operator operator = new Operator(server.adminAddress(), server.operatorKey())) {
      var _ =
          operator.send(
              "POST",
              "/admin/merchants/" + merchant.id() + "/imports?name=stock.csv&apply=true&wait=true",
              rows.toString());
    }
  }
}
