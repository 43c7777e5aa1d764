package io.stockroom.server.console;

import io.stockroom.server.testing.Logged;
import io.stockroom.server.testing.Reply;
import io.stockroom.server.testing.Stock;
import io.stockroom.server.testing.TestMerchant;
import io.stockroom.server.testing.TestPerson;
import java.util.List;
import org.junit.jupiter.api.Test;

class LookTest {
  @Test
  void everyPageIsAccessibleAndOursInEveryLook() {
    TestMerchant merchant = TestMerchant.fresh();
    int product = merchant.products(3).getFirst();
    merchant.api().create(Stock.one(product, "黑色", "36-40", 12));
    merchant.api().detail(product);
    merchant.api().products("page=x");
    Reply call = merchant.api().stock(product);
    Logged.await(merchant, call);
    TestPerson person = TestPerson.of(merchant);
    List<String> paths =
        List.of(
            "/console/products",
            "/console/products?q=nothing+like+it",
            "/console/products/" + product,
            "/console/products/" + product + "/stock",
            "/console/usage",
            "/console/requests",
            "/console/requests/" + Logged.id(call),
            "/console/applications",
            "/console/applications/" + merchant.api().appid(),
            "/console/applications/" + merchant.api().appid() + "/tokens/new",
            "/console/explorer",
            "/console/explorer?call=stock-create",
            "/console/explorer/check",
            "/console/account",
            "/console/account/second-factor",
            "/console/nothing-here");
    Looks.check(person, paths);
  }
}
