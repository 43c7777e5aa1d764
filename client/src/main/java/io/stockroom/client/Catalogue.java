package io.stockroom.client;

import io.stockroom.protocol.request.PictureReader;
import io.stockroom.protocol.request.ProductsReader;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Objects;

/** Finds, saves, archives and restores products; see {@link StockroomClient#catalogue}. */
public final class Catalogue {
  private static final Duration MAX_UPLOAD = Duration.ofMinutes(2);

  private final Calls calls;

  Catalogue(Calls calls) {
    this.calls = calls;
  }

  /**
   * Finds products by item number, barcode, words or changes.
   *
   * @param query which products
   * @return the products and a cursor; pages are fetched as they are needed
   */
  public FoundProducts find(ProductQuery query) {
    return new FoundProducts(
        after ->
            calls
                .ask(OutgoingCall.read("/Product/Find", query.form(after)), ProductsReader::find)
                .read(FoundProducts.Page::read));
  }

  /**
   * Creates products, and changes fields of existing ones. The server saves all of them or none. If
   * a response is lost, the SDK repeats the request; the server recognizes it by an idempotency
   * key.
   *
   * @param drafts 1 to 100 products
   * @return what became of each product
   * @throws RejectedException if one of them cannot be saved; its problems say which and why
   */
  public SaveReport save(Collection<ProductDraft> drafts) {
    return save(drafts, CallOptions.NONE);
  }

  /**
   * Like {@link #save(Collection)}, with an idempotency key of your own.
   *
   * @param drafts 1 to 100 products
   * @param options the options
   * @return what became of each product
   */
  public SaveReport save(Collection<ProductDraft> drafts, CallOptions options) {
    byte[] body = ProductDraft.json(List.copyOf(drafts));
    OutgoingCall call = OutgoingCall.json("/Product/Save", body).with(options.orRandomKey());
    return calls.ask(call, ProductsReader::save).readAll(SaveReport::read);
  }

  /**
   * Stores a picture, and adds it to a product. The client must sign with HMAC.
   *
   * @param file a JPEG, PNG, WebP or GIF file
   * @param spot where it goes
   * @return the stored picture
   * @throws RejectedException if the file is no picture, is too large, or the product is missing
   */
  public StoredPicture addPicture(Path file, PictureSpot spot) {
    return addPicture(file, spot, CallOptions.NONE);
  }

  /**
   * Like {@link #addPicture(Path, PictureSpot)}, with an idempotency key of your own.
   *
   * @param file a JPEG, PNG, WebP or GIF file
   * @param spot where it goes
   * @param options the options
   * @return the stored picture
   */
  public StoredPicture addPicture(Path file, PictureSpot spot, CallOptions options) {
    String key = options.orRandomKey().idempotencyKey();
    OutgoingCall call =
        OutgoingCall.file(
            "/Product/Picture" + spot.query(),
            FileBody.of(file),
            Objects.requireNonNull(key),
            MAX_UPLOAD);
    return calls.ask(call, PictureReader::read).readAll(StoredPicture::read);
  }

  /**
   * Archives products: every call treats them as missing, and the log of changes says that their
   * entries were removed. All of them or none. A product that is archived already stays so.
   *
   * @param products 1 to 100 products
   * @return what became of each product
   * @throws RejectedException if one of them does not exist; its problems say which
   */
  public ArchiveReport archive(Collection<ProductName> products) {
    return move("/Product/Archive", products, CallOptions.NONE);
  }

  /**
   * Like {@link #archive(Collection)}, with an idempotency key of your own.
   *
   * @param products 1 to 100 products
   * @param options the options
   * @return what became of each product
   */
  public ArchiveReport archive(Collection<ProductName> products, CallOptions options) {
    return move("/Product/Archive", products, options);
  }

  /**
   * Brings archived products back as they were, with their stock. All of them or none.
   *
   * @param products 1 to 100 products
   * @return what became of each product
   * @throws RejectedException if one of them cannot be restored; its problems say which and why
   */
  public ArchiveReport restore(Collection<ProductName> products) {
    return move("/Product/Restore", products, CallOptions.NONE);
  }

  /**
   * Like {@link #restore(Collection)}, with an idempotency key of your own.
   *
   * @param products 1 to 100 products
   * @param options the options
   * @return what became of each product
   */
  public ArchiveReport restore(Collection<ProductName> products, CallOptions options) {
    return move("/Product/Restore", products, options);
  }

  private ArchiveReport move(String path, Collection<ProductName> products, CallOptions options) {
    byte[] body = ProductName.json(List.copyOf(products));
    OutgoingCall call = OutgoingCall.json(path, body).with(options.orRandomKey());
    return calls.ask(call, ProductsReader::named).readAll(ArchiveReport::read);
  }
}
