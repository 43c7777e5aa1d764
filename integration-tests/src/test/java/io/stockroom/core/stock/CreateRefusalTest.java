package io.stockroom.core.stock;

import static org.assertj.core.api.Assertions.assertThat;

import io.stockroom.server.testing.Api;
import io.stockroom.server.testing.Reply;
import io.stockroom.server.testing.Stock;
import io.stockroom.server.testing.TestMerchant;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Invalid creates write nothing, so that all tests share a merchant. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class CreateRefusalTest {
  private final TestMerchant merchant = TestMerchant.fresh();
  private final Api api = merchant.api();
  private final int pid = merchant.product();

  @AfterEach
  void nothingWasWritten() {
    assertThat(merchant.entries()).isZero();
  }

  @ParameterizedTest
  @CsvSource({
    "0, SIZE_BOUNDS",
    "1000, SIZE_BOUNDS",
    "0-5, SIZE_BOUNDS",
    "990-1000, SIZE_BOUNDS",
    "1-2147483647, SIZE_BOUNDS",
    "1-99999999999999999999, SIZE_BOUNDS",
    "1-101, SIZE_TOO_MANY",
    "1-999, SIZE_TOO_MANY",
    "40-36, SIZE_ORDER",
    "-1, SIZE_FORMAT",
    "36-, SIZE_FORMAT",
    "-36, SIZE_FORMAT",
    "36--40, SIZE_FORMAT",
    "36-38-40, SIZE_FORMAT",
    "'36 - 40', SIZE_FORMAT",
    "' 36', SIZE_FORMAT",
    "36.5, SIZE_FORMAT",
    "036, SIZE_FORMAT",
    "+36, SIZE_FORMAT",
    "XL, SIZE_FORMAT",
    "３６, SIZE_FORMAT",
    "36–40, SIZE_FORMAT",
    "'', SIZE_FORMAT"
  })
  void rejectsEveryOtherSizeAndShowsIt(String size, String code) {
    Reply reply = api.create(Stock.one(pid, "red", size, 1));

    assertThat(reply.status()).isEqualTo(400);
    assertThat(reply.codes()).containsExactly(code);
    assertThat(reply.places()).containsExactly("[0].param[0].size");
    assertThat(reply.msg()).contains("\"" + size + "\"");
  }

  @Test
  void suggestsTheRightOrderOfABackwardRange() {
    assertThat(api.create(Stock.one(pid, "red", "40-36", 1)).msg()).contains("36-40");
  }

  @ParameterizedTest
  @ValueSource(strings = {"36.0", "3.6e1", "36.5", "null", "[\"36\"]", "{}", "true"})
  void rejectsASizeThatIsNeitherAStringNorAWholeNumber(String size) {
    Reply reply =
        api.create(Stock.list(Stock.group(pid, "red", "{\"size\":" + size + ",\"stock\":1}")));

    assertThat(reply.codes()).containsExactly("FIELD_TYPE");
    assertThat(reply.places()).containsExactly("[0].param[0].size");
    assertThat(reply.msg()).contains("a string or a whole number");
  }

  @ParameterizedTest
  @CsvSource({
    "0, SIZE_BOUNDS",
    "1000, SIZE_BOUNDS",
    "-36, SIZE_FORMAT",
    "99999999999999999999, SIZE_BOUNDS"
  })
  void limitsASizeThatIsANumber(String size, String code) {
    Reply reply =
        api.create(Stock.list(Stock.group(pid, "red", "{\"size\":" + size + ",\"stock\":1}")));

    assertThat(reply.status()).isEqualTo(400);
    assertThat(reply.codes()).containsExactly(code);
    assertThat(reply.places()).containsExactly("[0].param[0].size");
  }

  @ParameterizedTest
  @CsvSource({
    "color, colour, [0].colour",
    "color, Color, [0].Color",
    "pid, PID, [0].PID",
    "param, params, [0].params",
    "size, sise, [0].param[0].sise",
    "stock, stok, [0].param[0].stok",
  })
  void namesAMisspelledFieldAndItsRightName(String right, String wrong, String place) {
    String body = Stock.one(pid, "red", "36", 1).replace("\"" + right + "\"", "\"" + wrong + "\"");

    Reply reply = api.create(body);

    assertThat(reply.status()).isEqualTo(400);
    assertThat(reply.codes()).containsExactly("FIELD_MISSPELLED");
    assertThat(reply.places()).containsExactly(place);
    assertThat(reply.msg()).contains("\"" + wrong + "\"", "\"" + right + "\"");
  }

  @Test
  void namesAMisspelledOptionalField() {
    for (String wrong : new String[] {"barcode", "barCod", "bar_Code"}) {
      String size = "{\"size\":\"36\",\"stock\":1,\"%s\":\"6901\"}".formatted(wrong);
      Reply reply = api.create(Stock.list(Stock.group(pid, "red", size)));
      assertThat(reply.codes()).containsExactly("FIELD_MISSPELLED");
      assertThat(reply.places()).containsExactly("[0].param[0]." + wrong);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"id", "pic"})
  void doesNotTakeAnotherFieldOfTheInterfaceForAMisspelledOne(String other) {
    String body = Stock.one(pid, "red", "36", 1).replace("\"pid\"", "\"" + other + "\"");

    assertThat(api.create(body).codes()).containsExactly("FIELD_MISSING");
    assertThat(api.create(body).places()).containsExactly("[0].pid");
  }

  @ParameterizedTest
  @ValueSource(ints = {11, 30, 1000})
  void namesTheLocationOfAHugeNumber(int digits) {
    String body = Stock.one(pid, "red", "36", 1).replace(":1}", ":" + "9".repeat(digits) + "}");

    Reply reply = api.create(body);

    assertThat(reply.codes()).containsExactly("NUMBER_RANGE");
    assertThat(reply.places()).containsExactly("[0].param[0].stock");
  }

  @Test
  void expectsAnArrayInsteadOfAnObject() {
    String group = Stock.group(pid, "red", Stock.size("36", 1));
    for (String body : new String[] {group, "{\"data\":[" + group + "]}", "{}"}) {
      Reply reply = api.create(body);
      assertThat(reply.codes()).containsExactly("FIELD_TYPE");
      assertThat(reply.places()).containsExactly("");
      assertThat(reply.msg())
          .isEqualTo("an object {…} was sent where an array of color groups is expected.");
    }
    Reply chinese = api.call("/Stock/Creat").json(group).language("zh").send();
    assertThat(chinese.msg()).contains("颜色组数组");
  }

  @ParameterizedTest
  @CsvSource({
    "-1, NUMBER_RANGE",
    "2147483648, NUMBER_RANGE",
    "99999999999999999999, NUMBER_RANGE",
    "3.0, FIELD_TYPE",
    "3e0, FIELD_TYPE",
    "'\"3\"', FIELD_TYPE",
    "null, FIELD_TYPE",
    "true, FIELD_TYPE",
    "[3], FIELD_TYPE"
  })
  void rejectsEveryOtherQuantity(String stock, String code) {
    Reply reply = api.create(quantity(stock));

    assertThat(reply.status()).isEqualTo(400);
    assertThat(reply.codes()).containsExactly(code);
    assertThat(reply.places()).containsExactly("[0].param[0].stock");
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "-1", "2147483648", "1.0", "\"1\"", "null"})
  void rejectsAPidThatIsNotAPositiveWholeNumber(String number) {
    Reply reply =
        api.create(
            "[{\"color\":\"red\",\"pid\":%s,\"param\":[{\"size\":\"36\",\"stock\":1}]}]"
                .formatted(number));

    assertThat(reply.status()).isEqualTo(400);
    assertThat(reply.places()).containsExactly("[0].pid");
  }

  @ParameterizedTest
  @ValueSource(strings = {"a\\u0000b", "a\\nb", "a\\tb", "a\\u007fb", "a\\u0085b", "\\u0000"})
  void rejectsControlCharactersInAColor(String color) {
    Reply reply = api.create(Stock.one(pid, color, "36", 1));

    assertThat(reply.status()).isEqualTo(400);
    assertThat(reply.codes()).containsExactly("TEXT_CHARACTERS");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "\\u3000"})
  void rejectsAnEmptyColor(String color) {
    assertThat(api.create(Stock.one(pid, color, "36", 1)).codes()).containsExactly("TEXT_EMPTY");
  }

  @Test
  void rejectsAnEmptyArrayAndAnEmptyParam() {
    assertThat(api.create("[]").codes()).containsExactly("LIST_EMPTY");
    assertThat(api.create("{\"list\":[]}").places()).containsExactly("list");
    assertThat(api.create(Stock.list(Stock.group(pid, "red"))).places())
        .containsExactly("[0].param");
  }

  @Test
  void namesEveryMissingField() {
    assertThat(api.create("[{},{\"param\":[{}]}]").places())
        .containsExactly(
            "[0].color",
            "[0].pid",
            "[0].param",
            "[1].param[0].size",
            "[1].param[0].stock",
            "[1].color",
            "[1].pid");
  }

  @Test
  void listsUpTo100Problems() {
    Reply hundred = api.create(badSizes(100));
    assertThat(hundred.codes()).hasSize(100).containsOnly("SIZE_FORMAT");
    assertThat(hundred.msg()).endsWith("(and 97 more)");

    Reply more = api.create(badSizes(101));
    assertThat(more.places()).hasSize(100).contains("[0].param[99].size").doesNotHaveDuplicates();
    assertThat(more.msg()).endsWith("(and 98 more)");
  }

  private String badSizes(int count) {
    String sizes =
        IntStream.range(0, count)
            .mapToObj(i -> Stock.size("x" + i, 1))
            .collect(Collectors.joining(","));
    return Stock.list(Stock.group(pid, "red", sizes));
  }

  private String quantity(String stock) {
    return Stock.list(Stock.group(pid, "red", "{\"size\":\"36\",\"stock\":" + stock + "}"));
  }
}
