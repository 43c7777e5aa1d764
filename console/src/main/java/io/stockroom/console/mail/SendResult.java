package io.stockroom.console.mail;

import java.util.List;

/**
 * How an attempt to send a mail ended.
 *
 * @param isFinal whether another attempt is useless, because the mail server rejected the recipient
 * @param answer what the mail server answered last, or why there was no answer
 * @param dialog the lines that both sides exchanged, if they were recorded; never a password
 */
public record SendResult(boolean sent, boolean isFinal, String answer, List<String> dialog) {
  static SendResult failed(String answer) {
    return new SendResult(false, false, answer, List.of());
  }
}
