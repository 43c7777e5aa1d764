package io.stockroom.server;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaCall.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;

class ArchitectureTest {
  private static final String SERVER = "io.stockroom.server";
  private static final String NAMES_THAT_SAY_NOTHING =
      ".*(Impl|Manager|Utils?|Helper|Facade|Mapper)(\\$.*)?";
  private static final JavaClasses OURS =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages("io.stockroom");

  /** Breaks the rule about names, to show that the rule can be broken. */
  static final class NothingManager {}

  /** Breaks the rule about statements. */
  static final class Positional {
    static void run(Connection connection) throws SQLException {
      connection.prepareStatement("select 1").close();
    }
  }

  @Test
  void theProtocolDependsOnNothingButJavaAndItsAnnotations() {
    classes()
        .that()
        .resideInAPackage("io.stockroom.protocol..")
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage("io.stockroom.protocol..", "java..", "javax.crypto..", "org.jspecify..")
        .check(OURS);
  }

  @Test
  void packagesHaveNoCycles() {
    slices().matching(SERVER + ".(*)..").should().beFreeOfCycles().check(OURS);
  }

  /** Jobs (queue, lease, quota) use write, write uses plan, plan uses read; never the reverse. */
  @Test
  void theStepsOfAnImportDependOnEachOtherInOneDirection() {
    layeredArchitecture()
        .consideringOnlyDependenciesInAnyPackage(SERVER + ".imports..")
        .layer("jobs")
        .definedBy(SERVER + ".imports")
        .layer("write")
        .definedBy(SERVER + ".imports.write..")
        .layer("plan")
        .definedBy(SERVER + ".imports.plan..")
        .layer("read")
        .definedBy(SERVER + ".imports.read..")
        .whereLayer("jobs")
        .mayNotBeAccessedByAnyLayer()
        .whereLayer("write")
        .mayOnlyBeAccessedByLayers("jobs")
        .whereLayer("plan")
        .mayOnlyBeAccessedByLayers("jobs", "write")
        .check(OURS);
  }

  @Test
  void nothingDependsOnThePlaceWhereEverythingIsWired() {
    noClasses()
        .that()
        .resideInAPackage(SERVER + ".*..")
        .should()
        .dependOnClassesThat()
        .resideInAPackage(SERVER)
        .check(OURS);
  }

  @Test
  void theDatabasePackageKnowsNoFeature() {
    noClasses()
        .that()
        .resideInAnyPackage(SERVER + ".database..", SERVER + ".settings..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(
            SERVER + ".http..",
            SERVER + ".access..",
            SERVER + ".stock..",
            SERVER + ".catalogue..",
            SERVER + ".imports..",
            SERVER + ".limits..",
            SERVER + ".admin..")
        .check(OURS);
  }

  @Test
  void theWireKnowsNeitherProductsNorStock() {
    noClasses()
        .that()
        .resideInAPackage(SERVER + ".http..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(
            SERVER + ".stock..",
            SERVER + ".catalogue..",
            SERVER + ".imports..",
            SERVER + ".limits..",
            SERVER + ".admin..")
        .check(OURS);
  }

  @Test
  void featuresDoNotKnowHttp() {
    noClasses()
        .that()
        .resideInAnyPackage(
            SERVER + ".stock..",
            SERVER + ".catalogue..",
            SERVER + ".limits..",
            SERVER + ".publish..",
            SERVER + ".imports..",
            SERVER + ".export..",
            SERVER + ".access..",
            SERVER + ".audit..",
            SERVER + ".traffic..",
            SERVER + ".people..")
        .should()
        .dependOnClassesThat()
        .resideInAPackage(SERVER + ".http..")
        .check(OURS);
  }

  /** What everybody speaks stands on nothing but settings and the kinds of calls. */
  @Test
  void callsAndAdmissionAreTheGroundFloor() {
    noClasses()
        .that()
        .resideInAPackage(SERVER + ".call..")
        .should()
        .dependOnClassesThat(
            resideInAPackage(SERVER + "..")
                .and(
                    not(
                        resideInAnyPackage(
                            SERVER + ".call..", SERVER + ".settings..", SERVER + ".admission.."))))
        .check(OURS);
    noClasses()
        .that()
        .resideInAPackage(SERVER + ".admission..")
        .should()
        .dependOnClassesThat(
            resideInAPackage(SERVER + "..").and(not(resideInAPackage(SERVER + ".admission.."))))
        .check(OURS);
  }

  @Test
  void onlyTheDatabasePackageOpensConnections() {
    noClasses()
        .that()
        .resideOutsideOfPackage(SERVER + ".database..")
        .should()
        .dependOnClassesThat()
        .areAssignableTo(DriverManager.class)
        .orShould()
        .dependOnClassesThat()
        .resideInAnyPackage("com.zaxxer..", "org.postgresql..", "org.flywaydb..")
        .check(OURS);
    assertThat(
            OURS.get(SERVER + ".database.Database").getDirectDependenciesFromSelf().stream()
                .anyMatch(d -> d.getTargetClass().getPackageName().startsWith("com.zaxxer")))
        .isTrue();
  }

  /**
   * Parameters of statements have names: {@code Sql} alone binds them by position. A statement
   * without parameters, such as DDL, may use {@code Statement}.
   */
  @Test
  void onlyTheDatabasePackageBindsParametersByPosition() {
    ArchRule rule =
        noClasses()
            .that()
            .resideOutsideOfPackage(SERVER + ".database..")
            .and()
            .resideInAPackage(SERVER + "..")
            .should()
            .dependOnClassesThat()
            .areAssignableTo(PreparedStatement.class)
            .orShould()
            .callMethodWhere(
                target(owner(assignableTo(Connection.class)))
                    .and(target(nameMatching("prepare(Statement|Call)"))));

    rule.check(OURS);
    assertThat(
            rule.evaluate(new ClassFileImporter().importClasses(Positional.class)).hasViolation())
        .isTrue();
  }

  /** The console is made of Spring's pages; it calls the features, and they do not know it. */
  @Test
  void onlyTheWiringAndTheConsoleKnowSpringAndOnlyTheWiringAndTheWireKnowTomcat() {
    noClasses()
        .that()
        .resideInAPackage(SERVER + ".*..")
        .and()
        .resideOutsideOfPackage(SERVER + ".console..")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("org.springframework..")
        .check(OURS);
    noClasses()
        .that()
        .resideInAPackage(SERVER + ".*..")
        .and()
        .resideOutsideOfPackages(SERVER + ".http..", SERVER + ".admission..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("org.apache.catalina..", "org.apache.coyote..")
        .check(OURS);
  }

  @Test
  void namesSayWhatAClassDoes() {
    ArchRule rule = noClasses().should().haveNameMatching(NAMES_THAT_SAY_NOTHING);

    rule.check(OURS);
    assertThat(
            rule.evaluate(new ClassFileImporter().importClasses(NothingManager.class))
                .hasViolation())
        .isTrue();
  }
}
