package io.stockroom.console.stock;

import io.stockroom.core.call.Json;
import io.stockroom.protocol.Language;
import java.util.List;
import java.util.Locale;
import org.springframework.context.MessageSource;

/** The messages for the grid's script, with {@code {0}} as placeholder. */
final class GridMessages {
  private static final List<String> NAMES =
      List.of(
          "color",
          "sum",
          "size",
          "zero",
          "low",
          "was",
          "new",
          "mine",
          "theirs",
          "none",
          "one",
          "many",
          "wrong-one",
          "wrong-many",
          "saved",
          "kept",
          "restored",
          "beyond",
          "pasted",
          "number",
          "barcode-long",
          "scan.unknown",
          "scan.assign",
          "scan.found",
          "scan.color",
          "color.empty",
          "color.long",
          "color.exists",
          "color.added",
          "sizes.preview",
          "sizes.known",
          "sizes.added",
          "conflict",
          "conflict.cell",
          "cell",
          "undone.one",
          "undone.many",
          "undo.conflict",
          "undo.leave",
          "undo.overwrite",
          "saving",
          "empty",
          "history.entry",
          "undo.anyway",
          "history.product",
          "nothing-to-undo",
          "nothing-to-redo",
          "quantity",
          "barcode",
          "below-zero",
          "too-large",
          "filled",
          "fill-hint",
          "fill-nothing",
          "step-up",
          "step-down",
          "conflict-one",
          "conflict-many",
          "pasted.labelled",
          "paste.colors",
          "paste.sizes",
          "paste.left-out",
          "paste.add",
          "paste.go",
          "paste.matching",
          "paste.nothing",
          "paste.refused",
          "paste.refused-barcode",
          "paste.at",
          "paste.more",
          "paste.comma",
          "paste.twice",
          "paste.nameless",
          "paste.long",
          "removed",
          "removed.cells",
          "remove.title",
          "remove.title.one",
          "remove.nothing",
          "remove.selection",
          "set.preview",
          "picture.title",
          "picture.none",
          "picture.saved",
          "picture.undone",
          "picture.unsaved",
          "others.by",
          "others.more");

  private static final Object[] PLACES = {"{0}", "{1}", "{2}", "{3}"};

  private GridMessages() {}

  static String json(MessageSource messages, Language language) {
    Locale locale = Locale.of(language.tag());
    return Json.text(
        (out, _) -> {
          out.writeStartObject();
          for (String name : NAMES) {
            out.writeStringProperty(name, messages.getMessage("grid." + name, PLACES, locale));
          }
          out.writeEndObject();
        },
        language);
  }
}
