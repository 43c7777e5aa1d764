package io.stockroom.server.call;

import io.stockroom.protocol.ErrorCode;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The fields of a query string and a form body. Unknown fields are nobody's business; a known field
 * that is given twice, or differently in the two places, is an error, since we could only guess.
 */
public final class Parameters {
  private record Field(String name, String value) {}

  private final List<Field> query;
  private final List<Field> body;
  private final Problems problems;

  private Parameters(List<Field> query, List<Field> body, Problems problems) {
    this.query = query;
    this.body = body;
    this.problems = problems;
  }

  public static Parameters read(Input input, Problems problems) {
    byte[] query = input.query().getBytes(StandardCharsets.ISO_8859_1);
    return new Parameters(fields(query, problems), fields(input.body(), problems), problems);
  }

  /** Only what stands in the query string, where the body is of another kind. */
  public static Parameters readQuery(Input input, Problems problems) {
    byte[] query = input.query().getBytes(StandardCharsets.ISO_8859_1);
    return new Parameters(fields(query, problems), List.of(), problems);
  }

  /** The value of {@code name}, or null where it is not given or a problem was noted. */
  public @Nullable String get(String name) {
    List<String> inQuery = values(query, name);
    List<String> inBody = values(body, name);
    int most = Math.max(inQuery.size(), inBody.size());
    if (most > 1) {
      problems.add(name, ErrorCode.FIELD_REPEATED, name, most);
      return null;
    }
    if (most == 0) {
      return null;
    }
    if (inQuery.size() + inBody.size() == 1) {
      return inQuery.isEmpty() ? inBody.getFirst() : inQuery.getFirst();
    }
    if (!inQuery.getFirst().equals(inBody.getFirst())) {
      problems.add(name, ErrorCode.FIELD_CONFLICT, name, inQuery.getFirst(), inBody.getFirst());
      return null;
    }
    return inBody.getFirst();
  }

  /** The positive whole number {@code name}, or 0 after noting why there is none. */
  public int positive(String name) {
    int before = problems.total();
    String text = get(name);
    if (text == null || text.isEmpty()) {
      if (problems.total() == before) {
        problems.add(name, ErrorCode.FIELD_MISSING, name);
      }
      return 0;
    }
    return positive(name, text, problems);
  }

  /** Reads {@code text} as a whole number from 1, or gives 0 after noting what is wrong. */
  public static int positive(String name, String text, Problems problems) {
    long number = isDigits(text) ? Long.parseLong(text) : 0;
    if (number < 1 || number > Integer.MAX_VALUE) {
      problems.add(name, ErrorCode.NUMBER_FORMAT, text, 1, Integer.MAX_VALUE);
      return 0;
    }
    return (int) number;
  }

  private static boolean isDigits(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) < '0' || text.charAt(i) > '9') {
        return false;
      }
    }
    return !text.isEmpty() && text.length() <= 10;
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

  private static List<Field> fields(byte[] form, Problems problems) {
    List<Field> fields = new ArrayList<>(2);
    int start = 0;
    while (start < form.length) {
      int end = indexOf(form, '&', start, form.length);
      int equals = indexOf(form, '=', start, end);
      if (end > start) {
        String name = decode(form, start, equals, problems);
        String value = decode(form, Math.min(equals + 1, end), end, problems);
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

  private static @Nullable String decode(byte[] form, int start, int end, Problems problems) {
    byte[] decoded = new byte[end - start];
    int length = 0;
    for (int i = start; i < end; i++) {
      byte b = form[i];
      if (b == '%') {
        boolean whole =
            i + 2 < end && HexFormat.isHexDigit(form[i + 1]) && HexFormat.isHexDigit(form[i + 2]);
        if (!whole) {
          return broken(form, start, end, problems);
        }
        b = (byte) (HexFormat.fromHexDigit(form[i + 1]) * 16 + HexFormat.fromHexDigit(form[i + 2]));
        i += 2;
      } else if (b == '+') {
        b = ' ';
      }
      decoded[length++] = b;
    }
    try {
      return StandardCharsets.UTF_8
          .newDecoder()
          .decode(ByteBuffer.wrap(decoded, 0, length))
          .toString();
    } catch (CharacterCodingException notUtf8) {
      return broken(form, start, end, problems);
    }
  }

  private static @Nullable String broken(byte[] form, int start, int end, Problems problems) {
    String raw = new String(form, start, end - start, StandardCharsets.ISO_8859_1);
    problems.add("", ErrorCode.FORM_BROKEN, raw);
    return null;
  }
}
