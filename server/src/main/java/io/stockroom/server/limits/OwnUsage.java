package io.stockroom.server.limits;

import io.stockroom.protocol.Language;
import io.stockroom.server.admission.CallKind;
import io.stockroom.server.call.Answer;
import io.stockroom.server.call.Call;
import io.stockroom.server.call.Caller;
import io.stockroom.server.call.Endpoint;
import io.stockroom.server.call.Input;
import io.stockroom.server.call.Parameters;
import io.stockroom.server.call.Problems;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/** {@code POST /Usage}: how much the caller's merchant has used of every limit. */
public final class OwnUsage implements Endpoint<Integer> {
  /** The report as the interface writes it. */
  record Shown(Usage.Report report) implements Answer {
    @Override
    public void write(JsonGenerator out, Language language) {
      out.writeStartObject();
      out.writeBooleanProperty("success", true);
      out.writeStringProperty("msg", "");
      out.writeObjectPropertyStart("data");
      report.writeFields(out);
      out.writeEndObject();
      out.writeEndObject();
    }
  }

  private final Usage usage;

  public OwnUsage(Usage usage) {
    this.usage = usage;
  }

  /** {@code page} pages the products without a publish result; it may be left out. */
  @Override
  public CallKind kind() {
    return CallKind.DETAIL;
  }

  @Override
  public @Nullable Integer read(Call call, Input input, Problems problems) {
    if (input.body().length > 0) {
      input.require(Input.FORM, problems);
      if (problems.any()) {
        return null;
      }
    }
    String page = Parameters.read(input, problems).get("page");
    int number = page == null || page.isEmpty() ? 1 : Parameters.positive("page", page, problems);
    return problems.any() ? null : number;
  }

  @Override
  public Answer answer(Call call, Integer page) throws SQLException {
    Caller caller = call.caller();
    return new Shown(
        usage.report(
            caller.merchantId(),
            caller.applicationId(),
            caller.boundStore(),
            caller.limits(),
            page));
  }
}
