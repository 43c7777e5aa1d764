package io.stockroom.testkit;

import io.stockroom.client.Credentials;
import io.stockroom.client.StockroomClient;
import io.stockroom.protocol.ColorGroup;
import io.stockroom.protocol.SizeItem;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/** Creates stock with the SDK in a separate process. */
final class CreatingProgram {
  private CreatingProgram() {}

  /**
   * Creates one batch after another and prints a line for each.
   *
   * @param arguments URL, appid, secret, access token, product, and the number of batches; 0
   *     creates batches until standard input ends
   */
  public static void main(String[] arguments) throws IOException {
    int pid = Integer.parseInt(arguments[4]);
    int batches = Integer.parseInt(arguments[5]);
    try (StockroomClient client =
        StockroomClient.builder()
            .address(arguments[0])
            .credentials(Credentials.of(arguments[1], arguments[2], arguments[3]))
            .rateLimitBudget(Duration.ofSeconds(30))
            .build()) {
      for (int i = 0; batches == 0 ? System.in.available() == 0 : i < batches; i++) {
        ColorGroup group = new ColorGroup("color " + i, pid, List.of(SizeItem.of("36", i)));
        System.out.println("created " + client.createStock(List.of(group)).created());
      }
    }
  }
}
