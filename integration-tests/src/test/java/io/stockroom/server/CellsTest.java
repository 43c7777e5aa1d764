package io.stockroom.server;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.stockroom.core.database.CellIdentity;
import io.stockroom.core.database.CellTable;
import io.stockroom.core.database.Cells;
import io.stockroom.core.database.Database;
import io.stockroom.core.database.DatabaseAddress;
import io.stockroom.core.database.Migrations;
import io.stockroom.core.database.Schema;
import io.stockroom.core.database.Sql;
import io.stockroom.core.settings.Settings;
import io.stockroom.server.testing.Admin;
import io.stockroom.server.testing.Eventually;
import io.stockroom.server.testing.Http;
import io.stockroom.server.testing.OwnDatabase;
import io.stockroom.server.testing.Reply;
import io.stockroom.server.testing.StallingProxy;
import io.stockroom.server.testing.Stock;
import io.stockroom.server.testing.TestMerchant;
import io.stockroom.server.testing.TestServer;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpRequest;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Two cells: one in the directory's database, one behind a proxy that can go silent. */
class CellsTest {
  private static final Duration SOON = Duration.ofSeconds(10);

  @TempDir static Path folder;

  private static StallingProxy proxy;
  private static Stockroom stockroom;
  private static TestServer server;
  private static Admin admin;
  private static TestMerchant near;
  private static TestMerchant far;

  @BeforeAll
  static void start() throws Exception {
    Map<String, String> settings = new HashMap<>(OwnDatabase.settings(OwnDatabase.withTables()));
    settings.put("limits.create-interval", "PT0S");
    stockroom = Stockroom.start(folder, Settings.with(settings));
    server = TestServer.of(stockroom);
    admin = Admin.of(server);
    near = TestMerchant.on(server);
    DatabaseAddress east = OwnDatabase.create();
    int port = Integer.parseInt(east.jdbcUrl().replaceFirst(".*:(\\d+)/.*", "$1"));
    proxy = new StallingProxy(port);
    Reply added =
        add("east", east.jdbcUrl().replace(":" + port, ":" + proxy.port()), east.password());
    assertThat(added.status()).as(added.whole()).isEqualTo(201);
    assertThat(added.json().get("state").asString()).isEqualTo("active");
    far = TestMerchant.in("east", server);
  }

  @AfterAll
  static void stop() throws Exception {
    stockroom.close();
    proxy.close();
  }

  private static Reply add(String name, String url, String password) {
    return admin.post(
        "/admin/cells",
        """
        {"name":"%s","databaseUrl":"%s","databaseUser":"%s","databasePassword":"%s"}"""
            .formatted(name, url, TestServer.owner().user(), password));
  }

  @Test
  void servesMerchantsOfBothCells() throws Exception {
    TestMerchant here = TestMerchant.in("main", server);
    TestMerchant there = TestMerchant.in("east", server);
    for (TestMerchant merchant : List.of(here, there)) {
      int product = merchant.product();
      assertThat(merchant.api().create(Stock.one(product, "red", "36-40", 3)).status())
          .isEqualTo(200);
      assertThat(merchant.entries()).isEqualTo(5);
      assertThat(merchant.inconsistencies()).isEmpty();
      assertThat(
              merchant.texts(
                  "select distinct merchant_id from merchant_data where merchant_id = ?"))
          .containsExactly(Integer.toString(merchant.id()));
    }
    assertThat(count(server.cells().directory(), there)).isZero();
    assertThat(count(server.cells().of(there.id()), here)).isZero();
  }

  private static int count(Database database, TestMerchant merchant) throws Exception {
    return database.read(
        connection ->
            Sql.of("select count(*) from product where merchant_id = :merchantId")
                .on(connection)
                .set("merchantId", merchant.id())
                .one(row -> row.getInt(1)));
  }

  @Test
  void appendsChangesOfTheDirectoryToTheAuditLogInTheCell() {
    far.application();

    assertThat(far.texts("select action from audit where merchant_id = ? order by number"))
        .startsWith("merchant.create", "token.issue")
        .hasSizeGreaterThanOrEqualTo(3);
    assertThat(far.inDirectory("select count(*) from audit_outbox")).containsExactly("0");
    assertThat(admin.post("/admin/audit/verify", "").json().get("intact").asBoolean()).isTrue();
    assertThat(admin.get("/admin/audit?merchant=" + far.id()).body()).contains("token.issue");
    assertThat(admin.get("/admin/audit").body())
        .contains("\"merchantId\":" + near.id(), "\"merchantId\":" + far.id());
  }

  @Test
  void listsMerchantsImportsAndCellsOfAll() {
    near.importedProducts(1);
    far.importedProducts(1);

    assertThat(admin.get("/admin/imports").body())
        .contains("\"merchantId\":" + near.id(), "\"merchantId\":" + far.id());
    assertThat(admin.get("/admin/merchants/" + far.id()).json().get("products").asInt())
        .isPositive();
    assertThat(admin.get("/admin/cells").json().at("/cells/1/merchants").asInt()).isPositive();
    assertThat(admin.get("/admin/cells").json().at("/cells/0/databaseUrl").isNull()).isTrue();
  }

  @Test
  void putsAMerchantIntoTheEmptiestCell() {
    TestMerchant.in("main", server);
    TestMerchant.in("main", server);
    String emptiest =
        """
        select c.cell_id from cell c left join merchant m using (cell_id)
        group by c.cell_id order by count(m.merchant_id), c.cell_id limit 1
        """;
    List<String> expected = near.inDirectory(emptiest);

    TestMerchant merchant = TestMerchant.on(server);

    assertThat(merchant.inDirectory("select cell_id from merchant where merchant_id = ?"))
        .isEqualTo(expected);
  }

  @Test
  void refusesCellsThatCannotBeUsed() throws Exception {
    DatabaseAddress used = OwnDatabase.create();
    assertThat(add("used", used.jdbcUrl(), used.password()).status()).isEqualTo(201);
    assertThat(add("used-2", used.jdbcUrl() + "&sslmode=disable", used.password()).body())
        .contains("CELL_DATABASE", "database of the cell used already");
    DatabaseAddress newer = cellDatabase(null);
    try (Database database = new Database(newer, 2, new SimpleMeterRegistry())) {
      database.write(
          connection ->
              Sql.of("update flyway_cell_history set version = '99'").on(connection).update());
    }
    assertThat(add("newer", newer.jdbcUrl(), newer.password()).body())
        .contains("CELL_DATABASE", "cell newer", "schema version 99");
    assertThat(add("East", newer.jdbcUrl(), "").codes()).containsExactly("CELL_NAME");
    assertThat(add("east", newer.jdbcUrl(), "").codes()).containsExactly("CELL_EXISTS");
    assertThat(add("far-off", "mysql://x", "").codes()).containsExactly("CELL_DATABASE");
    assertThat(
            admin
                .post(
                    "/admin/merchants",
                    "{\"name\":\"N\",\"storeUrl\":\"n\",\"storeName\":\"N\",\"cell\":\"west\"}")
                .codes())
        .containsExactly("CELL_MISSING");
  }

  @Test
  void takesThePasswordOutOfTheUrl() throws Exception {
    DatabaseAddress address = OwnDatabase.create();
    String url =
        address.jdbcUrl()
            + "&user=%s&password=%s&sslpassword=key-hush"
                .formatted(address.user(), URLEncoder.encode(address.password(), UTF_8));

    Reply added =
        admin.post("/admin/cells", "{\"name\":\"open\",\"databaseUrl\":\"%s\"}".formatted(url));

    assertThat(added.status()).as(added.whole()).isEqualTo(201);
    assertThat(added.json().get("databaseUrl").asString()).isEqualTo(address.jdbcUrl());
    assertThat(TestMerchant.in("open", server).products(1)).hasSize(1);
    String row =
        server
            .directory()
            .read(
                connection ->
                    Sql.of("select cell::text || url from cell where name = 'open'")
                        .on(connection)
                        .one(found -> found.getString(1)));
    String seen =
        added.whole() + row + admin.get("/admin/cells").body() + admin.get("/admin/audit").body();
    assertThat(seen)
        .contains("cell.add", address.jdbcUrl())
        .doesNotContain(address.password(), "key-hush", "password=");
    DatabaseAddress stored = server.cells().roles(row("open")).owner();
    assertThat(stored.password()).isEqualTo(address.password());
    assertThat(stored.keyPassword()).isEqualTo("key-hush");
  }

  private static CellTable.Row row(String name) throws Exception {
    return server.directory().read(CellTable::all).stream()
        .filter(cell -> cell.name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void sendsTheLoginOfTheDirectoryToNoOtherServer() throws Exception {
    try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      Reply reply =
          admin.post(
              "/admin/cells",
              "{\"name\":\"loginless\",\"databaseUrl\":\"postgresql://127.0.0.1:%d/x\"}"
                  .formatted(other.getLocalPort()));

      assertThat(reply.body()).contains("CELL_DATABASE", "names no user");
      // a connection would be waiting there
      other.setSoTimeout(1);
      assertThatThrownBy(other::accept).isInstanceOf(SocketTimeoutException.class);
    }
  }

  @Test
  void startsWithACellThatHasNoLogin(@TempDir Path other) throws Exception {
    DatabaseAddress directory = OwnDatabase.withTables();
    try (Database database = new Database(directory, 2, new SimpleMeterRegistry())) {
      Sql moved = Sql.of("insert into cell (name, url) values ('west', 'jdbc:postgresql://db2/x')");
      int added = database.write(connection -> moved.on(connection).update());
      assertThat(added).isEqualTo(1);
    }

    try (Stockroom started =
        Stockroom.start(other, Settings.with(OwnDatabase.settings(directory)))) {
      assertThat(Admin.of(TestServer.of(started)).get("/admin/cells").body())
          .contains("names no user");
    }
  }

  @Test
  void refusesDatabasesOfOtherMarketplaces() throws Exception {
    DatabaseAddress directory = OwnDatabase.withTables();
    assertThat(add("taken-1", directory.jdbcUrl(), directory.password()).body())
        .contains("CELL_DATABASE", "directory of a marketplace");
    DatabaseAddress foreign = cellDatabase(UUID.randomUUID());
    assertThat(add("taken-2", foreign.jdbcUrl(), foreign.password()).body())
        .contains("CELL_DATABASE", "cell of another marketplace");
    DatabaseAddress unused = cellDatabase(null);
    assertThat(add("not-taken", unused.jdbcUrl(), unused.password()).status()).isEqualTo(201);
  }

  /** A database with the tables of a cell, which was opened as this one. */
  private static DatabaseAddress cellDatabase(@Nullable UUID identity) throws Exception {
    DatabaseAddress address = OwnDatabase.create();
    try (Database database = new Database(address, 2, new SimpleMeterRegistry())) {
      Migrations.run(database, List.of(Schema.CELL));
      if (identity != null) {
        database.write(connection -> CellIdentity.claim(connection, identity));
      }
    }
    return address;
  }

  @Test
  void addsCellsAtTheSameTime() throws Exception {
    List<DatabaseAddress> different = Stream.generate(OwnDatabase::create).limit(4).toList();
    assertThat(addAll("apart", different)).allMatch(reply -> reply.status() == 201);

    DatabaseAddress same = OwnDatabase.create();
    List<Reply> replies = addAll("together", List.of(same, same, same));
    assertThat(replies).filteredOn(reply -> reply.status() == 201).hasSize(1);
    assertThat(replies)
        .filteredOn(reply -> reply.status() != 201)
        .allSatisfy(
            reply ->
                assertThat(reply.body()).contains("database of the cell together-", "already"));
  }

  private static List<Reply> addAll(String name, List<DatabaseAddress> databases)
      throws InterruptedException {
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Callable<Reply>> adds =
          IntStream.range(0, databases.size())
              .<Callable<Reply>>mapToObj(
                  i ->
                      () ->
                          add(
                              name + "-" + i,
                              databases.get(i).jdbcUrl(),
                              databases.get(i).password()))
              .toList();
      return threads.invokeAll(adds).stream().map(Future::resultNow).toList();
    }
  }

  @Test
  void removesACellWithoutMerchantsAlsoIfItIsGone() {
    DatabaseAddress address = OwnDatabase.create();
    assertThat(add("leaving", address.jdbcUrl(), address.password()).status()).isEqualTo(201);
    assertThat(get("/metrics").body()).contains("database=\"leaving\"");

    assertThat(remove("leaving").status()).isEqualTo(200);
    assertThat(admin.get("/admin/cells").body()).doesNotContain("leaving");
    assertThat(get("/metrics").body()).doesNotContain("database=\"leaving\"");
    assertThat(remove("leaving").codes()).containsExactly("CELL_MISSING");

    assertThat(add("back", address.jdbcUrl(), address.password()).status())
        .as("its database may become a cell again")
        .isEqualTo(201);
    OwnDatabase.drop(address);
    assertThat(remove("back").status()).isEqualTo(200);
    assertThat(admin.get("/admin/audit?merchant=0").body()).contains("cell.remove");
  }

  @Test
  void keepsCellsWithMerchantsAndTheFirstOne() {
    assertThat(remove("east").body()).contains("CELL_REFUSED", "still has merchants or moves");
    assertThat(remove("main").body()).contains("CELL_REFUSED", "always stays");
    assertThat(far.api().products("page=1").status()).isEqualTo(200);
  }

  private static Reply remove(String name) {
    return admin.send("DELETE", "/admin/cells/" + name, "");
  }

  @Test
  void rotatesTheKeyUnlessACellWithMerchantsCannotBeReached() throws Exception {
    DatabaseAddress empty = OwnDatabase.create();
    assertThat(add("gone", empty.jdbcUrl(), empty.password()).status()).isEqualTo(201);
    OwnDatabase.drop(empty);
    assertThat(admin.post("/admin/keys/rotate", "").status()).isEqualTo(200);

    proxy.refuse(true);
    try {
      assertThat(admin.post("/admin/keys/rotate", "").body())
          .contains("CELL_REFUSED", "these cells cannot be reached, and have secrets: east (")
          .doesNotContain("gone");
    } finally {
      proxy.refuse(false);
    }
    assertThat(Eventually.within(SOON, () -> far.api().products("page=1").status() == 200))
        .isTrue();
    assertThat(remove("gone").status()).isEqualTo(200);
  }

  @Test
  void followsACellToItsNewAddress() throws Exception {
    DatabaseAddress old = OwnDatabase.create();
    assertThat(add("north", old.jdbcUrl(), old.password()).status()).isEqualTo(201);
    Cells.Cell north =
        server.cells().all().stream().filter(each -> each.name().equals("north")).findFirst().get();
    DatabaseAddress copy = cellDatabase(north.database().read(CellIdentity::of));

    assertThat(update("north", OwnDatabase.create()).body())
        .contains("CELL_DATABASE", "not that of the cell north");
    assertThat(update("north", cellDatabase(UUID.randomUUID())).body())
        .contains("cell of another marketplace");
    assertThat(update("north", copy).body()).contains("still answers");
    assertThat(update("main", copy).body()).contains("which database.url names");
    assertThat(update("nowhere", copy).codes()).containsExactly("CELL_MISSING");
    assertThat(databaseOf(north)).isEqualTo(nameOf(old));

    DatabaseAddress again =
        new DatabaseAddress(old.jdbcUrl() + "&sslmode=disable", old.user(), old.password());
    assertThat(update("north", again).status()).isEqualTo(200);
    OwnDatabase.drop(old);
    Reply updated = update("north", copy);
    assertThat(updated.json().get("state").asString()).as(updated.whole()).isEqualTo("active");
    assertThat(databaseOf(north)).isEqualTo(nameOf(copy));
    assertThat(admin.get("/admin/audit?merchant=0").body()).contains("cell.update");
  }

  private static Reply update(String name, DatabaseAddress address) {
    return admin.send(
        "PATCH",
        "/admin/cells/" + name,
        """
        {"databaseUrl":"%s","databaseUser":"%s","databasePassword":"%s"}"""
            .formatted(address.jdbcUrl(), address.user(), address.password()));
  }

  private static String databaseOf(Cells.Cell cell) throws Exception {
    return cell.database()
        .read(
            connection ->
                Sql.of("select current_database()").on(connection).one(row -> row.getString(1)));
  }

  private static String nameOf(DatabaseAddress address) {
    return address.jdbcUrl().replaceFirst(".*/([^/?]+).*", "$1");
  }

  @Test
  void doesNotUseTheDatabaseOfAnotherCell() throws Exception {
    DatabaseAddress south = OwnDatabase.create();
    assertThat(add("south", south.jdbcUrl(), south.password()).status()).isEqualTo(201);

    directory(
        "update cell set url = '%s' where name = 'south'"
            .formatted(cellDatabase(UUID.randomUUID()).jdbcUrl()));

    assertThat(
            Eventually.within(
                SOON, () -> admin.get("/admin/cells").body().contains("database of another cell")))
        .isTrue();
  }

  @Test
  void findsAndRepairsWhatDirectoryAndCellsDisagreeAbout() throws Exception {
    TestMerchant lost = TestMerchant.in("east", server);
    int product = lost.product();
    assertThat(check("").at("/problems").valueStream().map(each -> each.at("/ids")))
        .noneMatch(ids -> ids.valueStream().anyMatch(id -> id.asInt() == lost.id()));
    // as if the directory was restored to an earlier time
    directory("delete from access_token where merchant_id = " + lost.id());
    directory("delete from merchant where merchant_id = " + lost.id());
    directory("select setval('product_id', 1)");

    assertThat(check("").at("/problems").toString())
        .contains("data-without-merchant", "product-ids-ahead", "[" + lost.id() + "]");
    assertThat(check("?repair=true").at("/repaired").asBoolean()).isTrue();
    assertThat(check("").at("/problems").toString()).doesNotContain("product-ids-ahead");
    assertThat(TestMerchant.in("east", server).product()).isGreaterThan(product);
  }

  private static JsonNode check(String query) {
    return admin.post("/admin/cells/check" + query, "").json();
  }

  private static void directory(String sql) throws Exception {
    server
        .cells()
        .directory()
        .write(
            connection -> {
              try (var statement = connection.createStatement()) {
                return statement.execute(sql);
              }
            });
  }

  @Test
  void aSilentCellCostsOnlyItsOwnMerchants() throws Exception {
    int product = near.product();
    proxy.stall(true);
    try {
      assertThat(Eventually.within(SOON, () -> far.api().products("page=1").status() == 503))
          .isTrue();
      assertThat(near.api().create(Stock.one(product, "blue", "36-40", 1)).status()).isEqualTo(200);
      assertThat(near.api().products("page=1").status()).isEqualTo(200);
      Reply ready = get("/health/ready");
      assertThat(ready.status()).isEqualTo(200);
      assertThat(get("/metrics").body())
          .contains("stockroom_database_answers{database=\"east\"} 0.0")
          .contains("stockroom_database_answers{database=\"directory\"} 1.0");
      assertThat(admin.get("/admin/cells").json().at("/cells/1/state").asString())
          .isEqualTo("unreachable");
    } finally {
      proxy.stall(false);
    }
    assertThat(Eventually.within(SOON, () -> far.api().products("page=1").status() == 200))
        .isTrue();
  }

  private static Reply get(String path) {
    URI uri = URI.create("http://127.0.0.1:%d%s".formatted(stockroom.adminPort(), path));
    return Http.send(HttpRequest.newBuilder(uri).GET());
  }
}
