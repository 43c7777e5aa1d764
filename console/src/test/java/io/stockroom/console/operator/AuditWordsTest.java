package io.stockroom.console.operator;

import static org.assertj.core.api.Assertions.assertThat;

import io.stockroom.core.audit.Audit;
import io.stockroom.protocol.Language;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AuditWordsTest {
  private static final AuditWords CHINESE = new AuditWords(Language.CHINESE);

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '"',
      delimiter = '|',
      value = {
        "12 entries | 12 个库存条目",
        "3 created, 0 changed, 1 unchanged, 2 failed | 新增 3 个，更改 0 个，未变 1 个，有误 2 个",
        "12 entries, 3 chains, head ab12 | 12 条记录，3 条链，链头 ab12",
        "wrong password, 4 times | 密码错误，共 4 次",
        "for app_1, store '', expires never, stock.read | 应用 app_1，有效期：永久有效，权限：stock.read",
        "for app_1, store 'a, b', expires never, x y | 应用 app_1，店铺“a, b”，有效期：永久有效，权限：x y",
        "title, price | 标题、价格",
        "merchant developer | 商家、开发者",
        "a.b: 5 → as the setting says | a.b: 5 → 按服务器设置",
        "something new, 5 | something new, 5"
      })
  void translatesDetails(String english, String chinese) {
    assertThat(CHINESE.details(english)).isEqualTo(chinese);
    assertThat(new AuditWords(Language.ENGLISH).details(english)).isEqualTo(english);
  }

  @Test
  void keepsWhatPeopleWrote() {
    assertThat(CHINESE.details(entry("merchant.suspend", "sent"))).isEqualTo("sent");
    assertThat(CHINESE.details(entry("mail.test", "sent"))).isEqualTo("已发送");
    assertThat(CHINESE.subject(entry("products.undo", ""))).isEqualTo("导入 7");
  }

  private static Audit.Entry entry(String action, String details) {
    return new Audit.Entry(
        1, 1, Instant.EPOCH, "operator", action, "import 7", details, "127.0.0.1", "");
  }
}
