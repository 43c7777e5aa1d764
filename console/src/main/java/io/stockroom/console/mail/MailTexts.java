package io.stockroom.console.mail;

import io.stockroom.protocol.Language;
import java.text.MessageFormat;
import java.util.Locale;
import java.util.ResourceBundle;

/** The texts of mails, in the language of the recipient. */
public final class MailTexts {
  private final Locale locale;
  private final ResourceBundle texts;

  public MailTexts(Language language) {
    this.locale = Locale.of(language.tag());
    this.texts =
        ResourceBundle.getBundle(
            "console.mail",
            locale,
            ResourceBundle.Control.getNoFallbackControl(ResourceBundle.Control.FORMAT_PROPERTIES));
  }

  public String text(String key, Object... arguments) {
    return new MessageFormat(texts.getString(key), locale).format(arguments);
  }
}
