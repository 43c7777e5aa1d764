package io.stockroom.lab.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class ScriptTest {
  private static final Path TWINS = Path.of("twins");

  @Test
  void parsesNumbersStatementsAndKeptRows() {
    List<Script.Command> commands =
        Script.commands(
            """
            -- a comment; it is no statement
            \\set product :first + random(0, 3)
            -- Only for the driver: for arrays.
            select array[:product] as products \\gset
            begin;
            select a::text
            from t where p = :product and q = any (:products::int[]);
            """
                .lines()
                .toList());

    assertThat(commands)
        .containsExactly(
            new Script.Set("product", ":first + random(0, 3)"),
            new Script.Statement("select array[:product] as products", true, true),
            new Script.Statement("begin", false, false),
            new Script.Statement(
                "select a::text\nfrom t where p = :product and q = any (:products::int[])",
                false,
                false));
    Script.Statement last = (Script.Statement) commands.getLast();
    assertThat(last.variables()).containsExactly("product", "products");
    assertThat(new Script(TWINS, commands).expected())
        .containsExactly("begin", "select a::text from t where p = ? and q = any (?::int[])");
  }

  @Test
  void rejectsAStatementWithoutAnEnd() {
    assertThatThrownBy(() -> Script.commands(List.of("select 1")))
        .hasMessageContaining("middle of a statement");
  }

  @Test
  void normalizesWhitespaceInStatements() {
    assertThat(Script.comparable("select f($1,\n  $12::int)\n from (\n t )"))
        .isEqualTo("select f(?, ?::int) from (t)");
    assertThat(Script.comparable("BEGIN")).isEqualTo(Script.comparable("begin"));
    assertThat(Script.comparable("select 'A'")).isNotEqualTo(Script.comparable("select 'a'"));
  }

  /** Otherwise pgbench would fail in the middle of a run. */
  @ParameterizedTest
  @EnumSource(value = Operation.class, mode = EnumSource.Mode.EXCLUDE, names = "MIXED")
  void everyVariableOfATwinIsDefined(Operation operation) {
    Marketplace market =
        new Marketplace(100, 500, 50_000, 500, 50_000, 1, 1, 1, 1, List.of(), List.of());
    Script script = Script.read(TWINS.resolve(operation.twin() + ".sql"));
    Map<String, Long> numbers = new HashMap<>(Variables.numbers(market, operation, 32));
    numbers.put("client_id", 31L);
    // the harness writes these changes itself
    numbers.put("feed_first", 1L);
    numbers.put("feed_changes", 2_000L);
    script.draw(numbers, new SplittableRandom(1));

    Set<String> known = new HashSet<>(numbers.keySet());
    known.addAll(Variables.texts(operation).keySet());
    known.add("color_name");
    for (Script.Command command : script.commands()) {
      switch (command) {
        case Script.Sent _ -> {}
        case Script.Set set -> known.add(set.name());
        case Script.Statement statement -> {
          Set<String> columns = statement.kept() ? columns(statement.sql()) : Set.of();
          assertThat(known).containsAll(statement.variables());
          if (statement.own()) {
            // otherwise the second draw would reuse the value of the first
            assertThat(Variables.texts(operation).keySet()).doesNotContainAnyElementsOf(columns);
          }
          known.addAll(columns);
        }
      }
    }
  }

  @Test
  void drawsOnlyProductsOfTheMerchantWithStock() {
    Marketplace market =
        new Marketplace(100, 500, 50_000, 500, 50_000, 7, 11, 1, 1, List.of(), List.of());
    Script script = Script.read(TWINS.resolve("stock-list.sql"));
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < 1000; i++) {
      Map<String, Long> numbers = new HashMap<>(Variables.numbers(market, Operation.STOCK_LIST, 1));
      script.draw(numbers, random);
      long merchant = numbers.getOrDefault("merchant", 0L) - 8;
      long number = numbers.getOrDefault("product", 0L) - 50_011 - merchant * 500;

      assertThat(merchant).isBetween(0L, 99L);
      assertThat(number).isBetween(0L, 498L);
      assertThat(number % 5).isNotEqualTo(4);
    }
  }

  /** So that a larger marketplace can be compared under the same load. */
  @Test
  void asksOnlyForTheWorkingSet() {
    Marketplace all =
        new Marketplace(100, 500, 50_000, 500, 50_000, 1, 1, 1, 1, List.of(), List.of());
    Marketplace market = all.asking(1_000);
    Script products = Script.read(TWINS.resolve("stock-list.sql"));
    Script pages = Script.read(TWINS.resolve("product-list-stocked.sql"));
    SplittableRandom random = new SplittableRandom(1);
    Set<Long> numbers = new HashSet<>();
    Set<Long> asked = new HashSet<>();
    for (int i = 0; i < 1000; i++) {
      Map<String, Long> product = new HashMap<>(Variables.numbers(market, Operation.STOCK_LIST, 1));
      products.draw(product, random);
      numbers.add((product.getOrDefault("product", 0L) - 50_001) % 500);
      Map<String, Long> page =
          new HashMap<>(Variables.numbers(market, Operation.PRODUCT_LIST_STOCKED, 1));
      pages.draw(page, random);
      asked.add(page.getOrDefault("page", 0L));
    }

    assertThat(numbers).containsExactlyInAnyOrder(0L, 1L, 2L, 3L, 5L, 6L, 7L, 8L);
    assertThat(asked).hasSize(16).contains(1L, 16L);
    assertThat(all.asking(Integer.MAX_VALUE)).isEqualTo(all);
  }

  /** Names after "as", and the column names of statements that return rows. */
  private static Set<String> columns(String sql) {
    Set<String> columns =
        new HashSet<>(
            List.of(
                "used", "day", "now", "number", "hash", "clock_timestamp", "color_no", "quantity"));
    java.util.regex.Pattern.compile(" as ([a-z_]+)")
        .matcher(sql)
        .results()
        .forEach(match -> columns.add(match.group(1)));
    return columns;
  }
}
