import { CODES } from "./codes.js";

/** One problem of a request: where it is, its code, and the server's message. */
export interface Problem {
  at: string;
  code: string;
  msg: string;
  /** The current quantity, for a rejected adjustment. */
  current?: number | null;
}

export interface ErrorDetails {
  code?: string;
  status?: number;
  requestId?: string;
  problems?: Problem[];
  /** Seconds to wait before the next attempt. */
  retryAfter?: number;
  /** What to do, if no code says it. */
  fix?: string;
  temporary?: boolean;
  cause?: unknown;
}

/** A call that failed. The subclass tells what a program can do about it. */
export class StockroomError extends Error {
  readonly code?: string;
  readonly status?: number;
  readonly requestId?: string;
  readonly problems: Problem[];
  readonly retryAfter?: number;
  /** What to do, in a sentence. */
  readonly fix: string;
  /** Whether the same call may succeed later, without a change of the request. */
  readonly temporary: boolean;

  constructor(words: string, details: ErrorDetails = {}) {
    const { code, status, requestId } = details;
    const facts = [status && `status ${status}`, code, requestId && `request ${requestId}`].filter(Boolean);
    super(status ? `${words} [${facts.join(", ")}]` : words, { cause: details.cause });
    this.name = new.target.name;
    this.code = code;
    this.status = status;
    this.requestId = requestId;
    this.problems = details.problems ?? [];
    this.retryAfter = details.retryAfter;
    this.fix = (code !== undefined && CODES[code]?.[1]) || details.fix || "See the message.";
    this.temporary = details.temporary ?? false;
  }
}

/** An invalid value, found before sending (no `status`) or by the server. See `problems`. */
export class InvalidRequestError extends StockroomError {}
/** Wrong or expired credentials, a missing scope, a forbidden address, a wrong clock. */
export class AuthenticationError extends StockroomError {}
/** No such product of this merchant. */
export class NotFoundError extends StockroomError {}
/** The changes after the cursor are no longer kept: take a snapshot. */
export class CursorExpiredError extends StockroomError {}
/** Valid, but not possible now, such as an adjustment below zero. See `problems`. */
export class RejectedError extends StockroomError {}
/** A limit of product detail is reached. */
export class LimitReachedError extends StockroomError {}
/** The rate limit is exceeded (429) and waiting took too long. */
export class RateLimitedError extends StockroomError {}
/** The server or a proxy is unavailable (503), after all retries. */
export class UnavailableError extends StockroomError {}
/** An internal error of the server (500). Tell the operator the `requestId`. */
export class ServerError extends StockroomError {}
/** Not reachable, connection lost or timeout, after all safe retries. */
export class NoAnswerError extends StockroomError {
  /** Whether there was no connection, so that the server cannot have done anything. */
  readonly unsent: boolean = false;

  constructor(words: string, unsent: boolean, cause: unknown) {
    const fix = unsent
      ? "Check the address and the network, and whether the server is running."
      : "Send it again if that is safe: it is unknown whether the server did the work.";
    super(words, { fix, temporary: true, cause });
    this.unsent = unsent;
  }
}
/** An answer that is not Stockroom's: a proxy's page, or a truncated or empty response. */
export class UnexpectedAnswerError extends StockroomError {}

type Failure = new (words: string, details: ErrorDetails) => StockroomError;

const CLASSES: Record<string, Failure> = {
  InvalidRequest: InvalidRequestError,
  Authentication: AuthenticationError,
  NotFound: NotFoundError,
  CursorExpired: CursorExpiredError,
  Rejected: RejectedError,
  LimitReached: LimitReachedError,
  RateLimited: RateLimitedError,
  Unavailable: UnavailableError,
  Server: ServerError,
};

const BY_STATUS: Record<number, string> = {
  200: "Rejected", 400: "InvalidRequest", 401: "Authentication", 403: "Authentication", 404: "InvalidRequest",
  405: "InvalidRequest", 409: "InvalidRequest", 413: "InvalidRequest", 429: "RateLimited", 500: "Server", 503: "Unavailable",
};

/** Turns the answer of the server into the error of its code, or of its status if the code is unknown. */
export function failure(words: string, details: ErrorDetails & { status: number }): StockroomError {
  const kind = (details.code !== undefined && CODES[details.code]?.[0]) || BY_STATUS[details.status];
  const temporary = ["RateLimited", "Unavailable", "Server"].includes(kind ?? "");
  return new (CLASSES[kind ?? ""] ?? UnexpectedAnswerError)(words, { ...details, temporary });
}
