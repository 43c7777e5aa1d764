package io.stockroom.core.limits;

import io.stockroom.core.admission.CallKind;
import io.stockroom.core.call.Answer;
import io.stockroom.core.call.Call;
import io.stockroom.core.call.Call.Caller;
import io.stockroom.core.call.Endpoint;
import io.stockroom.protocol.Language;
import io.stockroom.protocol.request.FormReader;
import io.stockroom.protocol.request.InvalidRequest;
import io.stockroom.protocol.request.RequestContent;
import java.sql.SQLException;
import tools.jackson.core.JsonGenerator;

/** {@code POST /Usage}: the usage of every limit of the caller's merchant. */
public final class OwnUsage implements Endpoint<Integer> {
  /** The report in the format of the interface. */
  record Shown(Usage.Report report, boolean anySize) implements Answer {
    @Override
    public void write(JsonGenerator out, Language language) {
      out.writeStartObject();
      out.writeBooleanProperty("success", true);
      out.writeStringProperty("msg", "");
      out.writeObjectPropertyStart("data");
      report.writeFields(out);
      out.writeStringProperty("sizesInCreate", anySize ? "any" : "numbers");
      out.writeEndObject();
      out.writeEndObject();
    }
  }

  private final Usage usage;
  private final boolean anySize;

  /**
   * @param anySize the setting {@code sizes.in-create}
   */
  public OwnUsage(Usage usage, boolean anySize) {
    this.usage = usage;
    this.anySize = anySize;
  }

  @Override
  public CallKind kind() {
    return CallKind.OTHER;
  }

  /** The optional {@code page} selects a page of the unpublished products. */
  @Override
  public Integer read(Call call, RequestContent content) throws InvalidRequest {
    return FormReader.usage(content);
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
            page),
        anySize);
  }
}
