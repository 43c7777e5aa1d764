package io.stockroom.protocol.check;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class BodyRulesTest {
  private static final String GROUP =
      "{\"color\":\"红\",\"pid\":1,\"param\":[{\"size\":\"36-40\",\"stock\":20}]}";

  @ParameterizedTest
  @ValueSource(strings = {"[%s]", "{\"list\":[%s]}", " [ %s ] "})
  void acceptsABareArrayAndAListField(String shape) {
    assertThat(Sent.create(shape.formatted(GROUP)).causes()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "/Stock/List, application/json, BODY_FORM_AS_JSON",
    "/Stock/List, '', CONTENT_TYPE_MISSING",
    "/Stock/List, text/plain, CONTENT_TYPE_WRONG",
    "/Stock/List, multipart/form-data; boundary=x, BODY_MULTIPART",
    "/Stock/List, application/x-www-form-urlencoded; charset=utf-8, ",
    "/Stock/List, application/x-www-form-urlencoded; charset=gbk, ",
  })
  void checksTheContentTypeOfEachEndpoint(String path, String type, Cause cause) {
    assertThat(Sent.right().to(path).with("Content-Type", type).causes())
        .isEqualTo(cause == null ? List.of() : List.of(cause));
  }

  @Test
  void requiresAContentTypeOnlyWhereTheServerDoes() {
    assertThat(Sent.right().to("/Usage").without("Content-Type").body("").causes()).isEmpty();
    assertThat(Sent.right().to("/Stock/Product?page=1").without("Content-Type").body("").causes())
        .isEmpty();
    assertThat(Sent.right().body("").to("/Stock/List?productid=1").without("Content-Type").causes())
        .containsExactly(Cause.CONTENT_TYPE_MISSING);
    assertThat(Sent.create("").causes()).containsExactly(Cause.BODY_MISSING);
  }

  @Test
  void findsJsonSentAsAForm() {
    assertThat(
            Sent.create("[" + GROUP + "]")
                .with("Content-Type", "application/x-www-form-urlencoded")
                .causes())
        .containsExactly(Cause.BODY_JSON_AS_FORM);
  }

  @ParameterizedTest
  @CsvSource({
    "application/json; charset=utf-8, ",
    "application/json; charset=GBK, CONTENT_TYPE_CHARSET"
  })
  void requiresUtf8ForJson(String type, Cause cause) {
    assertThat(Sent.create("[" + GROUP + "]").with("Content-Type", type).causes())
        .isEqualTo(cause == null ? List.of() : List.of(cause));
  }

  @Test
  void findsBodiesAndListsThatAreTooLarge() {
    String pad = " ".repeat(2 * 1024 * 1024 - GROUP.length() - 4);
    assertThat(Sent.create("[" + GROUP.replace("红", "r") + pad + "]").causes()).isEmpty();
    assertThat(Sent.create("[" + GROUP + pad + "     ]").causes())
        .containsExactly(Cause.BODY_TOO_LARGE);
    assertThat(Sent.create(list(300)).causes()).isEmpty();
    assertThat(Sent.create(list(301)).causes()).containsExactly(Cause.LIST_TOO_LONG);
    assertThat(Sent.create("[]").causes()).containsExactly(Cause.LIST_EMPTY);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "[%s,]|JSON_TRAILING_COMMA|body 1:62",
        "[{\"pid\":1,}]|JSON_TRAILING_COMMA|body 1:11",
        "[{'pid':1}]|JSON_QUOTES|body 1:3",
        "[{pid:1}]|JSON_QUOTES|body 1:3",
        "[{“pid”:1}]|JSON_QUOTES|body 1:3",
        "[ // groups|JSON_COMMENT|body 1:3",
        "[%s] x|JSON_BROKEN|body 1:63",
        "[%s|JSON_BROKEN|body 1:61",
        "[{\"pid\":1,\"pid\":2}]|FIELD_REPEATED|body 1:11",
        "\"[{}]\"|JSON_TWICE|body",
        "{\"color\":\"red\",\"pid\":1}|BODY_NOT_ARRAY|body",
        "{\"data\":[%s]}|BODY_WRAPPED|body",
        "17|BODY_NOT_ARRAY|body",
      })
  void namesWhatIsWrongWithTheJson(String body, Cause cause, String where) {
    CheckProblem problem = Sent.create(body.replace("%s", GROUP)).checked().all().get(0);

    assertThat(problem.cause()).isEqualTo(cause);
    assertThat(problem.where()).isEqualTo(where);
  }

  @Test
  void remarksOnAByteOrderMark() {
    Report report = Sent.create("\uFEFF[" + GROUP + "]").checked();

    assertThat(report.problems()).isEmpty();
    assertThat(report.remarks()).extracting(CheckProblem::cause).containsExactly(Cause.JSON_BOM);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "color|colour|FIELD_MISSPELT|[0].color",
        "pid|productid|FIELD_MISSPELT|[0].pid",
        "param|params|FIELD_MISSPELT|[0].param",
        "stock|quantity|FIELD_MISSPELT|[0].param[0].stock",
        "color|nothing|FIELD_MISSING|[0].color",
        "\"36-40\"|36.0|FIELD_TYPE|[0].param[0].size",
        "\"36-40\"|3.6e1|FIELD_TYPE|[0].param[0].size",
        "\"36-40\"|0|FIELD_VALUE|[0].param[0].size",
        "\"36-40\"|1000|FIELD_VALUE|[0].param[0].size",
        ":20|:\"20\"|FIELD_TYPE|[0].param[0].stock",
        ":20|:2.5|FIELD_TYPE|[0].param[0].stock",
        ":20|:-1|FIELD_VALUE|[0].param[0].stock",
        ":1,|:0,|FIELD_VALUE|[0].pid",
        "36-40|40-36|FIELD_VALUE|[0].param[0].size",
        "36-40|36-|FIELD_VALUE|[0].param[0].size",
        "红||FIELD_VALUE|[0].color",
        "[{\"size\"|[{\"barcode\":\"1\",\"size\"|FIELD_MISSPELT|[0].param[0].barCode",
        "[{\"size\"|[{\"barCode\":\"1\",\"size\"|FIELD_VALUE|[0].param[0].barCode",
      })
  void namesWhatIsWrongWithAColorGroup(String right, String wrong, Cause cause, String where) {
    String body = "[" + GROUP.replace(right, wrong == null ? "" : wrong) + "]";

    assertThat(Sent.create(body).checked().all())
        .first()
        .satisfies(
            problem -> {
              assertThat(problem.cause()).as(problem.toString()).isEqualTo(cause);
              assertThat(problem.where()).isEqualTo(where);
            });
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "\"pid\"|\"Pid\":1,\"pid\"",
        "\"stock\"|\"stok\":1,\"stock\"",
      })
  void ignoresANameThatIsCloseToAPresentOne(String right, String both) {
    assertThat(Sent.create("[" + GROUP.replace(right, both) + "]").checked().all()).isEmpty();
  }

  @Test
  void findsARepeatedEntry() {
    assertThat(Sent.create("[%s,%s]".formatted(GROUP, GROUP.replace("36-40", "41"))).causes())
        .isEmpty();
    assertThat(
            Sent.create("[%s,%s]".formatted(GROUP, GROUP.replace("36-40", "40"))).checked().all())
        .containsExactly(
            new CheckProblem(Cause.ENTRY_REPEATED, "[1].param[0]", "1 ×", "1 红 40 [0].param[0]"));
  }

  @Test
  void findsFurtherProblemsBehindAWrongContentType() {
    assertThat(
            Sent.create("[" + GROUP.replace("pid", "productid") + "]")
                .with("Content-Type", "text/plain")
                .causes())
        .containsExactly(Cause.CONTENT_TYPE_WRONG, Cause.FIELD_MISSPELT);
  }

  @ParameterizedTest
  @ValueSource(strings = {"1", "36", "999"})
  void acceptsASizeThatIsAWholeNumber(String size) {
    assertThat(Sent.create("[" + GROUP.replace("\"36-40\"", size) + "]").causes()).isEmpty();
  }

  @Test
  void acceptsGzipAndDoesNotCheckCompressedBodies() {
    Report gzip = Sent.create("\u001f\u008b").with("Content-Encoding", "gzip").checked();
    assertThat(gzip.all()).isEmpty();
    assertThat(gzip.unchecked()).containsExactly(Unchecked.BODY);
    assertThat(Sent.create("[" + GROUP + "]").with("Content-Encoding", "identity").causes())
        .isEmpty();
    assertThat(Sent.create("x").with("Content-Encoding", "br").causes())
        .containsExactly(Cause.CONTENT_ENCODING);
  }

  @Test
  void acceptsEveryColorGroupThatTheServerAccepts() {
    assertThat(
            Sent.create("[" + GROUP.replace("36-40\"", "36\",\"barCode\":\"690\"") + "]").causes())
        .isEmpty();
    assertThat(Sent.create("[" + GROUP.replace(":20", ":0,\"barCode\":null") + "]").causes())
        .isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "productid=1, ",
    "productid=2147483647, ",
    "productid=2147483648, FIELD_VALUE",
    "productid=0, FIELD_VALUE",
    "productid=abc, FIELD_VALUE",
    "productid=, FIELD_MISSING",
    "productId=1, FIELD_MISSPELT",
    "pid=1, FIELD_MISSPELT",
    "color=1, FIELD_MISSING",
    "productid=1&productid=1, FIELD_REPEATED",
    "productid=%1, FORM_ENCODING",
    "productid=1&note=100%25, ",
  })
  void namesWhatIsWrongWithAForm(String form, Cause cause) {
    assertThat(Sent.right().body(form).causes())
        .isEqualTo(cause == null ? List.of() : List.of(cause));
  }

  @ParameterizedTest
  @CsvSource({"true, ", "FALSE, ", "'', ", "1, FIELD_VALUE", "yes, FIELD_VALUE"})
  void findsAnInvalidStockFilter(String stock, Cause cause) {
    assertThat(Sent.right().to("/Stock/Product").body("page=1&stock=" + stock).causes())
        .isEqualTo(cause == null ? List.of() : List.of(cause));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{\"pid\":1}|",
        "{\"pid\":\"1\"}|",
        "{\"pid\":\"x\"}|FIELD_VALUE",
        "{\"pid\":1.5}|FIELD_TYPE",
        "{\"productid\":1}|FIELD_MISSPELT",
        "[1]|FIELD_TYPE",
      })
  void readsTheJsonOfADetail(String body, Cause cause) {
    assertThat(
            Sent.right()
                .to("/Product/Detail")
                .with("Content-Type", "application/json")
                .body(body)
                .causes())
        .isEqualTo(cause == null ? List.of() : List.of(cause));
  }

  @ParameterizedTest
  @CsvSource({"published, ", "done, FIELD_VALUE"})
  void readsPublishResults(String result, Cause cause) {
    assertThat(
            Sent.create("[{\"pid\":1,\"result\":\"%s\"}]".formatted(result))
                .to("/Product/Publish")
                .causes())
        .isEqualTo(cause == null ? List.of() : List.of(cause));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "\"change\":-1 |",
        "\"change\":0 | FIELD_VALUE",
        "\"change\":1,\"set\":1 | FIELD_VALUE",
        "\"expect\":1 | FIELD_MISSING",
        "\"set\":\"1\" | FIELD_TYPE"
      })
  void readsAdjustments(String amount, Cause cause) {
    assertThat(
            Sent.create("[{\"barCode\":\"690\",%s}]".formatted(amount))
                .to("/Stock/Adjust")
                .causes())
        .isEqualTo(cause == null ? List.of() : List.of(cause));
  }

  @Test
  void findsAnEntryThatIsAdjustedTwice() {
    assertThat(
            Sent.create("[{\"barCode\":\"690\",\"set\":1},{\"barCode\":\"690\",\"set\":1}]")
                .to("/Stock/Adjust")
                .causes())
        .containsExactly(Cause.ENTRY_REPEATED);
  }

  @ParameterizedTest
  @CsvSource({"a-b,", "a b, IDEMPOTENCY_KEY_FORMAT"})
  void readsTheIdempotencyKeyOfACallThatTakesOne(String key, Cause cause) {
    assertThat(Sent.create("[" + GROUP + "]").with("Idempotency-Key", key).causes())
        .isEqualTo(cause == null ? List.of() : List.of(cause));
    assertThat(Sent.right().with("Idempotency-Key", key).causes()).isEmpty();
  }

  private static String list(int groups) {
    return IntStream.rangeClosed(1, groups)
        .mapToObj(pid -> GROUP.replace(":1,", ":" + pid + ","))
        .collect(Collectors.joining(",", "[", "]"));
  }
}
