package io.stockroom.protocol.request;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.stockroom.protocol.Language;
import io.stockroom.protocol.Problem;
import io.stockroom.protocol.Size;
import io.stockroom.protocol.request.EntryAddress.ByArtNo;
import io.stockroom.protocol.request.EntryAddress.ByBarCode;
import io.stockroom.protocol.request.EntryAddress.ByPid;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AdjustReaderTest {
  private static final String PID = "\"pid\":1,\"color\":\"red\",\"size\":36";

  @Test
  void readsEveryKindOfElement() throws Exception {
    List<Adjustment> read =
        read(
            """
            [{"pid":1,"color":" red ","size":36,"change":-2},
             {"artNo":"A100","color":"red","size":"37","set":5,"expect":7},
             {"barCode":"690","change":10,"expect":0},
             {"pid":1,"color":"red","size":"38-38","barCode":null,"set":0},
             {"pid":1,"color":"red","size":39,"barCode":"","set":1,"note":"ignored"}]\
            """);

    assertThat(read)
        .extracting(Adjustment::entry)
        .containsExactly(
            new ByPid(1, "red", Size.of(36)),
            new ByArtNo("A100", "red", Size.of(37)),
            new ByBarCode("690"),
            new ByPid(1, "red", Size.of("38-38")),
            new ByPid(1, "red", Size.of(39)));
    assertThat(read).extracting(Adjustment::amount).containsExactly(-2, 5, 10, 0, 1);
    assertThat(read)
        .extracting(Adjustment::isRelative)
        .containsExactly(true, false, true, false, false);
    assertThat(read).extracting(Adjustment::expect).containsExactly(null, 7, 0, null, null);
    assertThat(read.get(0).after(20)).isEqualTo(18);
    assertThat(read.get(1).after(20)).isEqualTo(5);
  }

  @Test
  void readsAWrappedList() throws Exception {
    assertThat(read("{\"list\":[{\"barCode\":\"690\",\"change\":1}]}")).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"1", "-1", "2147483647", "-2147483647"})
  void acceptsAChangeWithinTheBounds(String change) throws Exception {
    assertThat(read("[{%s,\"change\":%s}]".formatted(PID, change)).get(0).amount())
        .isEqualTo(Integer.parseInt(change));
  }

  @ParameterizedTest
  @CsvSource({
    "change, 0, CHANGE_ZERO",
    "change, -0, CHANGE_ZERO",
    "change, 2147483648, NUMBER_RANGE",
    "change, -2147483648, NUMBER_RANGE",
    "change, 99999999999999, NUMBER_RANGE",
    "change, 1.0, FIELD_TYPE",
    "change, '\"1\"', FIELD_TYPE",
    "change, null, FIELD_TYPE",
    "set, -1, NUMBER_RANGE",
    "set, 2147483648, NUMBER_RANGE",
    "set, true, FIELD_TYPE"
  })
  void rejectsAnAmountOutsideTheBounds(String field, String value, String code) {
    List<Problem> problems = problems("[{%s,\"%s\":%s}]".formatted(PID, field, value));

    assertThat(problems).extracting(Problem::at).containsExactly("[0]." + field);
    assertThat(problems).extracting(problem -> problem.code().name()).containsExactly(code);
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "2147483647"})
  void acceptsQuantitiesWithinTheBounds(String quantity) throws Exception {
    String body = "[{%s,\"set\":%s,\"expect\":%2$s}]".formatted(PID, quantity);
    assertThat(read(body).get(0).expect()).isEqualTo(Integer.parseInt(quantity));
  }

  @ParameterizedTest
  @ValueSource(strings = {"-1", "2147483648", "null", "\"1\"", "1.5"})
  void rejectsAnExpectationThatIsNoQuantity(String quantity) {
    assertThat(problems("[{%s,\"set\":1,\"expect\":%s}]".formatted(PID, quantity)))
        .extracting(Problem::at)
        .containsExactly("[0].expect");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "\"pid\":1,\"artNo\":\"A\",\"color\":\"red\",\"size\":36,\"change\":1 | [0]",
        "\"pid\":1,\"color\":\"red\",\"size\":36,\"barCode\":\"690\",\"change\":1 |"
            + " [0],[0].color,[0].size",
        "\"barCode\":\"690\",\"color\":\"red\",\"change\":1 | [0].color",
        "\"barCode\":\"690\",\"size\":36,\"change\":1 | [0].size",
        "\"color\":\"red\",\"size\":36,\"change\":1 | [0]",
        "\"barCode\":null,\"color\":\"red\",\"size\":36,\"change\":1 | [0]",
        "\"barCode\":\"690\" | [0]",
        "\"barCode\":\"690\",\"change\":1,\"set\":1 | [0]"
      })
  void requiresExactlyOneAddressAndOneAmount(String fields, String places) {
    List<Problem> problems = problems("[{" + fields + "}]");

    assertThat(problems).extracting(Problem::at).containsExactly(places.split(",", -1));
    assertThat(problems).extracting(problem -> problem.code().name()).containsOnly("FIELD_CHOICE");
  }

  @Test
  void saysWhichFieldsExcludeEachOther() {
    Problem none = problems("[{%s}]".formatted(PID)).get(0);
    Problem both = problems("[{%s,\"change\":1,\"set\":1}]".formatted(PID)).get(0);

    assertThat(none.message(Language.ENGLISH))
        .isEqualTo("Send exactly one of these fields: change, set. This element has none of them.");
    assertThat(none.message(Language.CHINESE)).endsWith("当前填写：无。");
    assertThat(both.message(Language.ENGLISH)).endsWith("This element has change, set.");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "\"pid\":1,\"color\":\"red\",\"change\":1 | [0].size | FIELD_MISSING",
        "\"pid\":1,\"size\":36,\"change\":1 | [0].color | FIELD_MISSING",
        "\"pid\":0,\"color\":\"red\",\"size\":36,\"change\":1 | [0].pid | NUMBER_RANGE",
        "\"pid\":\"1\",\"color\":\"red\",\"size\":36,\"change\":1 | [0].pid | FIELD_TYPE",
        "\"pid\":1,\"color\":\" \",\"size\":36,\"change\":1 | [0].color | TEXT_EMPTY",
        "\"pid\":1,\"color\":\"red\",\"size\":\"\",\"change\":1 | [0].size | TEXT_EMPTY",
        "\"pid\":1,\"color\":\"red\",\"size\":\"123456789012345678901\",\"change\":1 | [0].size | TEXT_TOO_LONG",
        "\"pid\":1,\"color\":\"red\",\"size\":\"S,M\",\"change\":1 | [0].size | TEXT_CHARACTERS",
        "\"artNo\":\"\",\"color\":\"red\",\"size\":36,\"change\":1 | [0].artNo | TEXT_EMPTY",
        "\"artNo\":7,\"color\":\"red\",\"size\":36,\"change\":1 | [0].artNo | FIELD_TYPE",
        "\"barCode\":\"a\\u200bb\",\"change\":1 | [0].barCode | TEXT_CHARACTERS",
        "\"barCode\":690,\"change\":1 | [0].barCode | FIELD_TYPE",
        "\"barcode\":\"690\",\"change\":1 | [0].barcode | FIELD_MISSPELLED",
        "\"barCode\":\"690\",\"chang\":1 | [0].chang | FIELD_MISSPELLED",
        "\"barCode\":\"690\",\"change\":1,\"expects\":1 | [0].expects | FIELD_MISSPELLED"
      })
  void namesTheFieldThatIsWrong(String fields, String place, String code) {
    List<Problem> problems = problems("[{" + fields + "}]");

    assertThat(problems).extracting(Problem::at).containsExactly(place);
    assertThat(problems).extracting(problem -> problem.code().name()).containsExactly(code);
  }

  @Test
  void limitsTheLengthOfNames() throws Exception {
    for (String field : List.of("artNo", "barCode", "color")) {
      String rest =
          switch (field) {
            case "artNo" -> "\"color\":\"red\",\"size\":36,";
            case "color" -> "\"pid\":1,\"size\":36,";
            default -> "";
          };
      String body = "[{%s\"%s\":\"%s\",\"change\":1}]";
      assertThat(read(body.formatted(rest, field, "a".repeat(64)))).hasSize(1);
      assertThat(problems(body.formatted(rest, field, "a".repeat(65))))
          .extracting(problem -> problem.code().name())
          .containsExactly("TEXT_TOO_LONG");
    }
  }

  @Test
  void accepts300ElementsAndRejects301() throws Exception {
    assertThat(read(elements(300))).hasSize(300);

    assertThat(problems(elements(301)))
        .extracting(problem -> problem.code().name())
        .containsExactly("LIST_TOO_LONG");
    assertThat(problems("[]"))
        .extracting(problem -> problem.code().name())
        .containsExactly("LIST_EMPTY");
  }

  @Test
  void rejectsTheSameEntryTwice() {
    List<Problem> problems =
        problems(
            """
            [{"pid":1,"color":"red","size":36,"change":1},
             {"pid":1,"color":"red","size":37,"change":1},
             {"pid":1,"color":"red ","size":"36","set":1},
             {"artNo":"A","color":"red","size":36,"change":1},
             {"artNo":"A","color":"red","size":36,"change":1},
             {"barCode":"690","change":1},
             {"barCode":" 690","change":2}]\
            """);

    assertThat(problems).extracting(Problem::at).containsExactly("[2]", "[4]", "[6].barCode");
    assertThat(problems)
        .extracting(problem -> problem.code().name())
        .containsExactly("ENTRY_REPEATED", "ENTRY_REPEATED", "BARCODE_REPEATED");
    assertThat(problems.get(2).message(Language.ENGLISH))
        .isEqualTo("The barcode \"690\" already occurs at [5]; send each entry once.");
  }

  @Test
  void listsTheProblemsOfAllElements() {
    assertThat(problems("[{\"pid\":0},7,{\"barCode\":\"690\",\"change\":0,\"expect\":-1}]"))
        .extracting(Problem::at)
        .containsExactly(
            "[0].pid", "[0]", "[0].color", "[0].size", "[1]", "[2].change", "[2].expect");
  }

  @Test
  void requiresJson() {
    RequestContent form = RequestContent.of(RequestContent.FORM, "", "pid=1".getBytes(UTF_8));
    InvalidRequest invalid =
        catchThrowableOfType(InvalidRequest.class, () -> AdjustReader.read(form));

    assertThat(invalid.problems().get(0).code().name()).isEqualTo("CONTENT_TYPE");
  }

  private static String elements(int count) {
    return IntStream.range(0, count)
        .mapToObj("{\"barCode\":\"%d\",\"change\":1}"::formatted)
        .collect(Collectors.joining(",", "[", "]"));
  }

  private static List<Adjustment> read(String body) throws InvalidRequest {
    return AdjustReader.read(RequestContent.of(RequestContent.JSON, "", body.getBytes(UTF_8)));
  }

  private static List<Problem> problems(String body) {
    return catchThrowableOfType(InvalidRequest.class, () -> read(body)).problems();
  }
}
