package io.stockroom.pictures;

import static org.assertj.core.api.Assertions.assertThat;

import io.stockroom.server.testing.Api;
import io.stockroom.server.testing.TestMerchant;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Test;

class UnusedPicturesTest {
  private final TestMerchant merchant = TestMerchant.fresh();
  private final Api api = merchant.api();
  private final UnusedPictures unused = merchant.server().pictures().unused();

  /** Whether the picture is there after the task has run. */
  private boolean remains(String path) throws SQLException {
    unused.removeOld(merchant.id());
    String sha256 = path.substring(path.lastIndexOf('/') + 1, path.indexOf(".jpg"));
    return merchant
        .texts("select encode(sha256, 'hex') from picture where merchant_id = ?")
        .contains(sha256);
  }

  /** Pretends that all pictures were stored so many days ago. */
  private void age(String interval) throws SQLException {
    execute(
        "update picture set unused_since = now() - interval '%s' where merchant_id = %d"
            .formatted(interval, merchant.id()));
  }

  private void execute(String sql) throws SQLException {
    merchant
        .server()
        .cells()
        .of(merchant.id())
        .write(
            connection -> {
              try (Statement statement = connection.createStatement()) {
                return statement.execute(sql);
              }
            });
  }

  private String stored(String query) {
    return PictureUploads.stored(api, query, PictureUploads.jpeg(200, 100, merchant.id()));
  }

  @Test
  void removesAPictureAfterThirtyDaysAndNotBefore() throws SQLException {
    String path = stored("");
    age("30 days' + interval '1 minute");
    assertThat(remains(path)).isTrue();

    age("30 days' - interval '1 minute");

    assertThat(remains(path)).isFalse();
    assertThat(merchant.texts("select bytes::text from picture_usage where merchant_id = ?"))
        .containsExactly("0");
    assertThat(merchant.texts("select 1 from picture_content where merchant_id = ?")).isEmpty();
  }

  @Test
  void keepsWhatAProductShows() throws SQLException {
    int pid = merchant.product();
    String path = stored("pid=" + pid);
    age("31 days");

    assertThat(remains(path)).isTrue();
    api.call("/Product/Archive").json("[{\"pid\":%d}]".formatted(pid)).send();
    age("31 days");
    assertThat(remains(path)).isTrue();
  }

  @Test
  void keepsWhatADescriptionShows() throws SQLException {
    String path = stored("");
    String saved =
        api.call("/Product/Save")
            .json(
                "[{\"artNo\":\"D\",\"title\":\"t\",\"price\":1,\"description\":\"<img src='https://old.example%s'>\"}]"
                    .formatted(path))
            .send()
            .body();
    assertThat(saved).contains("\"success\":true");
    age("31 days");

    assertThat(remains(path)).isTrue();
  }

  @Test
  void keepsAPictureThatIsSentAgain() throws SQLException {
    String path = stored("");
    age("31 days");

    assertThat(stored("")).isEqualTo(path);

    assertThat(remains(path)).isTrue();
  }

  @Test
  void waitsForAProductThatIsBeingSaved() throws SQLException {
    int pid = merchant.product();
    String path = stored("");
    age("31 days");
    boolean[] remained = {false};

    merchant
        .server()
        .cells()
        .of(merchant.id())
        .write(
            connection -> {
              show(connection, pid, "https://shop.example" + path);
              // the transaction has not committed yet, so nobody sees it
              remained[0] = remains(path);
              return pid;
            });

    assertThat(remained[0]).isTrue();
    assertThat(remains(path)).isTrue();
  }

  private void show(Connection connection, int pid, String address) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      int updated =
          statement.executeUpdate(
              "update product_detail set imgs = array['%s'] where merchant_id = %d and product_id = %d"
                  .formatted(address, merchant.id(), pid));
      assertThat(updated).isEqualTo(1);
    }
  }
}
