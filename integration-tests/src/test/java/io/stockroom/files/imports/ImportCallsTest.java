package io.stockroom.files.imports;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.stockroom.protocol.Signature;
import io.stockroom.server.testing.Api;
import io.stockroom.server.testing.Call;
import io.stockroom.server.testing.Eventually;
import io.stockroom.server.testing.Reply;
import io.stockroom.server.testing.TestMerchant;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** {@code POST /Stock/Import} and its siblings. */
class ImportCallsTest {
  private static final Set<String> MOVING = Set.of("waiting", "planning", "applying");
  private static final String FILE =
      "artNo,title,price,color,36,37\nA1,Boot,5,red,1,2\nA2,Shoe,6,red,3,4\n";

  private final TestMerchant merchant = TestMerchant.fresh();
  private final Api api = merchant.api();

  @Test
  void plansAppliesAndUndoes() {
    String job = started(upload("").send());
    JsonNode planned = ended(job);
    assertThat(planned.get("state").asString()).isEqualTo("planned");
    assertThat(planned.get("products").toString())
        .isEqualTo("{\"created\":2,\"changed\":0,\"unchanged\":0,\"failed\":0}");
    assertThat(merchant.entries()).isZero();

    assertThat(call("Apply", "job=" + job).json().get("job").asString()).isEqualTo(job);
    JsonNode applied = ended(job);
    assertThat(applied.get("state").asString()).isEqualTo("applied");
    assertThat(applied.get("entries").toString())
        .isEqualTo("{\"created\":4,\"changed\":0,\"unchanged\":0}");
    assertThat(applied.get("undoable").asBoolean()).isTrue();

    String undo = started(call("Undo", "job=" + job));
    JsonNode undone = ended(undo);
    assertThat(undone.get("kind").asString() + undone.get("undoes").asString())
        .isEqualTo("undo" + job);
    assertThat(merchant.texts("select sum(quantity) from stock_entry where merchant_id = ?"))
        .containsExactly("0");
    assertThat(call("Status", "job=" + job).json().get("undoneBy").asString()).isEqualTo(undo);
    assertThat(call("Undo", "job=" + job).codes()).containsExactly("IMPORT_UNDONE");
    assertThat(call("Cancel", "job=" + job).codes()).containsExactly("IMPORT_STATE");
  }

  @Test
  void addsWithGzipAndCancelsAPlan() throws IOException {
    ended(started(upload("apply=true").send()));
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(packed)) {
      out.write("artNo,color,36\nA1,red,9\n".getBytes(UTF_8));
    }
    Call add =
        api.call("/Stock/Import")
            .query("mode=add&apply=true")
            .body("text/csv", packed.toByteArray())
            .header("Content-Encoding", "gzip");

    assertThat(ended(started(add.send())).get("mode").asString()).isEqualTo("add");
    assertThat(merchant.texts("select max(quantity) from stock_entry where merchant_id = ?"))
        .containsExactly("10");
    String plan = started(upload("mode=replace").chunked().send());
    ended(plan);
    assertThat(call("Cancel", "job=" + plan).status()).isEqualTo(200);
    assertThat(ended(plan).get("state").asString()).isEqualTo("cancelled");
  }

  @Test
  void pagesThroughTheErrorsOfRows() {
    StringBuilder file = new StringBuilder("artNo,color,size,quantity\n");
    for (int i = 1; i <= 101; i++) {
      file.append("A").append(i).append(",red,36,x\n");
    }
    String job = started(api.call("/Stock/Import").body("text/csv", file.toString()).send());

    JsonNode first = ended(job);
    assertThat(first.get("errors").size()).isEqualTo(100);
    assertThat(first.get("totalPages").asInt()).isEqualTo(2);
    JsonNode last =
        api.call("/Stock/Import/Status")
            .form("job=" + job + "&page=2")
            .language("zh")
            .send()
            .json()
            .get("errors");
    assertThat(last.size()).isEqualTo(1);
    assertThat(last.get(0).toString())
        .isEqualTo(
            "{\"row\":102,\"artNo\":\"A101\",\"column\":\"quantity\",\"value\":\"x\",\"code\":"
                + "\"NUMBER_FORMAT\",\"msg\":\"“x”不是 0 到 2147483647 之间的整数。\"}");
  }

  @Test
  void storesACompressedUploadCompressed() throws IOException {
    String file = "artNo,title,price\n" + "A1,Boot,x\n".repeat(100_000);
    ByteArrayOutputStream small = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(small)) {
      out.write(file.getBytes(UTF_8));
    }

    String job =
        started(
            api.call("/Stock/Import")
                .header("Content-Encoding", "gzip")
                .body("text/csv", small.toByteArray())
                .send());

    ended(job);
    String stored =
        """
        select sum(octet_length(content)) || ' '
          || (sum(octet_length(content)) > 20 * sum(pg_column_size(content)))
        from import_piece where merchant_id = ? and not rejected
        """;
    assertThat(merchant.texts(stored)).containsExactly(file.length() + " true");
  }

  @Test
  void aRepeatedKeyGetsTheSameJob() {
    Reply first = upload("apply=true").header("Idempotency-Key", "stock-1").send();
    Reply again = upload("apply=true").header("Idempotency-Key", "stock-1").send();
    Reply other = upload("apply=false").header("Idempotency-Key", "stock-1").send();

    assertThat(again.body()).isEqualTo(first.body());
    assertThat(other.codes()).containsExactly("IDEMPOTENCY_MISMATCH");
    ended(started(first));
    assertThat(merchant.texts("select count(*) from import where merchant_id = ?"))
        .containsExactly("1");
    assertThat(merchant.texts("select count(*) from import_piece where merchant_id = ?"))
        .containsExactly("0");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "  \n\n"})
  void anEmptyFileIsRejectedAtOnce(String file) {
    Reply reply = api.call("/Stock/Import").query("name=a.csv").body("text/csv", file).send();

    assertThat(reply.status()).isEqualTo(400);
    assertThat(reply.codes()).containsExactly("FILE_EMPTY");
    assertThat(reply.msg()).contains("a.csv");
    assertThat(merchant.texts("select count(*) from import_piece where merchant_id = ?"))
        .containsExactly("0");
  }

  @Test
  void productFieldsNeedTheirScope() {
    ended(started(upload("apply=true").send()));
    Api stockOnly = merchant.token("\"scopes\":[\"stock:write\"]");

    JsonNode stock =
        ended(
            started(
                stockOnly
                    .call("/Stock/Import")
                    .query("apply=true")
                    .body("text/csv", "artNo,title,color,36\nA1,,red,7\n")
                    .send()));
    Reply product =
        stockOnly
            .call("/Stock/Import")
            .query("apply=true")
            .body("text/csv", "artNo,title,color,36\nA1,Other,red,8\n")
            .send();
    String late = "A1,,red,8\n".repeat(200) + "A1,Other,red,9\n";
    JsonNode failed =
        ended(
            started(
                stockOnly
                    .call("/Stock/Import")
                    .query("apply=true")
                    .body("text/csv", "artNo,title,color,36\n" + late)
                    .send()));

    assertThat(stock.get("state").asString()).isEqualTo("applied");
    assertThat(stock.get("code").isNull()).isTrue();
    assertThat(product.status()).isEqualTo(400);
    assertThat(product.codes()).containsExactly("IMPORT_SCOPE");
    assertThat(product.msg()).contains("product:write");
    assertThat(failed.get("state").asString()).isEqualTo("failed");
    assertThat(failed.get("code").asString()).isEqualTo("IMPORT_SCOPE");
    assertThat(failed.get("reason").asString()).contains("product:write");
    assertThat(api.withToken("x").call("/Stock/Import").send().codes())
        .containsExactly("CREDENTIALS_WRONG");
  }

  @ParameterizedTest
  @CsvSource({
    "Apply=true, Apply, apply",
    "modes=add, modes, mode",
    "skipbad=true, skipbad, skipBad"
  })
  void rejectsAMisspelledFieldOfTheQuery(String query, String wrong, String right) {
    Reply reply = upload(query).send();

    assertThat(reply.codes()).containsExactly("FIELD_MISSPELLED");
    assertThat(reply.places()).containsExactly(wrong);
    assertThat(reply.msg()).contains("\"" + right + "\"");
    assertThat(upload("note=1&mode=set&Mode=add").send().success()).isTrue();
  }

  @Test
  void rejectsBadRequestsAndJobsOfOthers() {
    assertThat(api.call("/Stock/Import").query("mode=merge&apply=yes").send().codes())
        .containsExactly("MODE_UNKNOWN", "BOOLEAN_FORMAT");
    assertThat(call("Status", "").codes()).containsExactly("FIELD_MISSING");
    assertThat(call("Status", "job=x").codes()).containsExactly("NUMBER_FORMAT");
    String job = started(upload("").send());
    Api other = TestMerchant.fresh().api();
    for (String action : List.of("Status", "Apply", "Cancel", "Undo")) {
      Reply reply = other.call("/Stock/Import/" + action).form("job=" + job).send();
      assertThat(reply.status() + " " + reply.codes()).isEqualTo("200 [IMPORT_MISSING]");
    }
    assertThat(upload("").header("Content-Encoding", "gzip").send().codes())
        .containsExactly("GZIP_BROKEN");
    assertThat(upload("").header("Content-Encoding", "br").send().codes())
        .containsExactly("CONTENT_ENCODING");
    JsonNode pdf =
        ended(
            started(
                api.call("/Stock/Import")
                    .query("name=stock.csv")
                    .body("text/csv", "%PDF-1.7 …")
                    .send()));
    assertThat(pdf.get("reason").asString()).contains("is a PDF");
  }

  /** A signature covers the hash of the body, which a large file announces. */
  @Test
  void verifiesASignedFileWhileItArrives() throws Exception {
    byte[] small = FILE.getBytes(UTF_8);
    byte[] large = (FILE + " ".repeat(3 << 20) + "\n").getBytes(UTF_8);

    assertThat(signed(small, small, false).status()).isEqualTo(200);
    assertThat(signed(large, large, true).status()).isEqualTo(200);
    assertThat(signed(large, large, false).codes()).containsExactly("CONTENT_DIGEST");
    assertThat(signed(large, small, true).codes()).containsExactly("CONTENT_DIGEST");
    assertThat(merchant.texts("select count(*) from import where merchant_id = ?"))
        .containsExactly("2");
  }

  private Reply signed(byte[] announced, byte[] sent, boolean withDigest) throws Exception {
    String at = Long.toString(Instant.now().getEpochSecond());
    String nonce = UUID.randomUUID().toString();
    String text =
        Signature.signedText(
            "POST", "/Stock/Import?apply=false", at, api.accesstoken(), announced, nonce);
    Call call =
        api.call("/Stock/Import")
            .query("apply=false")
            .body("text/csv", sent)
            .header("timestamp", at)
            .header("sign", Signature.hmac(api.secret(), text))
            .header("sign-method", "HMAC-SHA256")
            .header("sign-nonce", nonce);
    byte[] hash = MessageDigest.getInstance("SHA-256").digest(announced);
    return withDigest
        ? call.header(
                "Content-Digest", "sha-256=:" + Base64.getEncoder().encodeToString(hash) + ":")
            .send()
        : call.send();
  }

  private Call upload(String query) {
    return api.call("/Stock/Import").query(query).body("text/csv", FILE);
  }

  private Reply call(String action, String form) {
    return api.call("/Stock/Import/" + action).form(form).send();
  }

  private static String started(Reply reply) {
    assertThat(reply.status()).as(reply.whole()).isEqualTo(200);
    return reply.json().get("job").asString();
  }

  private JsonNode ended(String job) {
    JsonNode[] status = new JsonNode[1];
    assertThat(
            Eventually.within(
                Duration.ofSeconds(60),
                () -> {
                  status[0] = call("Status", "job=" + job).json();
                  return !MOVING.contains(status[0].get("state").asString());
                }))
        .isTrue();
    return status[0];
  }
}
