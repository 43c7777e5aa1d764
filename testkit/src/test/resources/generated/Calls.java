import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.function.Consumer;
import org.openapitools.client.ApiClient;
import org.openapitools.client.ApiException;
import org.openapitools.client.api.ExtensionsApi;
import org.openapitools.client.api.InterfaceApi;
import org.openapitools.client.model.AdjustFailure;
import org.openapitools.client.model.AdjustedStock;
import org.openapitools.client.model.Adjustment;
import org.openapitools.client.model.ColorGroup;
import org.openapitools.client.model.ProductDetail;
import org.openapitools.client.model.PublishResult;
import org.openapitools.client.model.Size;
import org.openapitools.client.model.SizeItem;
import org.openapitools.client.model.StockEntry;

/** Calls every operation with the generated client; prints the same as calls.ts. */
public final class Calls {
  private Calls() {}

  public static void run(
      String server, String appid, String secret, String token, int pid, Consumer<String> say)
      throws Exception {
    ApiClient client = new ApiClient();
    client.updateBaseUri(server);
    client.setRequestInterceptor(
        request -> {
          String timestamp = Long.toString(System.currentTimeMillis() / 1000);
          request
              .header("appid", appid)
              .header("timestamp", timestamp)
              .header("sign", md5(secret + timestamp))
              .header("accesstoken", token);
        });
    InterfaceApi stock = new InterfaceApi(client);
    ExtensionsApi extensions = new ExtensionsApi(client);

    var page = stock.listProducts(1, null, null, false);
    say.accept("product " + page.getData().getFirst().getArtNo() + " of " + page.getTotalPages());

    var none = stock.listStockWithHttpInfo(pid, "en", null);
    say.accept("no stock: " + none.getData().getNoData().getMsg());
    say.accept("code " + none.getHeaders().get("x-error-code").getFirst());

    var created =
        stock.createStock(
            List.of(
                new ColorGroup()
                    .color("红")
                    .pid(pid)
                    .addParamItem(new SizeItem().size("36-37").stock(5))
                    .addParamItem(new SizeItem().size("38").stock(0).barCode("6901234567892"))),
            null,
            null,
            "order-1");
    say.accept("created " + created.getSuccess() + created.getMsg());
    for (StockEntry entry : stock.listStock(pid, null, null).getStockEntries().getData()) {
      say.accept(
          "entry %s %s %d %s"
              .formatted(
                  entry.getColor(),
                  entry.getSize().getActualInstance(),
                  entry.getStock(),
                  entry.getBarCode()));
    }

    var sale = List.of(new Adjustment().pid(pid).color("红").size(new Size(36)).change(-2));
    AdjustedStock sold = extensions.adjustStock(sale, null, null, "sale-1").getAdjustedStock();
    say.accept(
        "sold %d of %d"
            .formatted(-sale.getFirst().getChange(), sold.getEntries().getFirst().getBefore()));
    var tooMany = List.of(new Adjustment().barCode("6901234567892").change(-1));
    AdjustFailure failure =
        extensions.adjustStock(tooMany, null, null, null).getNotAdjusted().getErrors().getFirst();
    say.accept("not sold: " + failure.getCode() + " " + failure.getCurrent());

    ProductDetail detail = stock.fetchDetail(pid, null, null).getSuccessfulDetail().getData();
    boolean exact = detail.getPrice().compareTo(new BigDecimal("59")) == 0;
    say.accept(
        "detail " + detail.getTitle() + " " + exact + " " + detail.getSkus().getFirst().getSize());
    say.accept("no detail: " + stock.fetchDetail(2147483647, "zh-CN", null).getNoData().getMsg());

    var result = new PublishResult().pid(pid).result(PublishResult.ResultEnum.PUBLISHED);
    say.accept(
        "published "
            + extensions.reportPublishResults(List.of(result), null, null, null).getAccepted());

    var usage = extensions.ownUsage(null, null, 1).getData();
    var daily = usage.getLimits().getFirst();
    say.accept("usage " + daily.getName() + " " + daily.getUsed() + " of " + daily.getLimit());
    say.accept("resets " + (daily.getResetsAt() != null));
    say.accept("unpublished " + usage.getUnpublished().getTotal());

    var changes = extensions.readChanges(null, null, "", 1000, 0);
    say.accept("changes " + changes.getChanges().size() + " " + changes.getMore());
    var last = changes.getChanges().getLast();
    say.accept("last " + last.getKind() + " " + last.getEntries().getFirst().getAfter());
    var copy = extensions.readSnapshot(null, null, "", 500);
    say.accept("snapshot " + copy.getProducts().size() + " next " + copy.getNext());
    var digest = extensions.readDigest(null, null);
    say.accept("digest " + digest.getEntries() + " " + digest.getBlocks().size());

    try {
      stock.listStock(0, null, null);
    } catch (ApiException refused) {
      boolean named = refused.getResponseBody().contains("\"at\":\"productid\"");
      say.accept("refused " + refused.getCode() + " " + named);
    }
  }

  private static String md5(String text) {
    try {
      byte[] hash = MessageDigest.getInstance("MD5").digest(text.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().withUpperCase().formatHex(hash);
    } catch (java.security.NoSuchAlgorithmException impossible) {
      throw new IllegalStateException(impossible);
    }
  }
}
