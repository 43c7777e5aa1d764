import { Checks, checkAddress, type Language } from "./check.js";
import {
  failure, NoAnswerError, RateLimitedError, RejectedError, StockroomError, UnavailableError,
  UnexpectedAnswerError, type Problem,
} from "./errors.js";
import { randomKey, sha256, sign, signHmac } from "./signing.js";
import type {
  Adjustment, AdjustReport, ArchiveReport, BatchedStock, ChangePage, ColorGroup, FoundPage, ImportError, ImportStatus, Product,
  ProductDetail, ProductDraft, ProductName, ProductPage, ProductQuery, PublishReport, PublishResult, Removal, RemoveReport, SaveReport, PictureSpot, SnapshotPage, StockDigest, StockEntry, StoredPicture, Unpublished, Usage, Webhook, WebhookDelivery, WebhookSecret,
} from "./types.js";

export * from "./errors.js";
export * from "./types.js";
export { sign, signHmac, verifyWebhook, WebhookVerificationError, type WebhookMessage, type WebhookReason } from "./signing.js";

const VERSION = "0.1.0";
const FORM = "application/x-www-form-urlencoded";
const JSON_TYPE = "application/json";
const FILE = "application/octet-stream";
const MAX_GROUPS = 300;
const MAX_ENTRIES = 10_000;

export interface Settings {
  /** The server's URL, such as `https://stock.example`. */
  address: string;
  appid: string;
  /** Never sent. */
  secret: string;
  accesstoken: string;
  /** `hmac-sha256` signs the whole request. */
  signature?: "md5" | "hmac-sha256";
  /** Of all messages. */
  language?: Language;
  /** Seconds for one attempt. */
  timeout?: number;
  /** Attempts after the first, not counting those after a 429. */
  retries?: number;
  /** Seconds that one call may wait for rate limits (429), and the longest wait between two attempts. */
  maxWait?: number;
  fetch?: typeof fetch;
  /** The current time in milliseconds. */
  now?: () => number;
  /** Waits some seconds. */
  sleep?: (seconds: number) => Promise<void>;
}

export interface CallOptions {
  /** Such as the number of an order: the server does the work of one key once, for 24 hours. */
  idempotencyKey?: string;
}

interface Call { path: string; type: string; body: string | Uint8Array<ArrayBuffer>; repeatable: boolean; key?: string; wait?: number }
interface Answer { status: number; headers: Headers; fields: Record<string, any> }

/** Calls a Stockroom server for one merchant. */
export class StockroomClient {
  readonly imports: Imports;
  readonly webhooks: Webhooks;
  private readonly settings: Required<Settings>;
  private ahead = 0;

  constructor(settings: Settings) {
    this.settings = {
      signature: "md5", language: "en", timeout: 30, retries: 4, maxWait: 60, now: Date.now,
      fetch: (...request) => globalThis.fetch(...request),
      sleep: (seconds) => new Promise((done) => setTimeout(done, seconds * 1000)),
      ...settings,
      address: checkAddress(settings.address),
    };
    const checks = this.checks();
    checks.header("appid", settings.appid);
    checks.header("accesstoken", settings.accesstoken);
    if (!settings.secret) checks.add("secret", "TEXT_EMPTY");
    checks.done();
    this.imports = new Imports((call) => {
      this.check(() => {}, { idempotencyKey: call.key });
      return this.fields(call);
    });
    this.webhooks = new Webhooks((path, type, body, read) => this.fields({ path, type, body, repeatable: read }));
  }

  /** Reads STOCKROOM_SERVER, STOCKROOM_APPID, STOCKROOM_SECRET and STOCKROOM_TOKEN (Node.js). */
  static fromEnvironment(settings: Partial<Settings> = {}): StockroomClient {
    const variables: Record<string, string | undefined> = (globalThis as any).process?.env ?? {};
    const value = (name: string): string => {
      const found = variables[name];
      if (!found) throw new StockroomError(`The environment variable ${name} is not set.`, { fix: `Set ${name}.` });
      return found;
    };
    return new StockroomClient({
      address: value("STOCKROOM_SERVER"), appid: value("STOCKROOM_APPID"), secret: value("STOCKROOM_SECRET"),
      accesstoken: value("STOCKROOM_TOKEN"), ...settings,
    });
  }

  /** All products in id order, or those with (true) or without (false) stock. */
  products(stock?: boolean): AsyncGenerator<Product> {
    return pages(async (page) => {
      const { totalPages, data } = await this.productPage(page, stock);
      return [totalPages, data];
    });
  }

  async productPage(page: number, stock?: boolean): Promise<ProductPage> {
    this.check((checks) => checks.field("page", page, 1));
    const { totalPages, data } = await this.read("/Stock/Product", { page, stock });
    return { totalPages, data };
  }

  /** The entries of a product; empty if it has no stock yet. */
  async stock(pid: number): Promise<StockEntry[]> {
    this.check((checks) => checks.field("productid", pid, 1));
    const answer = await this.ask(read("/Stock/List", { productid: pid }));
    return codeOf(answer) === "STOCK_NOT_ADDED" ? [] : success(answer).data;
  }

  /**
   * Creates entries or sets their quantities, in requests of at most 300 groups, within the rate limit. The server
   * writes each request completely or not at all. Returns the number of groups.
   */
  async createStock(groups: ColorGroup[], options: CallOptions = {}): Promise<number> {
    this.check((checks) => checks.create(groups), options);
    const key = options.idempotencyKey ?? (await randomKey());
    for (const [index, batch] of batches(groups).entries()) {
      await this.fields(keyed("/Stock/Creat", batch, index === 0 ? key : `${key}.${index}`));
    }
    return groups.length;
  }

  /** Changes quantities of existing entries, all or none. A RejectedError lists what is not possible. */
  async adjust(adjustments: Adjustment[], options: CallOptions = {}): Promise<AdjustReport> {
    this.check((checks) => checks.adjust(adjustments), options);
    const { number, entries } = await this.allOrNone("/Stock/Adjust", adjustments, options);
    return { number, entries };
  }

  /** Removes entries, colors or sizes, all or none. */
  async removeStock(removals: Removal[], options: CallOptions = {}): Promise<RemoveReport> {
    const { number, entries } = await this.allOrNone("/Stock/Remove", removals, options);
    return { number, entries };
  }

  /** The entries of up to 300 products, in the order of their ids; a missing product has a `code` instead. */
  async stockBatch(pids: number[]): Promise<BatchedStock[]> {
    return (await this.read("/Stock/Batch", { productid: pids })).products;
  }

  /**
   * Products by item numbers, barcodes, words and changes, page by page. Keep the cursor of the first page: with
   * `changedAfter` it finds later what has changed since.
   */
  async *findProducts(query: ProductQuery = {}): AsyncGenerator<FoundPage> {
    for (let after = ""; ; ) {
      const { cursor, next, products } = await this.read("/Product/Find", { ...query, after });
      yield { cursor, next, products };
      if (next === "") return;
      after = next;
    }
  }

  /** Creates products and changes fields of existing ones, at most 100, all or none. */
  async saveProducts(drafts: ProductDraft[], options: CallOptions = {}): Promise<SaveReport> {
    const { number, products } = await this.allOrNone("/Product/Save", drafts, options);
    return { number, products };
  }

  /** Stores a JPEG, PNG, WebP or GIF, and adds it to a product. The settings must sign with `hmac-sha256`. */
  async addPicture(content: string | Uint8Array<ArrayBuffer>, spot: PictureSpot = {}, options: CallOptions = {}): Promise<StoredPicture> {
    this.check(() => {}, options);
    const query = form(spot as Record<string, string | number | undefined>);
    const path = `/Product/Picture${query && `?${query}`}`;
    const key = options.idempotencyKey ?? (await randomKey());
    const { number, address, sha256, width, height } = await this.fields({ path, type: FILE, body: content, repeatable: true, key });
    return { number, address, sha256, width, height };
  }

  /** Archives products; at most 100, all or none. */
  async archiveProducts(names: ProductName[], options: CallOptions = {}): Promise<ArchiveReport> {
    const { number, products } = await this.allOrNone("/Product/Archive", names, options);
    return { number, products };
  }

  /** Brings archived products back with their stock; at most 100, all or none. */
  async restoreProducts(names: ProductName[], options: CallOptions = {}): Promise<ArchiveReport> {
    const { number, products } = await this.allOrNone("/Product/Restore", names, options);
    return { number, products };
  }

  /** A RejectedError lists everything that is not possible. */
  private async allOrNone(path: string, content: unknown, options: CallOptions): Promise<Record<string, any>> {
    this.check(() => {}, options);
    const answer = await this.ask(keyed(path, content, options.idempotencyKey ?? (await randomKey())));
    const problems: Problem[] = answer.fields.errors ?? [];
    if (!answer.fields.success && problems.length > 0) {
      throw new RejectedError(answer.fields.msg, { ...origin(answer), problems });
    }
    return success(answer);
  }

  /** The data for listing a product. Each detail counts against the limits. */
  async detail(pid: number): Promise<ProductDetail> {
    this.check((checks) => checks.field("pid", pid, 1));
    return (await this.fields({ ...read("/Product/Detail", { pid }), repeatable: false })).data;
  }

  /** Reports publish results; a product that does not exist is rejected alone. */
  async publish(results: PublishResult[], options: CallOptions = {}): Promise<PublishReport> {
    this.check((checks) => checks.publish(results), options);
    const answer = await this.ask(keyed("/Product/Publish", results, options.idempotencyKey ?? (await randomKey())));
    const { accepted, errors = [] } = "accepted" in answer.fields ? answer.fields : success(answer);
    return { accepted, errors };
  }

  /** Every limit, and one page of the fetched products that are not published yet. */
  async usage(page = 1): Promise<Usage> {
    this.check((checks) => checks.field("page", page, 1));
    return (await this.read("/Usage", { page })).data;
  }

  unpublished(): AsyncGenerator<Unpublished> {
    return pages(async (page) => {
      const { unpublished } = await this.usage(page);
      return [unpublished.totalPages, unpublished.data];
    });
  }

  /** The changes after a cursor; `wait` holds the answer back for up to 25 seconds. */
  async changes(after = "", limit = 200, wait = 0): Promise<ChangePage> {
    this.check((checks) => {
      checks.cursor(after);
      checks.field("limit", limit, 1, 1000);
      checks.field("wait", wait, 0, 25);
    });
    const { cursor, more, changes } = await this.fields({ ...read("/Changes", { after, limit, wait }), wait });
    return { cursor, more, changes };
  }

  async latestCursor(): Promise<string> {
    return (await this.changes("latest", 1)).cursor;
  }

  /** Follows the changes after a cursor without end, also through failures. Save the cursor of each page. */
  async *follow(after: string): AsyncGenerator<ChangePage> {
    for (let failures = 0; ; ) {
      try {
        const page = await this.changes(after, 1000, 25);
        failures = 0;
        after = page.cursor;
        if (page.changes.length > 0) yield page;
      } catch (failed) {
        if (!(failed instanceof StockroomError && failed.temporary)) throw failed;
        await this.settings.sleep(failed.retryAfter ?? backoff(failures++));
      }
    }
  }

  /** The whole stock, page by page. Continue with `follow` from the cursor of the first page. */
  async *snapshot(limit = 500): AsyncGenerator<SnapshotPage> {
    this.check((checks) => checks.field("limit", limit, 1, 500));
    for (let after = ""; ; ) {
      const { cursor, next, products } = await this.read("/Stock/Snapshot", { after, limit });
      yield { cursor, next, products };
      if (next === "") return;
      after = next;
    }
  }

  /** Digests of the stock, to compare a copy with it. */
  async digest(): Promise<StockDigest> {
    const { cursor, products, entries, digest, blocks } = await this.read("/Stock/Digest", {});
    return { cursor, products, entries, digest, blocks };
  }

  private checks(): Checks {
    return new Checks(this.settings.language);
  }

  private check(content: (checks: Checks) => void, { idempotencyKey }: CallOptions = {}): void {
    const checks = this.checks();
    content(checks);
    if (idempotencyKey !== undefined) checks.key(idempotencyKey);
    checks.done();
  }

  private read(path: string, fields: Record<string, unknown>): Promise<Record<string, any>> {
    return this.fields(read(path, fields));
  }

  private async fields(call: Call): Promise<Record<string, any>> {
    return success(await this.ask(call));
  }

  /** Sends a call until it is answered, and repeats it only where that is safe. Signs each attempt anew. */
  private async ask(call: Call): Promise<Answer> {
    const { retries, maxWait, sleep, now } = this.settings;
    let used = 0, limited = 0, patience = maxWait, corrected = false;
    for (;;) {
      let failed: StockroomError;
      try {
        const answer = await this.send(call);
        if (answer.status === 200) return answer;
        const date = Date.parse(answer.headers.get("date") ?? "");
        if (codeOf(answer) === "TIMESTAMP_WINDOW" && !corrected && !Number.isNaN(date)) {
          corrected = true;
          this.ahead = date - now();
          continue;
        }
        failed = problem(answer);
      } catch (unusable) {
        if (!(unusable instanceof StockroomError)) throw unusable;
        failed = unusable;
      }
      const rate = failed instanceof RateLimitedError;
      const safe = rate || failed instanceof UnavailableError || (failed instanceof NoAnswerError && failed.unsent)
        || (call.repeatable && failed.temporary && (failed instanceof NoAnswerError || failed instanceof UnexpectedAnswerError));
      const wait = failed.retryAfter ?? backoff(rate ? limited : used);
      if (!safe || wait > maxWait || (rate ? wait > patience : used >= retries)) throw failed;
      const spread = wait + Math.random() * (rate ? 0.1 : 0.5);
      if (rate) {
        limited++;
        patience -= spread;
      } else {
        used++;
      }
      await sleep(spread);
    }
  }

  private async send({ path, type, body, key, wait = 0 }: Call): Promise<Answer> {
    const { address, appid, secret, accesstoken, signature, language, timeout, now } = this.settings;
    const url = address + path;
    const timestamp = String(Math.floor((now() + this.ahead) / 1000));
    const headers: Record<string, string> = {
      "Content-Type": type, Accept: JSON_TYPE, "Accept-Language": language, "User-Agent": `stockroom-typescript/${VERSION}`,
      appid, timestamp, accesstoken,
    };
    if (key !== undefined) headers["Idempotency-Key"] = key;
    if (type === FILE) headers["Content-Digest"] = `sha-256=:${await sha256(body)}:`;
    if (signature === "hmac-sha256") {
      const nonce = await randomKey();
      headers.sign = await signHmac(secret, "POST", pathOf(url), timestamp, accesstoken, body, nonce, key);
      headers["sign-method"] = signature;
      headers["sign-nonce"] = nonce;
    } else {
      headers.sign = sign(secret, timestamp);
    }
    let response: Response, text = "", whole = false;
    try {
      const signal = AbortSignal.timeout((timeout + wait) * 1000);
      response = await this.settings.fetch(url, { method: "POST", headers, body, signal, redirect: "manual" });
      try {
        text = await response.text();
        whole = true;
      } catch (cut) {
        if ((cut as Error).name === "TimeoutError") throw cut;
      }
    } catch (failed) {
      throw noAnswer(url, timeout + wait, failed);
    }
    return parse(url, response, text, whole);
  }
}

/** The calls that import files: each import is a job. */
class Imports {
  constructor(private readonly ask: (call: Call) => Promise<Record<string, any>>) {}

  /**
   * Sends a CSV, XLSX or JSON Lines file and starts a job, which `apply` applies if no row has errors. Returns the job.
   */
  async start(
    content: string | Uint8Array<ArrayBuffer>, mode: "set" | "add" | "replace" = "set", apply = false, name = "",
    options: CallOptions = {},
  ): Promise<string> {
    const key = options.idempotencyKey ?? (await randomKey());
    const path = `/Stock/Import?${form({ mode, apply, name })}`;
    return (await this.ask({ path, type: FILE, body: content, repeatable: true, key })).job;
  }

  /** What a job has done so far, with a page of its errors. */
  async status(job: string, page = 1): Promise<ImportStatus> {
    return (await this.ask(read("/Stock/Import/Status", { job, page }))) as ImportStatus;
  }

  errors(job: string): AsyncGenerator<ImportError> {
    return pages(async (page) => {
      const { totalPages, errors } = await this.status(job, page);
      return [totalPages, errors];
    });
  }

  async apply(job: string): Promise<void> { await this.change("Apply", job); }
  async cancel(job: string): Promise<void> { await this.change("Cancel", job); }

  /** Starts a job that restores what an applied job changed; returns the new job. */
  async undo(job: string): Promise<string> {
    return (await this.change("Undo", job)).job;
  }

  private change(action: string, job: string): Promise<Record<string, any>> {
    return this.ask({ ...read(`/Stock/Import/${action}`, { job }), repeatable: false });
  }
}

type Ask = (path: string, type: string, body: string, read: boolean) => Promise<Record<string, any>>;

/** The calls that manage webhooks. */
class Webhooks {
  constructor(private readonly ask: Ask) {}

  /** Creates a webhook. Store the secret: it is shown only once. */
  async create(url: string, kinds: ("stock" | "product")[] = ["stock", "product"]): Promise<WebhookSecret> {
    const { id, secret } = await this.ask("/Webhook/Create", JSON_TYPE, JSON.stringify({ url, kinds }), false);
    return { id, secret };
  }

  /** Changes the address or the kinds; the webhook keeps its secret and its position. */
  async update(id: string, change: { url?: string; kinds?: ("stock" | "product")[] }): Promise<void> {
    await this.ask("/Webhook/Update", JSON_TYPE, JSON.stringify({ id, ...change }), true);
  }

  async list(): Promise<Webhook[]> {
    return (await this.ask("/Webhook/List", FORM, "", true)).webhooks;
  }

  deliveries(id: string): AsyncGenerator<WebhookDelivery> {
    return pages(async (page) => {
      const { totalPages, deliveries } = await this.ask("/Webhook/Deliveries", FORM, form({ id, page }), true);
      return [totalPages, deliveries];
    });
  }

  /** Gives a webhook a new secret; for a day, deliveries are signed with both. */
  async rotate(id: string): Promise<WebhookSecret> {
    return { id, secret: (await this.change("Rotate", { id })).secret };
  }

  async replay(id: string, after: string): Promise<void> { await this.change("Replay", { id, after }); }
  async test(id: string): Promise<void> { await this.change("Test", { id }); }
  async enable(id: string): Promise<void> { await this.change("Enable", { id }); }
  async disable(id: string): Promise<void> { await this.change("Disable", { id }); }
  async delete(id: string): Promise<void> { await this.change("Delete", { id }); }

  private change(action: string, fields: Record<string, unknown>): Promise<Record<string, any>> {
    return this.ask(`/Webhook/${action}`, FORM, form(fields), false);
  }
}

/** A list is a field that occurs several times. */
function form(fields: Record<string, unknown>): string {
  const sent = Object.entries(fields).flatMap(([name, value]) => [value].flat().map((one) => [name, one]));
  return new URLSearchParams(
    sent.filter(([, value]) => value !== undefined && value !== "").map(([name, value]) => [String(name), String(value)]),
  ).toString();
}

function pathOf(url: string): string {
  const { pathname, search } = new URL(url);
  return pathname + search;
}

function read(path: string, fields: Record<string, unknown>): Call {
  return { path, type: FORM, body: form(fields), repeatable: true };
}

/** With a key the server does the work once, so that it may be sent again. */
function keyed(path: string, content: unknown, key: string): Call {
  return { path, type: JSON_TYPE, body: JSON.stringify(content), repeatable: true, key };
}

function backoff(attempt: number): number {
  return Math.random() * 0.5 * 2 ** Math.min(attempt, 5);
}

/** Splits groups into requests that the server accepts. */
function batches(groups: ColorGroup[]): ColorGroup[][] {
  const all: ColorGroup[][] = [];
  let entries = Infinity;
  for (const group of groups) {
    const count = group.param.reduce((sum, { size }) => {
      const ends = /^(\d+)-(\d+)$/.exec(String(size));
      return sum + (ends ? Number(ends[2]) - Number(ends[1]) + 1 : 1);
    }, 0);
    if (entries + count > MAX_ENTRIES || all[all.length - 1].length === MAX_GROUPS) {
      all.push([]);
      entries = 0;
    }
    all[all.length - 1].push(group);
    entries += count;
  }
  return all;
}

async function* pages<T>(fetch: (page: number) => Promise<[number, T[]]>): AsyncGenerator<T> {
  for (let page = 1, total = 1; page <= total; page++) {
    const [totalPages, elements] = await fetch(page);
    total = totalPages;
    yield* elements;
  }
}

function codeOf({ fields, headers }: Answer): string | undefined {
  return fields.success === true ? undefined : fields.errors?.[0]?.code ?? headers.get("x-error-code") ?? undefined;
}

function origin(answer: Answer) {
  const wait = answer.headers.get("retry-after") ?? "";
  return {
    code: codeOf(answer), status: answer.status, requestId: answer.headers.get("x-request-id") ?? undefined,
    retryAfter: /^\d{1,9}$/.test(wait) ? Number(wait) : undefined,
  };
}

function problem(answer: Answer): StockroomError {
  const words = answer.fields.msg || "The server rejected the request without a reason.";
  return failure(words, { ...origin(answer), problems: answer.fields.errors ?? [] });
}

function success(answer: Answer): Record<string, any> {
  if (answer.fields.success !== true) throw problem(answer);
  return answer.fields;
}

/** Reads an answer, or says what it is instead. */
function parse(url: string, { status, headers }: Response, text: string, whole: boolean): Answer {
  let what = !whole ? "it is truncated" : text === "" ? "it is empty" : "it is not JSON";
  const lost = !whole || text === "";
  if (!lost) {
    try {
      const fields = JSON.parse(text);
      if (typeof fields?.success === "boolean") return { status, headers, fields };
      what = "it has no field success";
    } catch {
      // reported below
    }
  }
  const type = headers.get("content-type");
  const shown = text.slice(0, 200).replace(/[\p{Cc}\p{Cf}\p{Cs}]/gu, " ").trim();
  const words = `The answer of ${url} is not one of Stockroom's: ${what}. It has the status ${status}, `
    + `${type ? `the content type ${type}` : "no content type"} and ${shown ? `begins with: ${shown}` : "no content"}.`;
  const details = { ...origin({ status, headers, fields: {} }), code: undefined };
  if (status === 429 || status === 503) throw failure(words, details);
  const temporary = status === 502 || status === 504 || (lost && !(status >= 300 && status < 500));
  throw new UnexpectedAnswerError(words, {
    ...details, temporary, fix: "Check the address: a proxy or another server answered, or the connection was cut.",
  });
}

function noAnswer(url: string, seconds: number, failed: unknown): NoAnswerError {
  if ((failed as Error).name === "TimeoutError") {
    return new NoAnswerError(`${url} did not respond within ${seconds} seconds.`, false, failed);
  }
  const code: string = (failed as any).cause?.code ?? "";
  const reason = code === "ECONNREFUSED" ? "the connection was refused"
    : ["ENOTFOUND", "EAI_AGAIN"].includes(code) ? `the host ${new URL(url).hostname} is unknown`
    : code === "UND_ERR_CONNECT_TIMEOUT" ? "the connection timed out" : "";
  return reason
    ? new NoAnswerError(`${url} cannot be reached: ${reason}. Check the URL and whether the server is running.`, true, failed)
    : new NoAnswerError(`The connection to ${url} failed before a response arrived: ${code || (failed as Error).message}.`, false, failed);
}

export type { Language };
