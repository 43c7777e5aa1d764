package io.stockroom.console.visit;

import static org.assertj.core.api.Assertions.assertThat;

import io.stockroom.server.Stockroom;
import io.stockroom.server.testing.Pages;
import io.stockroom.server.testing.ScratchDatabase;
import io.stockroom.server.testing.TestMerchant;
import io.stockroom.server.testing.TestPerson;
import io.stockroom.server.testing.TestServer;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.sql.Statement;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A form that the database rejects because its disk is full. */
class FullDiskTest {
  private static final String FILL_DISK =
      """
      create function fill_disk() returns trigger language plpgsql as
        $$ begin raise exception 'No space left on device' using errcode = 'disk_full'; end $$;
      create trigger fill_disk before insert on product for each row execute function fill_disk();
      create trigger fill_disk before update on person for each row execute function fill_disk();
      """;

  @Test
  void saysWhatToDoAndOffersToSendTheFormAgain(@TempDir Path folder) throws Exception {
    try (ScratchDatabase database = ScratchDatabase.withTables();
        Stockroom stockroom = database.serve(folder)) {
      TestMerchant merchant = TestMerchant.on(TestServer.of(stockroom));
      TestPerson person = TestPerson.of(merchant).withPassword().again();
      Pages pages = Pages.of(person);
      database
          .database()
          .write(
              connection -> {
                try (Statement statement = connection.createStatement()) {
                  return statement.execute(FILL_DISK);
                }
              });
      String[] fields = {"artNo", "A1", "title", "Shoe <b>", "price", "59"};

      HttpResponse<String> full = pages.post("/console/products/new", fields);
      assertThat(full.statusCode()).isEqualTo(503);
      assertThat(full.body())
          .contains("The server’s disk is full", "action=\"/console/products/new\"")
          .contains("name=\"title\" value=\"Shoe &lt;b&gt;\"");

      HttpResponse<String> secret =
          pages.post(
              "/console/account", "former", TestPerson.PASSWORD, "password", "four words in a row");
      assertThat(secret.statusCode()).isEqualTo(503);
      assertThat(secret.body())
          .contains("The server’s disk is full")
          .doesNotContain("words in a row", "<form method=\"post\" action=\"/console/account\"");
    }
  }
}
