package io.stockroom.protocol.request;

import io.stockroom.protocol.ErrorCode;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Reads the calls that take a form, from the query string and the body, and collects the problems.
 * Ignores unknown fields. Rejects a known field that occurs twice or differs between query and
 * body, because any choice would be a guess.
 */
public final class FormReader {
  /** How many products one call of {@code /Stock/Batch} names. */
  public static final int MAX_BATCH = 300;

  private static final String PID = "pid";
  private static final String PRODUCT_ID = "productid";

  /**
   * A request of {@code /Stock/Product}.
   *
   * @param stock null for all products, true for those with stock added, false for those without
   */
  public record ProductListRequest(int page, @Nullable Boolean stock) {}

  private record Field(String name, String value) {}

  private final Problems problems = new Problems();
  private final List<Field> query;
  private final List<Field> body;

  private FormReader(String query, byte[] body) {
    this.query = fields(query.getBytes(StandardCharsets.ISO_8859_1));
    this.body = fields(body);
  }

  /** {@code /Stock/Product}: a form, or the query string alone. */
  public static ProductListRequest productList(RequestContent content) throws InvalidRequest {
    requireFormOrNoBody(content);
    FormReader form = of(content);
    int page = form.positive("page");
    Boolean stock = form.flag("stock");
    form.problems.throwIfAny();
    return new ProductListRequest(page, stock);
  }

  /** {@code /Stock/List}: the product's id, in a form. */
  public static int stockList(RequestContent content) throws InvalidRequest {
    content.require(RequestContent.FORM);
    return positiveOnly(of(content), PRODUCT_ID);
  }

  /** {@code /Stock/Batch}: the ids of products, each once, in a form. */
  public static List<Integer> stockBatch(RequestContent content) throws InvalidRequest {
    content.require(RequestContent.FORM);
    FormReader form = of(content);
    List<String> sent = form.all(PRODUCT_ID);
    List<Integer> ids = new ArrayList<>();
    if (sent.isEmpty()) {
      form.problems.add(PRODUCT_ID, ErrorCode.FIELD_MISSING, PRODUCT_ID);
    } else if (sent.size() > MAX_BATCH) {
      form.problems.add(PRODUCT_ID, ErrorCode.LIST_TOO_LONG, sent.size(), MAX_BATCH);
    } else {
      for (String text : sent) {
        int id = form.problems.positive(PRODUCT_ID, text);
        if (id > 0 && ids.contains(id)) {
          form.problems.add(PRODUCT_ID, ErrorCode.PRODUCT_REPEATED, id, PRODUCT_ID);
        }
        ids.add(id);
      }
    }
    form.problems.throwIfAny();
    return ids;
  }

  /** {@code /Usage}: the page of unpublished products, which may be left out. */
  public static int usage(RequestContent content) throws InvalidRequest {
    requireFormOrNoBody(content);
    FormReader form = of(content);
    String page = form.get("page");
    int number = page == null || page.isEmpty() ? 1 : form.problems.positive("page", page);
    form.problems.throwIfAny();
    return number;
  }

  /**
   * {@code /Product/Detail}: the product's id. The contract names no content type, so a form, the
   * query string and a JSON object all work.
   */
  public static int detail(RequestContent content) throws InvalidRequest {
    boolean json = content.body().length > 0 && content.contentType().equals(RequestContent.JSON);
    if (!json) {
      requireFormOrNoBody(content);
      return positiveOnly(of(content), PID);
    }
    FormReader query = ofQuery(content);
    String inQuery = query.get(PID);
    String inBody = JsonReader.read(content.body(), query.problems, FormReader::pid).orElse(null);
    String text = inBody == null ? inQuery : inBody;
    if (text == null) {
      throw InvalidRequest.of(PID, ErrorCode.FIELD_MISSING, PID);
    }
    if (inQuery != null && !inQuery.equals(text)) {
      throw InvalidRequest.of(PID, ErrorCode.FIELD_CONFLICT, PID, inQuery, text);
    }
    int pid = query.problems.positive(PID, text);
    query.problems.throwIfAny();
    return pid;
  }

  private static Optional<String> pid(JsonReader json) {
    AtomicReference<@Nullable String> pid = new AtomicReference<>();
    json.object(
        "an object such as {\"pid\": 1}",
        name -> {
          if (name.equals(PID)) {
            pid.set(json.id(JsonPath.BODY.field(PID)));
          } else {
            json.skip();
          }
        });
    return Optional.ofNullable(pid.get());
  }

  static void requireFormOrNoBody(RequestContent content) throws InvalidRequest {
    if (content.body().length > 0) {
      content.require(RequestContent.FORM);
    }
  }

  private static int positiveOnly(FormReader form, String name) throws InvalidRequest {
    int number = form.positive(name);
    form.problems.throwIfAny();
    return number;
  }

  public static FormReader of(RequestContent content) {
    return new FormReader(content.query(), content.body());
  }

  /** Reads only the query string, because the body has another type. */
  static FormReader ofQuery(RequestContent content) {
    return new FormReader(content.query(), new byte[0]);
  }

  /** What is wrong so far; a reader that also reads JSON adds to it. */
  Problems problems() {
    return problems;
  }

  /** The names of all fields as sent. */
  public List<String> names() {
    return Stream.of(query, body).flatMap(List::stream).map(Field::name).distinct().toList();
  }

  /** The value of {@code name}, or null if it is missing or invalid. */
  public @Nullable String get(String name) {
    List<String> inQuery = values(query, name);
    List<String> inBody = values(body, name);
    int most = Math.max(inQuery.size(), inBody.size());
    if (most > 1) {
      problems.add(name, ErrorCode.FIELD_REPEATED, name, most);
      return null;
    }
    if (inQuery.isEmpty() || inBody.isEmpty()) {
      return most == 0 ? null : (inQuery.isEmpty() ? inBody : inQuery).get(0);
    }
    if (!inQuery.get(0).equals(inBody.get(0))) {
      problems.add(name, ErrorCode.FIELD_CONFLICT, name, inQuery.get(0), inBody.get(0));
      return null;
    }
    return inBody.get(0);
  }

  /** The values of a field that may be repeated. */
  public List<String> all(String name) {
    return Stream.of(query, body).flatMap(fields -> values(fields, name).stream()).toList();
  }

  /** The positive whole number {@code name}, or 0 after noting the problem. */
  int positive(String name) {
    int before = problems.total();
    String text = get(name);
    if (text != null && !text.isEmpty()) {
      return problems.positive(name, text);
    }
    if (problems.total() == before) {
      problems.add(name, ErrorCode.FIELD_MISSING, name);
    }
    return 0;
  }

  /** The whole number {@code name} within bounds; {@code absent} if it is missing or invalid. */
  int within(String name, int min, int max, int absent) {
    String text = get(name);
    return text == null || text.isEmpty() ? absent : problems.within(name, text, min, max);
  }

  /** The boolean {@code name}, or null if it is missing or invalid. */
  @Nullable Boolean flag(String name) {
    String text = get(name);
    if (text == null || text.isEmpty()) {
      return null;
    }
    boolean value = text.equalsIgnoreCase("true");
    if (!value && !text.equalsIgnoreCase("false")) {
      problems.add(name, ErrorCode.BOOLEAN_FORMAT, text);
    }
    return value;
  }

  private static List<String> values(List<Field> fields, String name) {
    List<String> values = new ArrayList<>(1);
    for (Field field : fields) {
      if (field.name.equals(name)) {
        values.add(field.value);
      }
    }
    return values;
  }

  private List<Field> fields(byte[] form) {
    List<Field> fields = new ArrayList<>(2);
    int start = 0;
    while (start < form.length) {
      int end = indexOf(form, '&', start, form.length);
      int equals = indexOf(form, '=', start, end);
      if (end > start) {
        String name = decode(form, start, equals);
        String value = decode(form, Math.min(equals + 1, end), end);
        if (name == null || value == null) {
          return fields;
        }
        fields.add(new Field(name, value));
      }
      start = end + 1;
    }
    return fields;
  }

  private static int indexOf(byte[] bytes, char wanted, int start, int end) {
    for (int i = start; i < end; i++) {
      if (bytes[i] == wanted) {
        return i;
      }
    }
    return end;
  }

  private @Nullable String decode(byte[] form, int start, int end) {
    byte[] decoded = new byte[end - start];
    int length = 0;
    boolean isAscii = true;
    for (int i = start; i < end; i++) {
      byte b = form[i];
      if (b == '%') {
        boolean whole =
            i + 2 < end && HexFormat.isHexDigit(form[i + 1]) && HexFormat.isHexDigit(form[i + 2]);
        if (!whole) {
          return broken(form, start, end);
        }
        b = (byte) (HexFormat.fromHexDigit(form[i + 1]) * 16 + HexFormat.fromHexDigit(form[i + 2]));
        i += 2;
      } else if (b == '+') {
        b = ' ';
      }
      decoded[length++] = b;
      isAscii &= b >= 0;
    }
    if (isAscii) {
      // nearly every field, without the garbage of a decoder
      return new String(decoded, 0, length, StandardCharsets.US_ASCII);
    }
    try {
      return StandardCharsets.UTF_8
          .newDecoder()
          .decode(ByteBuffer.wrap(decoded, 0, length))
          .toString();
    } catch (CharacterCodingException notUtf8) {
      return broken(form, start, end);
    }
  }

  private @Nullable String broken(byte[] form, int start, int end) {
    String raw = new String(form, start, end - start, StandardCharsets.ISO_8859_1);
    problems.add("", ErrorCode.FORM_BROKEN, raw);
    return null;
  }
}
