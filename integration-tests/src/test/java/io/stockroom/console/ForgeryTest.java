package io.stockroom.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.stockroom.console.visit.Allow;
import io.stockroom.console.visit.Anyone;
import io.stockroom.server.testing.Pages;
import io.stockroom.server.testing.TestMerchant;
import io.stockroom.server.testing.TestPerson;
import java.lang.reflect.Method;
import java.net.http.HttpResponse;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.context.annotation.ClassPathScanningCandidateComponentProvider;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.type.filter.AnnotationTypeFilter;
import org.springframework.stereotype.Controller;
import org.springframework.util.ClassUtils;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestMethod;

/** Cross-site requests, and access by other merchants and roles. */
class ForgeryTest {
  private static final String[] SWITCH = {"theme", "dark"};
  private static final List<RequestMethod> READING = List.of(RequestMethod.GET);

  @Test
  void acceptsAFormOfItsOwnPage() {
    assertThat(signedIn().post("/console/preferences", SWITCH).statusCode()).isEqualTo(302);
  }

  @ParameterizedTest
  @ValueSource(strings = {"http://evil.example", "null", "http://localhost", "http://localhost:1"})
  void rejectsAFormOfAnotherSiteEvenWithItsToken(String origin) {
    Pages pages = signedIn().with("Origin", origin);

    HttpResponse<String> refused = pages.post("/console/preferences", SWITCH);

    assertThat(refused.statusCode()).isEqualTo(403);
    assertThat(refused.body()).contains("Another site sent this request");
    assertThat(pages.cookies()).doesNotContainKey("stockroom-theme");
  }

  @Test
  void rejectsAFormWithoutAnOrigin() {
    assertThat(signedIn().without("Origin").post("/console/preferences", SWITCH).statusCode())
        .isEqualTo(403);
  }

  @Test
  void rejectsAFormWithoutTheCsrfToken() {
    TestPerson person = TestPerson.of(TestMerchant.fresh());
    String other = TestPerson.of(TestMerchant.fresh()).formToken();

    assertThat(Pages.of(person).withFormToken("").post("/console/sign-out").statusCode())
        .isEqualTo(403);
    assertThat(Pages.of(person).withFormToken(other).post("/console/sign-out").statusCode())
        .isEqualTo(403);
    assertThat(Pages.of(person).get("/console/account").statusCode()).isEqualTo(200);
  }

  @Test
  void tellsAScriptThatAnotherTabReplacedItsSession() {
    Pages stale = signedIn().withFormToken("old").with("Stockroom-Request", "fetch");

    HttpResponse<String> refused = stale.post("/console/preferences", SWITCH);
    HttpResponse<String> again = stale.post("/console/sign-in", "email", "a@b.c", "password", "x");

    assertThat(refused.statusCode()).isEqualTo(403);
    assertThat(refused.headers().firstValue("Stockroom-Session")).hasValue("changed");
    assertThat(again.statusCode()).as("the dialog may sign in").isEqualTo(401);
  }

  @Test
  void acceptsTheTokenInAHeader() {
    TestPerson person = TestPerson.of(TestMerchant.fresh());
    Pages pages = Pages.of(person).withFormToken("").with("Form-Token", person.formToken());

    assertThat(pages.post("/console/preferences", SWITCH).statusCode()).isEqualTo(302);
  }

  @Test
  void rejectsCrossSiteSignIn() {
    Pages pages = Pages.stranger().with("Origin", "http://evil.example");

    assertThat(pages.post("/console/sign-in", "email", "a@b.c", "password", "x").statusCode())
        .isEqualTo(403);
  }

  @Test
  void anotherMerchantsProductLooksMissing() {
    TestMerchant other = TestMerchant.fresh();
    int product = other.product();
    Pages mine = signedIn();

    HttpResponse<String> foreign = mine.get("/console/products/" + product);
    HttpResponse<String> missing = mine.get("/console/products/2147483647");

    assertThat(foreign.statusCode()).isEqualTo(404);
    assertThat(foreign.body().replace("/" + product, "/2147483647")).isEqualTo(missing.body());
    assertThat(Pages.of(TestPerson.of(other)).get("/console/products/" + product).statusCode())
        .isEqualTo(200);
  }

  @Test
  void showsOnlyPagesOfThePersonsRoles() {
    TestMerchant merchant = TestMerchant.fresh();
    Pages developer =
        Pages.of(
            TestPerson.with(
                "\"merchantId\":%d,\"roles\":[\"developer\"]".formatted(merchant.id())));
    Pages operator = Pages.of(TestPerson.operator());

    assertThat(developer.get("/console/products").statusCode()).isEqualTo(404);
    assertThat(operator.get("/console/products").statusCode()).isEqualTo(404);
    assertThat(operator.get("/console/account").body()).doesNotContain("/console/products");
  }

  @Test
  void everyPageDeclaresItsRoles() {
    List<Method> handlers = handlers().toList();
    assertThat(handlers).hasSizeGreaterThan(10);
    for (Method method : handlers) {
      assertThat(
              AnnotatedElementUtils.hasAnnotation(method, Allow.class)
                  || AnnotatedElementUtils.hasAnnotation(method, Anyone.class)
                  || AnnotatedElementUtils.hasAnnotation(method.getDeclaringClass(), Allow.class)
                  || AnnotatedElementUtils.hasAnnotation(method.getDeclaringClass(), Anyone.class))
          .as(method.toString())
          .isTrue();
    }
  }

  @Test
  void everyChangingRouteRejectsOtherSitesAndFormsWithoutTheToken() {
    List<String> paths = changingPaths();
    TestPerson merchant = TestPerson.of(TestMerchant.fresh());
    TestPerson operator = TestPerson.operator();

    assertThat(paths).hasSizeGreaterThan(10).contains("/console/people/1/remove");
    for (String path : paths) {
      Set<String> said = new HashSet<>();
      for (TestPerson person : List.of(merchant, operator)) {
        HttpResponse<String> foreign =
            Pages.of(person).with("Origin", "http://evil.example").post(path);
        assertThat(foreign.statusCode()).as(path).isEqualTo(403);
        assertThat(foreign.body()).as(path).contains("Another site sent this request");
        HttpResponse<String> unsigned = Pages.of(person).withFormToken("").post(path);
        assertThat(unsigned.statusCode()).as(path).isIn(403, 404);
        said.add(unsigned.body().contains("This page is out of date") ? "form" : "missing");
      }
      assertThat(said).as("%s is there for one of them", path).contains("form");
    }
  }

  /** The path of every handler that can change something, with 1 for each path variable. */
  private static List<String> changingPaths() {
    return handlers()
        .filter(method -> !mayComeFromAnotherTab(method))
        .map(method -> AnnotatedElementUtils.findMergedAnnotation(method, RequestMapping.class))
        .filter(mapping -> mapping != null && !List.of(mapping.method()).equals(READING))
        .flatMap(mapping -> Stream.of(mapping.path()))
        .filter(path -> !path.equals("/**"))
        .map(path -> "/console" + path.replaceAll("\\{[^}]+}", "1"))
        .toList();
  }

  private static Stream<Method> handlers() {
    ClassPathScanningCandidateComponentProvider scanner =
        new ClassPathScanningCandidateComponentProvider(false);
    scanner.addIncludeFilter(new AnnotationTypeFilter(Controller.class));
    return scanner.findCandidateComponents("io.stockroom.console").stream()
        .map(found -> ClassUtils.resolveClassName(String.valueOf(found.getBeanClassName()), null))
        .flatMap(found -> Stream.of(found.getDeclaredMethods()))
        .filter(method -> AnnotatedElementUtils.hasAnnotation(method, RequestMapping.class));
  }

  private static boolean mayComeFromAnotherTab(Method method) {
    Anyone anyone = AnnotatedElementUtils.findMergedAnnotation(method, Anyone.class);
    return anyone != null && !anyone.formToken();
  }

  private static Pages signedIn() {
    return Pages.of(TestPerson.of(TestMerchant.fresh()));
  }
}
