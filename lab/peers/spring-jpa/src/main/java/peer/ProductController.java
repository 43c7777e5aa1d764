package peer;

import java.util.Optional;
import org.springframework.data.domain.Page;
import org.springframework.data.domain.PageRequest;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import peer.ProductRepository.Summary;

/** The product list and the product detail. */
@RestController
public class ProductController {
  public record ListAnswer(boolean success, int totalPages, Iterable<Summary> data) {}

  public record DetailAnswer(boolean success, String msg, Object data) {}

  private final ProductRepository products;
  private final StockEntryRepository entries;
  private final DetailLimits limits;
  private final InterfaceSettings settings;

  public ProductController(
      ProductRepository products,
      StockEntryRepository entries,
      DetailLimits limits,
      InterfaceSettings settings) {
    this.products = products;
    this.entries = entries;
    this.limits = limits;
    this.settings = settings;
  }

  @PostMapping("/Stock/Product")
  @Transactional(readOnly = true)
  public ListAnswer list(
      @RequestAttribute Credential caller,
      @RequestParam int page,
      @RequestParam Optional<Boolean> stock) {
    if (page < 1) {
      throw new BadRequest("page", "NUMBER_FORMAT", "page must be at least 1");
    }
    PageRequest wanted = PageRequest.of(page - 1, settings.pageSize());
    Page<Summary> found =
        stock
            .map(hasStock -> products.findPage(caller.merchantId(), hasStock, wanted))
            .orElseGet(() -> products.findPage(caller.merchantId(), wanted));
    return new ListAnswer(true, found.getTotalPages(), found.getContent());
  }

  @PostMapping("/Product/Detail")
  @Transactional
  public DetailAnswer detail(@RequestAttribute Credential caller, @RequestParam int pid) {
    Optional<Product> product = products.findByIdAndMerchantId(pid, caller.merchantId());
    if (product.isEmpty()) {
      return new DetailAnswer(false, "The product does not exist: " + pid + ".", "");
    }
    return limits
        .charge(caller, pid)
        .map(problem -> new DetailAnswer(false, problem, ""))
        .orElseGet(
            () ->
                new DetailAnswer(
                    true, "", ProductDetail.of(product.get(), entries.findOfProduct(pid))));
  }
}
