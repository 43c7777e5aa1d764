package io.stockroom.client;

import io.stockroom.protocol.ColorGroup;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The calls of a {@link StockroomClient}, each run by an executor. A future fails with the {@link
 * StockroomException} of the call. Cancelling a future does not stop its call.
 */
public final class StockroomAsyncClient {
  private static final long IDLE_SECONDS = 10;

  private final StockroomClient client;
  private final Executor executor;

  StockroomAsyncClient(StockroomClient client, Executor executor) {
    this.client = client;
    this.executor = executor;
  }

  /** Starts threads as needed; idle ones end, so that nothing has to be closed. */
  static Executor newExecutor() {
    return new ThreadPoolExecutor(
        0,
        Integer.MAX_VALUE,
        IDLE_SECONDS,
        TimeUnit.SECONDS,
        new SynchronousQueue<>(),
        task -> {
          Thread thread = new Thread(task, "stockroom-client");
          thread.setDaemon(true);
          return thread;
        });
  }

  /**
   * Fetches one page of the product list.
   *
   * @param page its number, from 1
   * @param filter which products to list
   * @return the page
   */
  public CompletableFuture<ProductPage> productPage(int page, StockFilter filter) {
    return run(() -> client.productPage(page, filter));
  }

  /**
   * Lists the stock entries of a product.
   *
   * @param pid the product's id
   * @return its entries
   */
  public CompletableFuture<List<StockEntry>> stock(int pid) {
    return run(() -> client.stock(pid));
  }

  /**
   * Creates stock entries, or sets their quantities.
   *
   * @param groups the color groups
   * @return the report, if everything was created
   */
  public CompletableFuture<CreateReport> createStock(Collection<ColorGroup> groups) {
    return run(() -> client.createStock(groups));
  }

  /**
   * Changes quantities of existing entries, all or none.
   *
   * @param adjustments 1 to 300, each entry once
   * @param options the options
   * @return the quantities before and after
   */
  public CompletableFuture<AdjustReport> adjust(
      Collection<Adjustment> adjustments, CallOptions options) {
    return run(() -> client.adjust(adjustments, options));
  }

  /**
   * Fetches the data for listing a product.
   *
   * @param pid the product's id
   * @return the product, with the quotas
   */
  public CompletableFuture<FetchedDetail> detail(int pid) {
    return run(() -> client.detail(pid));
  }

  /**
   * Reports publish results.
   *
   * @param results at most 300, each product once
   * @param options the options
   * @return what the server accepted
   */
  public CompletableFuture<PublishReport> publish(
      Collection<PublishResult> results, CallOptions options) {
    return run(() -> client.publish(results, options));
  }

  /**
   * Makes any other call, or several of them.
   *
   * @param calls such as {@code client -> client.products().toList()}
   * @param <T> what it returns
   * @return the result
   */
  public <T> CompletableFuture<T> call(Function<StockroomClient, T> calls) {
    return run(() -> calls.apply(client));
  }

  private <T> CompletableFuture<T> run(Supplier<T> call) {
    return CompletableFuture.supplyAsync(call, executor);
  }
}
