package io.stockroom.console.explorer;

import io.stockroom.core.call.Json;
import io.stockroom.protocol.Language;
import java.util.List;
import java.util.Locale;
import org.springframework.context.MessageSource;

/** The messages for the explorer's script, with {@code {0}} as placeholder. */
public final class ExplorerMessages {
  private static final List<String> NAMES =
      List.of(
          "means.done",
          "means.impossible",
          "means.400",
          "means.404",
          "means.429",
          "means.503",
          "means.500",
          "sending",
          "unreachable",
          "filled-by-server",
          "hidden-secret",
          "millis",
          "step.text",
          "step.md5",
          "step.upper",
          "step.body",
          "step.lines",
          "step.hmac",
          "body.broken",
          "choose",
          "check-it");

  private static final Object[] PLACES = {"{0}", "{1}"};

  private final MessageSource messages;

  public ExplorerMessages(MessageSource messages) {
    this.messages = messages;
  }

  String json(Language language) {
    Locale locale = Locale.of(language.tag());
    return Json.text(
        (out, _) -> {
          out.writeStartObject();
          for (String name : NAMES) {
            out.writeStringProperty(name, messages.getMessage("explorer." + name, PLACES, locale));
          }
          out.writeEndObject();
        },
        language);
  }
}
