package io.stockroom.client;

import io.stockroom.protocol.ColorGroup;
import io.stockroom.protocol.ErrorCode;
import io.stockroom.protocol.Language;
import io.stockroom.protocol.request.FormReader;
import io.stockroom.protocol.request.InvalidRequest;
import io.stockroom.protocol.request.PublishReader;
import io.stockroom.protocol.request.RequestContent;
import java.util.Collection;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Calls a Stockroom server for one merchant.
 *
 * <pre>{@code
 * try (var client = StockroomClient.connect("https://stock.example", appid, secret, token)) {
 *   client.products().forEach(product -> System.out.println(product.artNo()));
 * }
 * }</pre>
 *
 * <p>A client is safe for any number of threads, virtual ones included; share one rather than
 * making many, since it keeps connections open and paces creates. Every method blocks until its
 * answer is there, and fails with a {@link StockroomException}.
 */
public final class StockroomClient implements AutoCloseable {
  private final Transport transport;
  private final Calls calls;
  private final Creates creates;
  private final Language language;

  StockroomClient(Transport transport, Calls calls, Creates creates, Language language) {
    this.transport = transport;
    this.calls = calls;
    this.creates = creates;
    this.language = language;
  }

  /**
   * A client with the usual settings.
   *
   * @param address the server's address, such as {@code https://stock.example}
   * @param appid the application's id
   * @param secret the application's secret; it never travels
   * @param accesstoken the token that lets the application act for one merchant
   * @return the client; close it when you are done
   * @throws InvalidRequestException where one of the credentials can't be right
   * @throws IllegalArgumentException where the address is none; its message says how to write it
   */
  public static StockroomClient connect(
      String address, String appid, String secret, String accesstoken) {
    return builder(address, appid, secret, accesstoken).build();
  }

  /**
   * Begins a client with settings of its own.
   *
   * @param address the server's address, such as {@code https://stock.example}
   * @param appid the application's id
   * @param secret the application's secret; it never travels
   * @param accesstoken the token that lets the application act for one merchant
   * @return the builder
   */
  public static StockroomClientBuilder builder(
      String address, String appid, String secret, String accesstoken) {
    return new StockroomClientBuilder(address, new Credentials(appid, secret, accesstoken));
  }

  /**
   * {@return all products in the order of their ids, fetched page by page as the stream is
   * consumed}
   */
  public Stream<ProductSummary> products() {
    return products(StockFilter.ALL);
  }

  /**
   * The products that {@code filter} lets through, fetched page by page as the stream is consumed.
   *
   * <p>Adding the first stock of a product moves it from one filter to the other and shifts the
   * pages behind it: collect a filtered stream before you act on it.
   *
   * @param filter which products to list
   * @return a stream that fetches as it is consumed
   */
  public Stream<ProductSummary> products(StockFilter filter) {
    return Pages.stream(
        number -> {
          ProductPage page = productPage(number, filter);
          return new Pages.Page<>(page.totalPages(), page.products());
        });
  }

  /**
   * One page of the product list.
   *
   * @param page its number, from 1; beyond the last it is empty
   * @param filter which products to list
   * @return the page
   */
  public ProductPage productPage(int page, StockFilter filter) {
    OutgoingCall call = OutgoingCall.read("/Stock/Product", "page=" + page + filter.form());
    return ask(call, FormReader::productList).read(ProductPage::read);
  }

  /**
   * The stock entries of a product: colors in the order in which they came, sizes ascending. Empty
   * where no stock was added yet.
   *
   * @param pid the product's id
   * @return its entries
   * @throws NotFoundException where there is no such product
   */
  public List<StockEntry> stock(int pid) {
    Answer answer =
        ask(OutgoingCall.read("/Stock/List", "productid=" + pid), FormReader::stockList);
    if (!answer.success() && answer.code() == ErrorCode.STOCK_NOT_ADDED) {
      return List.of();
    }
    return answer.read(fields -> fields.list("data", StockEntry::read));
  }

  /**
   * Creates stock entries, or sets the quantities of those that exist, in requests of at most 300
   * color groups, at the rate that the server allows (one in two seconds, as a rule). Several
   * programs of one application take turns. Each request is written whole or not at all. One whose
   * answer is lost is sent again in the very same form, which the server recognises and answers as
   * the first time.
   *
   * @param groups the color groups; taken as they are needed, and closed at the end
   * @return the report, when all of it is created
   * @throws IncompleteCreateException when not all of it is; its report says what became of each
   *     batch. A batch with a problem does not keep the next from being sent; what would meet all
   *     of them (wrong credentials, no answer) ends it.
   */
  public CreateReport createStock(Stream<ColorGroup> groups) {
    return creates.run(groups, batch -> {});
  }

  /**
   * As {@link #createStock(Stream)}, and tells of each batch as soon as its outcome is known.
   *
   * @param groups the color groups; taken as they are needed, and closed at the end
   * @param progress hears of each batch, in the calling thread
   * @return the report, when all of it is created
   */
  public CreateReport createStock(Stream<ColorGroup> groups, Consumer<CreateBatch> progress) {
    return creates.run(groups, progress);
  }

  /**
   * As {@link #createStock(Stream)}.
   *
   * @param groups the color groups
   * @return the report, when all of it is created
   */
  public CreateReport createStock(Collection<ColorGroup> groups) {
    return createStock(groups.stream());
  }

  /**
   * Everything a listing needs to know of a product, and what is left of the limits after it. A
   * detail that is given counts, so it is fetched again only where nothing was sent, or the server
   * said that it gave none.
   *
   * @param pid the product's id
   * @return the product, with the quotas
   * @throws NotFoundException where there is no such product
   * @throws LimitReachedException where a limit of product detail is reached
   */
  public FetchedDetail detail(int pid) {
    Answer answer = ask(OutgoingCall.form("/Product/Detail", "pid=" + pid), FormReader::detail);
    ProductDetail product = answer.read(fields -> ProductDetail.read(fields.object("data")));
    return new FetchedDetail(product, answer.reply().quotas());
  }

  /**
   * Reports what became of fetched products in the bound store of the access token. Reporting the
   * same again changes nothing.
   *
   * @param results at most 300, each product once
   * @return what was taken; a product that does not exist fails alone
   */
  public PublishReport publish(Collection<PublishResult> results) {
    byte[] body = PublishResults.json(List.copyOf(results));
    Answer answer = ask(OutgoingCall.json("/Product/Publish", body), PublishReader::read);
    List<Problem> problems = answer.problems();
    if (!answer.success() && (problems.isEmpty() || !answer.fields().has("accepted"))) {
      throw answer.failure();
    }
    try {
      return new PublishReport(answer.fields().whole("accepted"), problems);
    } catch (Misfit misfit) {
      throw answer.reply().unexpected(misfit.what());
    }
  }

  /**
   * {@return how much of every limit is used, and the first unpublished products} Asking costs
   * nothing.
   */
  public Usage usage() {
    return usage(1);
  }

  /**
   * How much of every limit is used, and one page of the unpublished products.
   *
   * @param page the page of unpublished products, from 1
   * @return the usage
   */
  public Usage usage(int page) {
    return ask(OutgoingCall.read("/Usage", "page=" + page), FormReader::usage)
        .read(fields -> Usage.read(fields.object("data")));
  }

  /**
   * {@return the fetched products that are not published yet, read page by page as the stream is
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
   * Ends the connections of this client, after the calls that are under way. An HTTP client that
   * was given to the builder stays open: it is its owner's.
   */
  @Override
  public void close() {
    transport.close();
  }

  /** Reads a request, and rejects it as the server would. */
  private interface RequestReader {
    Object read(RequestContent content) throws InvalidRequest;
  }

  /** Makes a call that the server can read; any other is not sent. */
  private Answer ask(OutgoingCall call, RequestReader reader) {
    try {
      Object unused = reader.read(RequestContent.of(call.contentType(), "", call.body()));
    } catch (InvalidRequest invalid) {
      throw InvalidRequestException.unsent(invalid, language);
    }
    return calls.ask(call);
  }
}
