package io.stockroom.server;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Checks the structure described in ARCHITECTURE.md. Rules name the exceptions, so a new package is
 * covered by default.
 */
class ArchitectureTest {
  private static final String CORE = "io.stockroom.core";
  private static final String VAGUE_NAMES = ".*(Impl|Manager|Utils?|Helper|Facade|Mapper)(\\$.*)?";
  private static final Pattern MODULE = Pattern.compile("/([^/]+)/target/");
  private static final JavaClasses OURS =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages("io.stockroom");

  /** Violates the naming rule, to prove that the rule can fail. */
  static final class NothingManager {}

  @Test
  void theProtocolDependsOnNoOtherModule() {
    noClasses()
        .that()
        .resideInAPackage("io.stockroom.protocol..")
        .should()
        .dependOnClassesThat(
            resideInAPackage("io.stockroom..")
                .and(not(resideInAPackage("io.stockroom.protocol.."))))
        .check(OURS);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "io.stockroom.core.(*)..",
        "io.stockroom.files.(*)..",
        "io.stockroom.demo.(*)..",
        "io.stockroom.server.(*)..",
        "io.stockroom.files.imports.(*).."
      })
  void packagesHaveNoCycles(String packages) {
    slices().matching(packages).should().beFreeOfCycles().check(OURS);
  }

  @Test
  void infrastructureDoesNotDependOnFeatures() {
    String[] ground = {
      CORE + ".call..", CORE + ".admission..", CORE + ".database..", CORE + ".settings.."
    };
    noClasses()
        .that()
        .resideInAnyPackage(ground)
        .should()
        .dependOnClassesThat(
            resideInAPackage("io.stockroom..")
                .and(not(resideInAnyPackage(ground)))
                .and(not(resideInAPackage("io.stockroom.protocol.."))))
        .check(OURS);
  }

  @Test
  void featuresDoNotDependOnHttp() {
    noClasses()
        .that()
        .resideInAPackage(CORE + "..")
        .and()
        .resideOutsideOfPackage(CORE + ".http..")
        .should()
        .dependOnClassesThat()
        .resideInAPackage(CORE + ".http..")
        .check(OURS);
  }

  @Test
  void nothingDependsOnTheWiring() {
    noClasses()
        .that()
        .resideOutsideOfPackages("io.stockroom.server", "io.stockroom.cli..", "io.stockroom.lab..")
        .and()
        .resideOutsideOfPackage("io.stockroom.testkit..")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("io.stockroom.server")
        .check(OURS);
  }

  @Test
  void onlyTheDatabasePackagesOpenConnections() {
    noClasses()
        .that()
        .resideOutsideOfPackages(
            CORE + ".database..", "io.stockroom.postgres..", "io.stockroom.lab..")
        .should()
        .dependOnClassesThat()
        .areAssignableTo(DriverManager.class)
        .orShould()
        .dependOnClassesThat()
        .resideInAnyPackage("com.zaxxer..", "org.postgresql..", "org.flywaydb..")
        .check(OURS);
    assertThat(
            OURS.get(CORE + ".database.Database").getDirectDependenciesFromSelf().stream()
                .anyMatch(d -> d.getTargetClass().getPackageName().startsWith("com.zaxxer")))
        .isTrue();
  }

  /** Statements have named parameters: only {@code Sql} binds by position. */
  @Test
  void onlyTheDatabasePackageBindsParametersByPosition() {
    noClasses()
        .that()
        .resideOutsideOfPackages(
            CORE + ".database..", "io.stockroom.client.mirror..", "io.stockroom.lab..")
        .should()
        .dependOnClassesThat()
        .areAssignableTo(PreparedStatement.class)
        .check(OURS);
  }

  @Test
  void onlyTheConsoleUsesSpring() {
    noClasses()
        .that()
        .resideOutsideOfPackage("io.stockroom.console..")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("org.springframework..")
        .check(OURS);
  }

  @Test
  void onlyHttpUsesTheWebServer() {
    noClasses()
        .that()
        .resideOutsideOfPackage(CORE + ".http")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("org.eclipse.jetty..")
        .check(OURS);
  }

  @Test
  void onlyTheDocumentedInterfaceOfTheWebServerIsUsed() {
    ArchRule rule =
        noClasses()
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("org.eclipse.jetty..internal..", "sun..", "jdk.internal..");

    rule.check(OURS);
  }

  @Test
  void namesSayWhatAClassDoes() {
    ArchRule rule = noClasses().should().haveNameMatching(VAGUE_NAMES);

    rule.check(OURS);
    assertThat(
            rule.evaluate(new ClassFileImporter().importClasses(NothingManager.class))
                .hasViolation())
        .isTrue();
  }

  @Test
  void noModuleUsesASimpleNameTwice() {
    Map<String, String> seen = new HashMap<>();
    List<String> twice = new ArrayList<>();
    for (JavaClass each : OURS) {
      if (!each.isTopLevelClass() || each.getSimpleName().equals("package-info")) {
        continue;
      }
      Matcher module = MODULE.matcher(each.getSource().orElseThrow().getUri().toString());
      assertThat(module.find()).as(each.getName()).isTrue();
      String first = seen.put(module.group(1) + " " + each.getSimpleName(), each.getName());
      if (first != null) {
        twice.add(first + " and " + each.getName());
      }
    }
    assertThat(twice).isEmpty();
    assertThat(seen).containsKey("core Database");
  }

  @Test
  void everyPackageIsNullMarked() {
    classes()
        .that()
        .haveSimpleName("package-info")
        .should()
        .beAnnotatedWith("org.jspecify.annotations.NullMarked")
        .check(OURS);
  }
}
