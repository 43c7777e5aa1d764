package io.stockroom.protocol.check;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class AddressRulesTest {
  @Test
  void findsNoProblemInAValidRequest() {
    assertThat(Sent.right().checked()).isEqualTo(new Report(List.of(), List.of()));
  }

  @ParameterizedTest
  @EnumSource
  void recognizesEveryPathInAnyCase(Endpoint endpoint) {
    assertThat(Endpoint.at(endpoint.path())).hasValue(endpoint);
    assertThat(Endpoint.at(endpoint.path().toUpperCase(Locale.ROOT))).hasValue(endpoint);
    assertThat(Endpoint.at(endpoint.path() + "x")).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "/Stock/Lists, PATH_SPELLING, /Stock/List",
    "/Stok/List, PATH_SPELLING, /Stock/List",
    "/Stock/List/, PATH_SLASHES, /Stock/List",
    "//Stock/List, PATH_SLASHES, /Stock/List",
    "/api/Stock/List, PATH_PREFIX, /Stock/List",
    "/stock/list, PATH_CASE, /Stock/List",
  })
  void namesWhatIsWrongWithAPath(String path, Cause cause, String expected) {
    Report report = Sent.right().to(path).checked();

    assertThat(report.all()).hasSize(1);
    CheckProblem problem = report.all().get(0);
    assertThat(problem).isEqualTo(new CheckProblem(cause, "path", expected, path));
  }

  @Test
  void suggestsCreatForCreate() {
    assertThat(Sent.create("[]").to("/Stock/Create").checked().all().get(0))
        .isEqualTo(new CheckProblem(Cause.PATH_SPELLING, "path", "/Stock/Creat", "/Stock/Create"));
  }

  @Test
  void listsTheMainPathsWhenNoneIsClose() {
    CheckProblem problem = Sent.right().to("/products").checked().all().get(0);

    assertThat(problem.cause()).isEqualTo(Cause.PATH_UNKNOWN);
    assertThat(problem.expected())
        .isEqualTo("/Stock/Product  /Stock/List  /Stock/Creat  /Product/Detail");
  }

  @ParameterizedTest
  @ValueSource(strings = {"GET", "PUT", "post"})
  void rejectsMethodsOtherThanPost(String method) {
    assertThat(Sent.right().method(method).causes()).containsExactly(Cause.METHOD);
  }
}
