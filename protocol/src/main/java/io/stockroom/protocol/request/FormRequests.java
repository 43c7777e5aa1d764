package io.stockroom.protocol.request;

import io.stockroom.protocol.ErrorCode;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Reads the requests of the endpoints that take a form. */
public final class FormRequests {
  private static final String PID = "pid";

  private FormRequests() {}

  /** {@code /Stock/Product}: a form, or only the query string. */
  public static ProductListRequest productList(RequestContent content) throws InvalidRequest {
    requireFormOrNoBody(content);
    FormReader form = FormReader.of(content);
    int page = form.positive("page");
    Boolean stock = form.flag("stock");
    form.problems().throwIfAny();
    return new ProductListRequest(page, stock);
  }

  /** {@code /Stock/List}: the product's id, in a form. */
  public static int stockList(RequestContent content) throws InvalidRequest {
    content.require(RequestContent.FORM);
    return positive(FormReader.of(content), "productid");
  }

  /** {@code /Usage}: the optional page of unpublished products. */
  public static int usage(RequestContent content) throws InvalidRequest {
    requireFormOrNoBody(content);
    FormReader form = FormReader.of(content);
    String page = form.get("page");
    int number = page == null || page.isEmpty() ? 1 : form.problems().positive("page", page);
    form.problems().throwIfAny();
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
      return positive(FormReader.of(content), PID);
    }
    FormReader query = FormReader.ofQuery(content);
    String inQuery = query.get(PID);
    String inBody =
        JsonReader.read(content.body(), query.problems(), FormRequests::pid).orElse(null);
    String text = inBody == null ? inQuery : inBody;
    if (text == null) {
      throw InvalidRequest.of(PID, ErrorCode.FIELD_MISSING, PID);
    }
    if (inQuery != null && !inQuery.equals(text)) {
      throw InvalidRequest.of(PID, ErrorCode.FIELD_CONFLICT, PID, inQuery, text);
    }
    int pid = query.problems().positive(PID, text);
    query.problems().throwIfAny();
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

  private static void requireFormOrNoBody(RequestContent content) throws InvalidRequest {
    if (content.body().length > 0) {
      content.require(RequestContent.FORM);
    }
  }

  private static int positive(FormReader form, String name) throws InvalidRequest {
    int number = form.positive(name);
    form.problems().throwIfAny();
    return number;
  }
}
