package io.stockroom.client;

import io.stockroom.protocol.ColorGroup;
import io.stockroom.protocol.ErrorCode;
import io.stockroom.protocol.request.AdjustReader;
import io.stockroom.protocol.request.FeedReader;
import io.stockroom.protocol.request.FormReader;
import io.stockroom.protocol.request.PublishReader;
import io.stockroom.protocol.request.RemoveReader;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Calls a Stockroom server for one merchant.
 *
 * <pre>{@code
 * try (StockroomClient client =
 *     StockroomClient.builder()
 *         .address("https://stock.example")
 *         .credentials(Credentials.of(appid, secret, accesstoken))
 *         .build()) {
 *   client.products().forEach(product -> System.out.println(product.artNo()));
 * }
 * }</pre>
 *
 * <p>A client is thread-safe. Share one instead of creating many, because it keeps connections open
 * and spaces creates to stay within the rate limit. Every method blocks until the response arrives
 * and throws a {@link StockroomException} on failure.
 */
public final class StockroomClient implements AutoCloseable {
  private final Transport transport;
  private final Calls calls;
  private final Creates creates;
  private final Feed feed;
  private final Retries retries;
  private final Executor async;

  StockroomClient(
      Transport transport, Calls calls, Creates creates, Retries retries, Executor async) {
    this.transport = transport;
    this.calls = calls;
    this.creates = creates;
    this.feed = new Feed(calls);
    this.retries = retries;
    this.async = async;
  }

  /**
   * Starts to build a client. It needs an address and credentials.
   *
   * @return the builder
   */
  public static StockroomClientBuilder builder() {
    return new StockroomClientBuilder();
  }

  /**
   * Creates a client with the default settings from the environment variables {@code
   * STOCKROOM_SERVER}, {@code STOCKROOM_APPID}, {@code STOCKROOM_SECRET} and {@code
   * STOCKROOM_TOKEN}.
   *
   * @return the client; close it when you are done
   * @throws IllegalArgumentException if one of them is not set, or the URL is invalid
   * @throws InvalidRequestException if one of the credentials cannot be valid
   */
  public static StockroomClient fromEnvironment() {
    return builder().fromEnvironment().build();
  }

  /**
   * Returns a client with another timeout, which shares connections and turns with this one. Use it
   * for a single call: {@code client.withTimeout(Duration.ofSeconds(2)).stock(pid)}.
   *
   * @param perAttempt the timeout of one attempt
   * @return the client; it ends with this one
   */
  public StockroomClient withTimeout(Duration perAttempt) {
    CallOptions checked = CallOptions.NONE.withTimeout(perAttempt);
    Transport other = transport.withTimeout(Objects.requireNonNull(checked.timeout()));
    return new StockroomClient(other, calls.with(other), creates.with(other), retries, async);
  }

  /**
   * {@return the same calls, which return immediately with a {@link
   * java.util.concurrent.CompletableFuture}}
   */
  public StockroomAsyncClient async() {
    return new StockroomAsyncClient(this, async);
  }

  /** {@return all products in id order; pages are fetched as the stream is consumed} */
  public Stream<ProductSummary> products() {
    return products(StockFilter.ALL);
  }

  /**
   * Lists the products that match {@code filter}. Fetches pages as the stream is consumed.
   *
   * <p>Adding the first stock of a product moves it from one filter to the other and shifts the
   * pages behind it: collect a filtered stream before you act on it.
   *
   * @param filter which products to list
   * @return a stream that fetches pages as it is consumed
   */
  public Stream<ProductSummary> products(StockFilter filter) {
    return Pages.stream(
        number -> {
          ProductPage page = productPage(number, filter);
          return new Pages.Page<>(page.totalPages(), page.products());
        });
  }

  /**
   * Fetches one page of the product list.
   *
   * @param page its number, from 1; pages beyond the last are empty
   * @param filter which products to list
   * @return the page
   */
  public ProductPage productPage(int page, StockFilter filter) {
    OutgoingCall call = OutgoingCall.read("/Stock/Product", "page=" + page + filter.form());
    return calls.ask(call, FormReader::productList).read(ProductPage::read);
  }

  /**
   * Lists the stock entries of a product: colors in order of creation, sizes ascending. Empty if
   * the product has no stock yet.
   *
   * @param pid the product's id
   * @return its entries
   * @throws NotFoundException if the product does not exist
   */
  public List<StockEntry> stock(int pid) {
    Answer answer =
        calls.ask(OutgoingCall.read("/Stock/List", "productid=" + pid), FormReader::stockList);
    if (!answer.success() && answer.code() == ErrorCode.STOCK_NOT_ADDED) {
      return List.of();
    }
    return answer.read(fields -> fields.list("data", StockEntry::read));
  }

  /**
   * Lists the stock entries of several products in one call.
   *
   * @param pids 1 to 300 products, each once
   * @return the entries of each product that exists, by its id, in the order of the request
   */
  public Map<Integer, List<StockEntry>> stockBatch(Collection<Integer> pids) {
    String form = pids.stream().map(pid -> "productid=" + pid).collect(Collectors.joining("&"));
    return calls
        .ask(OutgoingCall.read("/Stock/Batch", form), FormReader::stockBatch)
        .read(
            fields -> {
              Map<Integer, List<StockEntry>> stocks = new LinkedHashMap<>();
              for (Fields product : fields.list("products", one -> one)) {
                if (product.has("entries")) {
                  stocks.put(product.whole("pid"), product.list("entries", StockEntry::read));
                }
              }
              return stocks;
            });
  }

  /**
   * Removes stock entries: single ones, all sizes of a color, or a size in all colors. The server
   * removes all of them or none. If a response is lost, the SDK repeats the request; the server
   * recognizes it by an idempotency key.
   *
   * @param removals 1 to 300
   * @return the removed entries
   * @throws RejectedException if there is nothing to remove in one place; its problems say where
   */
  public RemoveReport removeStock(Collection<Removal> removals) {
    return removeStock(removals, CallOptions.NONE);
  }

  /**
   * Like {@link #removeStock(Collection)}, with an idempotency key of your own.
   *
   * @param removals 1 to 300
   * @param options the options
   * @return the removed entries
   */
  public RemoveReport removeStock(Collection<Removal> removals, CallOptions options) {
    byte[] body = Removal.json(List.copyOf(removals));
    OutgoingCall call = OutgoingCall.json("/Stock/Remove", body).with(options.orRandomKey());
    return calls.ask(call, RemoveReader::read).readAll(RemoveReport::read);
  }

  /**
   * Creates stock entries, or sets the quantities of existing ones, in requests of at most 300
   * color groups, within the server's rate limit (usually one request in two seconds). Several
   * programs of one application take turns. The server writes each request completely or not at
   * all. If a response is lost, the SDK resends the identical request; the server recognizes it and
   * repeats its first response.
   *
   * @param groups the color groups; read as needed, and closed at the end
   * @return the report, if everything was created
   * @throws IncompleteCreateException if not everything was created; its report has the result of
   *     each batch. A batch with a problem does not stop the next one; a failure that would hit all
   *     of them (wrong credentials, no response) does.
   */
  public CreateReport createStock(Stream<ColorGroup> groups) {
    return createStock(groups, batch -> {});
  }

  /**
   * Like {@link #createStock(Stream)}, and reports each batch as soon as its outcome is known.
   *
   * @param groups the color groups; read as needed, and closed at the end
   * @param progress receives each batch, in the calling thread
   * @return the report, if everything was created
   */
  public CreateReport createStock(Stream<ColorGroup> groups, Consumer<CreateBatch> progress) {
    return createStock(groups, progress, CallOptions.NONE);
  }

  /**
   * Like {@link #createStock(Stream, Consumer)}, with options. If the groups need several requests,
   * each of them gets its own idempotency key: {@code key}, {@code key.1}, {@code key.2}, …
   *
   * @param groups the color groups; read as needed, and closed at the end
   * @param progress receives each batch, in the calling thread
   * @param options the options; to repeat the call, pass the same groups in the same order
   * @return the report, if everything was created
   */
  public CreateReport createStock(
      Stream<ColorGroup> groups, Consumer<CreateBatch> progress, CallOptions options) {
    return creates.run(groups, progress, options);
  }

  /**
   * Like {@link #createStock(Stream)}.
   *
   * @param groups the color groups
   * @return the report, if everything was created
   */
  public CreateReport createStock(Collection<ColorGroup> groups) {
    return createStock(groups.stream());
  }

  /**
   * Changes quantities of existing entries, relative to what they are or only if they are as
   * expected, so that two systems that sell the same stock do not overwrite each other. The server
   * makes all adjustments or none. If a response is lost, the SDK repeats the request; the server
   * recognizes it by an idempotency key and does not adjust twice.
   *
   * @param adjustments 1 to 300, each entry once
   * @return the quantities before and after
   * @throws AdjustRejectedException if one of them is not possible, for example because too little
   *     is left
   */
  public AdjustReport adjust(Collection<Adjustment> adjustments) {
    return adjust(adjustments, CallOptions.NONE);
  }

  /**
   * Like {@link #adjust(Collection)}, with an idempotency key of your own, so that your program can
   * repeat the call even after a crash.
   *
   * @param adjustments 1 to 300, each entry once
   * @param options the options
   * @return the quantities before and after
   */
  public AdjustReport adjust(Collection<Adjustment> adjustments, CallOptions options) {
    byte[] body = Adjustments.json(List.copyOf(adjustments));
    OutgoingCall call = OutgoingCall.json("/Stock/Adjust", body).with(options.orRandomKey());
    Answer answer = calls.ask(call, AdjustReader::read);
    if (!answer.success()) {
      throw AdjustRejectedException.of(answer);
    }
    return answer.read(AdjustReport::read);
  }

  /**
   * Follows the changes after a cursor, and waits for new ones.
   *
   * @param cursor from an earlier page, a {@link #snapshot} or {@link #latestCursor}
   * @return the stream; close it when you are done
   */
  public ChangeStream changes(String cursor) {
    return new ChangeStream(feed, retries, cursor);
  }

  /** {@return like {@link #changes(String)}, from the oldest change that the server keeps} */
  public ChangeStream changes() {
    return new ChangeStream(feed, retries, null);
  }

  /** {@return the cursor after the newest change, to follow only what comes next} */
  public String latestCursor() {
    return feed.changes(FeedReader.LATEST, 1, Duration.ZERO).cursor();
  }

  /**
   * Reads the whole stock, so that a copy can start.
   *
   * @return the first page's cursor and all products; pages are fetched as they are needed
   */
  public Snapshot snapshot() {
    return feed.snapshot();
  }

  /** {@return digests of the current stock, to compare a copy with it} */
  public StockDigest digest() {
    return feed.digest();
  }

  /**
   * Fetches the data for listing a product, with the remaining quotas. Each detail counts against
   * the limits, so the SDK retries only if nothing was sent or the server said that it returned
   * none.
   *
   * @param pid the product's id
   * @return the product, with the quotas
   * @throws NotFoundException if the product does not exist
   * @throws LimitReachedException if a limit of product detail is reached
   */
  public FetchedDetail detail(int pid) {
    Answer answer =
        calls.ask(OutgoingCall.form("/Product/Detail", "pid=" + pid), FormReader::detail);
    ProductDetail product = answer.read(fields -> ProductDetail.read(fields.object("data")));
    return new FetchedDetail(product, answer.reply().quotas());
  }

  /**
   * Reports the publish results of fetched products in the access token's bound store. The call is
   * idempotent.
   *
   * @param results at most 300, each product once
   * @return what the server accepted; a product that does not exist is rejected alone
   */
  public PublishReport publish(Collection<PublishResult> results) {
    return publish(results, CallOptions.NONE);
  }

  /**
   * Like {@link #publish(Collection)}, with options. With an idempotency key, the SDK also retries
   * after a lost response.
   *
   * @param results at most 300, each product once
   * @param options the options
   * @return what the server accepted; a product that does not exist is rejected alone
   */
  public PublishReport publish(Collection<PublishResult> results, CallOptions options) {
    byte[] body = PublishResults.json(List.copyOf(results));
    OutgoingCall call = OutgoingCall.json("/Product/Publish", body).with(options);
    Answer answer = calls.ask(call, PublishReader::read);
    List<Problem> problems = answer.problems();
    if (!answer.success() && (problems.isEmpty() || !answer.fields().has("accepted"))) {
      throw answer.failure();
    }
    try {
      return new PublishReport(answer.fields().whole("accepted"), problems);
    } catch (MalformedResponse misfit) {
      throw answer.reply().unexpected(misfit.what());
    }
  }

  /** {@return the calls that find, save, archive and restore products} */
  public Catalogue catalogue() {
    return new Catalogue(calls);
  }

  /** {@return the calls that import files} */
  public ImportJobs imports() {
    return new ImportJobs(calls, retries);
  }

  /** {@return the calls that manage the merchant's webhooks} */
  public WebhookEndpoints webhooks() {
    return new WebhookEndpoints(calls);
  }

  /**
   * {@return the usage of every limit, and the first unpublished products} This call is free of
   * charge.
   */
  public Usage usage() {
    return usage(1);
  }

  /**
   * Returns the usage of every limit and one page of the unpublished products.
   *
   * @param page the page of unpublished products, from 1
   * @return the usage
   */
  public Usage usage(int page) {
    return calls
        .ask(OutgoingCall.read("/Usage", "page=" + page), FormReader::usage)
        .read(fields -> Usage.read(fields.object("data")));
  }

  /**
   * {@return the fetched products that are not published yet; pages are fetched as the stream is
   * consumed}
   */
  public Stream<Usage.Unpublished> unpublished() {
    return Pages.stream(
        number -> {
          Usage usage = usage(number);
          return new Pages.Page<>(usage.totalPages(), usage.unpublished());
        });
  }

  /**
   * Closes the connections of this client after the running calls. An HTTP client that was passed
   * to the builder stays open.
   */
  @Override
  public void close() {
    transport.close();
  }
}
