package io.stockroom.console.mail;

import io.stockroom.protocol.Language;
import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The HTML of a mail, derived from its plain text. Blank lines separate paragraphs, lines that
 * begin with a dash are a list, and {@code label <https://…>} at the end of a line is a link.
 */
final class MailHtml {
  private static final Pattern LINK = Pattern.compile("(.*?) ?<(https?://[^\\s<>\"]+)>");
  private static final String ITEM = "- ";

  private MailHtml() {}

  static String of(String text, Language language) {
    String blocks =
        Arrays.stream(text.strip().split("\\n\\s*\\n"))
            .map(MailHtml::block)
            .collect(Collectors.joining("\n"));
    return """
        <!DOCTYPE html>
        <html lang="%s">
        <head><meta charset="utf-8"><meta name="viewport" content="width=device-width"></head>
        <body style="margin:0 auto;padding:24px;max-width:560px;font:15px/1.6 system-ui,sans-serif">
        %s
        </body>
        </html>
        """
        .formatted(language.tag(), blocks);
  }

  private static String block(String block) {
    String[] lines = block.strip().split("\\n");
    return Arrays.stream(lines).allMatch(line -> line.startsWith(ITEM))
        ? Arrays.stream(lines)
            .map(line -> "<li>" + line(line.substring(ITEM.length())) + "</li>")
            .collect(Collectors.joining("\n", "<ul>\n", "\n</ul>"))
        : Arrays.stream(lines)
            .map(MailHtml::line)
            .collect(Collectors.joining("<br>\n", "<p>", "</p>"));
  }

  private static String line(String line) {
    Matcher link = LINK.matcher(line);
    if (!link.matches()) {
      return escaped(line);
    }
    String url = escaped(link.group(2));
    String label = link.group(1).isEmpty() ? url : escaped(link.group(1));
    return "<a href=\"%s\">%s</a>".formatted(url, label);
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;");
  }
}
