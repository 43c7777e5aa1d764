package io.stockroom.core.admission;

import java.util.Locale;

/** The kinds of calls. Each kind has its own limit, so that none starves another. */
public enum CallKind {
  /** Reads of the interface. They are batched: many cost little more than one. */
  READ,
  CREATE,
  DETAIL,
  /**
   * Other calls of merchants, each with a connection of its own: usage, publish results, imports,
   * and snapshots and digests of the whole stock.
   */
  OTHER,
  /** The feed of changes. Its reads are batched, too. */
  FEED,
  /** Lookups of credentials that are not cached. */
  CALLER,
  /** The operator's API. */
  OPERATOR,
  /** The pages of the console. */
  PAGE,
  /** Lookups of console sessions. */
  SESSION,
  /** Sign-ins and other pages that hash a password, which takes memory and a processor. */
  SIGN_IN,
  /** Requests that the console sends for a person: calls, webhook tests and test mails. */
  SEND,
  /** Uploads, which take as long as the client does. */
  UPLOAD,
  /** Downloads, which take as long as the client does. */
  DOWNLOAD,
  /** The management of webhooks: a test waits for the receiver. */
  WEBHOOK;

  /** Its name in the metrics. */
  String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
