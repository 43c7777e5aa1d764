package io.stockroom.server.admin;

import static io.stockroom.server.admin.AdminResponse.fields;

import io.stockroom.core.call.Answer;
import io.stockroom.core.call.Rejection;
import io.stockroom.core.catalogue.ProductArchive;
import io.stockroom.core.catalogue.ProductArchive.Restore;
import io.stockroom.core.merchants.Merchants;
import io.stockroom.protocol.ErrorCode;
import java.io.IOException;
import java.sql.SQLException;

/** Archives and restores a merchant's products, by item number. Both can be repeated. */
public final class ProductRoutes {
  private final Merchants merchants;
  private final ProductArchive archive;

  public ProductRoutes(Merchants merchants, ProductArchive archive) {
    this.merchants = merchants;
    this.archive = archive;
  }

  /** What to do with an existing product, archived or not. */
  private interface Work {
    Answer run(int merchantId, int productId, String artNo) throws SQLException;
  }

  Answer archive(AdminRequest request) throws SQLException, IOException {
    return withProduct(
        request,
        (merchantId, productId, artNo) -> {
          boolean _ = archive.archive(merchantId, productId, request.actor());
          return shown(productId, artNo, true);
        });
  }

  Answer restore(AdminRequest request) throws SQLException, IOException {
    return withProduct(
        request,
        (merchantId, productId, artNo) ->
            switch (archive.restore(merchantId, productId, request.actor())) {
              case Restore.Done(), Restore.Missing() -> shown(productId, artNo, false);
              case Restore.Rejected(var problems) -> new Rejection(problems, problems.size());
            });
  }

  private Answer withProduct(AdminRequest request, Work work) throws SQLException, IOException {
    int merchantId = request.id("merchant");
    String artNo = request.name(request.body(), "artNo");
    if (request.problems().any() || artNo == null) {
      return request.rejection();
    }
    if (merchants.find(merchantId) == null) {
      return Rejection.of("merchant", ErrorCode.MERCHANT_MISSING, merchantId);
    }
    Integer productId = archive.idOf(merchantId, artNo);
    return productId == null
        ? Rejection.of("artNo", ErrorCode.PRODUCT_UNKNOWN, merchantId, artNo)
        : work.run(merchantId, productId, artNo);
  }

  private static Answer shown(int productId, String artNo, boolean archived) {
    return AdminResponse.ok(fields("pid", productId, "artNo", artNo, "archived", archived));
  }
}
