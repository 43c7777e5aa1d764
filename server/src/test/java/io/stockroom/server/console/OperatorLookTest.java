package io.stockroom.server.console;

import io.stockroom.server.testing.Admin;
import io.stockroom.server.testing.Reply;
import io.stockroom.server.testing.TestMerchant;
import io.stockroom.server.testing.TestPerson;
import java.util.List;
import org.junit.jupiter.api.Test;

class OperatorLookTest {
  @Test
  void everyPageOfAnOperatorIsAccessibleAndOursInEveryLook() {
    TestMerchant merchant = TestMerchant.fresh();
    TestPerson person = TestPerson.of(merchant);
    TestPerson operator = TestPerson.operator();
    String application = "/console/applications/" + merchant.api().appid();
    Reply planned =
        merchant
            .imports()
            .plan("products.csv", "货号,标题,价格,颜色,尺码,库存\nA1,Shoe,59,red,36,5\nA2,Boot,x,red,36,5\n");
    Reply failed = merchant.imports().plan("other.csv", "Ref,Text\nA1,Shoe\n");
    Admin.of(operator.server())
        .send(
            "PUT",
            "/admin/merchants/%d/limits".formatted(merchant.id()),
            "{\"limits.detail-per-day\":7}");
    List<String> paths =
        List.of(
            "/console/merchants",
            "/console/merchants?q=nothing+like+it",
            "/console/merchants/" + merchant.id(),
            "/console/people",
            "/console/people?q=nothing+like+it",
            "/console/people/" + person.id(),
            "/console/limits",
            "/console/audit",
            "/console/audit?actor=nobody+like+them",
            "/console/imports",
            "/console/imports?merchant=" + merchant.id(),
            importPath(merchant, planned),
            importPath(merchant, failed),
            application,
            application + "/tokens/new",
            application + "/rotate",
            "/console/health",
            "/console/requests");
    Looks.check(operator, paths);
  }

  private static String importPath(TestMerchant merchant, Reply planned) {
    return "/console/imports/%d/%d"
        .formatted(merchant.id(), planned.json().get("importId").asInt());
  }
}
