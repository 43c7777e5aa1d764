package io.stockroom.console;

import com.microsoft.playwright.Page;
import io.stockroom.server.testing.Stock;
import io.stockroom.server.testing.TestMerchant;
import io.stockroom.server.testing.TestPerson;
import java.util.List;
import org.junit.jupiter.api.Test;

class ProductLookTest {
  private final TestMerchant merchant = TestMerchant.fresh();
  private final TestPerson person = TestPerson.of(merchant).withoutFirstSteps();

  @Test
  void productsLookAsTheyShould() {
    merchant.importProducts(
        """
        {"artNo":"A1","title":"Canvas shoe","price":59,"imgs":[],\
        "categoryIdTree":"12,1201","categoryNameTree":"Shoes,Canvas","description":"<p>Light and <b>warm</b>.</p>",\
        "attributes":[{"name":"Sole","value":"Rubber"}],"video":"https://p.example/v.mp4"}
        {"artNo":"LONG-NUMBER-OF-AN-ITEM-FOR-SPRING","title":"女士 透气 网面 休闲 运动鞋 春季 新款 平底 百搭 系带 跑步鞋 一脚蹬 加大码 软底 防滑","price":1299.5}
        {"artNo":"A3","title":"Boot","price":0}
        {"artNo":"A4","title":"Sandal","price":7.2}
        """);
    List<Integer> ids = merchant.productIds();
    merchant
        .api()
        .create(
            Stock.list(
                Stock.group(ids.get(0), "black", Stock.size("36-44", 1250)),
                Stock.group(ids.get(0), "a name of a color that is long", Stock.size("36", 0)),
                Stock.group(ids.get(0), "白色", Stock.size("37", 4), Stock.size("38", 5))));
    merchant.api().create(Stock.one(ids.get(1), "red", "36-40", 25));
    merchant.api().create(Stock.one(ids.get(2), "red", "36-40", 0));
    TestPerson beginner = TestPerson.of(TestMerchant.fresh());

    Looks.check(
        "products",
        merchant.server(),
        List.of(
            LookScene.of("overview", person, "/console/overview"),
            LookScene.of("overview-empty", beginner, "/console/overview"),
            LookScene.of("palette", person, "/console/overview").then(ProductLookTest::search),
            LookScene.of("products-filters", person, "/console/products?min=cheap"),
            LookScene.of("products-selected", person, "/console/products?sort=-price&q=a")
                .then(page -> page.locator("input[name=product]").first().check()),
            LookScene.of("products", person, "/console/products"),
            LookScene.of("products-empty", beginner, "/console/products"),
            LookScene.of("products-nothing", person, "/console/products?q=nothing+like+it"),
            LookScene.of("products-export", person, "/console/products")
                .then(page -> page.locator(".tools .actions .choices summary").last().click()),
            LookScene.of("products-menu", person, "/console/products")
                .then(page -> page.locator(".top > .menu summary").click()),
            scene("product", ids.get(0)),
            scene("product-sold-out", ids.get(2)).withoutAxe(),
            scene("product-none-yet", ids.get(3)).withoutAxe()));
  }

  private static void search(Page page) {
    page.keyboard().press("/");
    page.keyboard().type("a");
    page.locator("#palette-product-1").waitFor();
  }

  private LookScene scene(String name, int id) {
    return LookScene.of(name, person, "/console/products/" + id)
        .measured(".facts div:nth-child(3) dd");
  }
}
