package io.stockroom.core.database;

import static java.util.stream.Collectors.toMap;
import static org.assertj.core.api.Assertions.assertThat;

import io.stockroom.server.testing.ScratchDatabase;
import io.stockroom.server.testing.SqlInSources;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * The schema has two sides, the directory and the merchants' data, without references between them,
 * so that merchants could live on several databases. The comment on each table names its side.
 */
class SchemaSidesTest {
  private static final String DIRECTORY = "Directory";
  private static final String MERCHANT_DATA = "Merchant data";

  /** Belongs to a cell as a whole, so it does not move with merchants. */
  private static final String CELL = "Cell";

  private static final String TABLES_AND_SEQUENCES =
      """
      select c.relname || '=' || coalesce(obj_description(c.oid, 'pg_class'), '')
      from pg_class c
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'S')
        and c.relname not like 'flyway%'
        and not exists (select 1 from pg_depend d where d.objid = c.oid and d.deptype = 'i')
      """;

  private static ScratchDatabase database;
  private static Map<String, String> sides;

  @BeforeAll
  static void migrate() throws Exception {
    database = new ScratchDatabase();
    Migrations.run(database.database());
    sides =
        database.texts(TABLES_AND_SEQUENCES).stream()
            .map(text -> text.split("=", 2))
            .collect(toMap(pair -> pair[0], pair -> pair[1].replaceFirst("(?s):.*", "")));
  }

  @AfterAll
  static void drop() {
    database.close();
  }

  @Test
  void everyTableNamesItsSide() {
    assertThat(sides).hasSizeGreaterThan(30);
    assertThat(sides)
        .allSatisfy((_, side) -> assertThat(side).isIn(DIRECTORY, MERCHANT_DATA, CELL));
    assertThat(sides)
        .containsEntry("access_token", DIRECTORY)
        .containsEntry("product_id", DIRECTORY)
        .containsEntry("stock_entry", MERCHANT_DATA);
    assertThat(tablesOf(CELL)).containsExactly("cell_identity");
  }

  @Test
  void foreignKeysStayOnTheirSide() {
    List<String> keys =
        database.texts(
            """
            select conrelid::regclass || ' ' || confrelid::regclass from pg_constraint
            where contype = 'f' and connamespace = 'public'::regnamespace
            """);

    assertThat(keys).isNotEmpty();
    assertThat(keys)
        .allSatisfy(
            key -> {
              String[] tables = key.split(" ");
              assertThat(sides.get(tables[0])).isEqualTo(sides.get(tables[1]));
            });
  }

  @Test
  void primaryKeysOfMerchantDataBeginWithTheMerchant() {
    Set<String> keyed =
        Set.copyOf(
            database.texts(
                """
                select i.indrelid::regclass from pg_index i
                join pg_attribute a on a.attrelid = i.indrelid and a.attnum = i.indkey[0]
                where i.indisprimary and a.attname = 'merchant_id'
                """));

    assertThat(keyed).containsAll(tablesOf(MERCHANT_DATA));
  }

  @Test
  void uniqueAndForeignKeysOfMerchantDataContainTheMerchant() {
    List<String> without =
        database.texts(
            """
            select k.owner || ' ' || k.name from (
              select indrelid::regclass::text as owner, indexrelid::regclass::text as name,
                indrelid as table_id, indkey::int2[] as columns
              from pg_index where indisunique
              union all
              select conrelid::regclass::text, conname, conrelid, conkey
              from pg_constraint where contype = 'f'
            ) k
            where not exists (select 1 from pg_attribute a
              where a.attrelid = k.table_id and a.attnum = any (k.columns)
                and a.attname = 'merchant_id')
            """);

    assertThat(without).contains("person person_email_key");
    assertThat(without)
        .noneMatch(key -> MERCHANT_DATA.equals(sides.get(key.substring(0, key.indexOf(' ')))));
  }

  @Test
  void everyStatementStaysOnOneSide() throws Exception {
    List<String> across = new ArrayList<>();
    int statements = 0;
    for (SqlInSources.Found found : SqlInSources.all()) {
      Set<String> named = found.names(sides.keySet());
      statements += named.isEmpty() ? 0 : 1;
      if (named.stream().map(sides::get).distinct().count() > 1) {
        across.add(found.where() + " " + new TreeSet<>(named));
      }
    }

    assertThat(statements).isGreaterThan(150);
    assertThat(across).isEmpty();
  }

  @Test
  void findsEveryTableOfAStatement() {
    assertThat(
            new SqlInSources.Found(
                    "",
                    """
                    with gone as (delete from node using session where true)
                    select nextval('product_id') from merchant m, product as p
                    left join
                      person using (person_id)
                    """)
                .names(sides.keySet()))
        .containsExactlyInAnyOrder(
            "node", "session", "product_id", "merchant", "product", "person");
  }

  /** Only the deletion of old rows covers all merchants; all other statements name the merchant. */
  @Test
  void statementsOfTheInterfaceNameTheMerchant() throws Exception {
    Set<String> tables = tablesOf(MERCHANT_DATA);
    List<String> without =
        SqlInSources.all().stream()
            .filter(found -> found.isInAny("catalogue", "stock", "limits", "publish", "access"))
            .filter(found -> !found.names(tables).isEmpty())
            .filter(found -> !found.text().contains("merchant_id"))
            .filter(found -> !found.text().matches("(?s)\\s*delete from \\w+ where \\w+_at < .*"))
            .map(SqlInSources.Found::where)
            .toList();

    assertThat(without).isEmpty();
  }

  private static Set<String> tablesOf(String side) {
    return sides.keySet().stream()
        .filter(name -> side.equals(sides.get(name)))
        .collect(Collectors.toSet());
  }
}
