import { MESSAGES, PHRASES } from "./codes.js";
import { InvalidRequestError, type Problem } from "./errors.js";

export type Language = "en" | "zh";

const MAX_INT = 2147483647;
const INVISIBLE =
  /[\u00AD\u034F\u061C\u115F\u1160\u17B4\u17B5\u180B-\u180F\u200B-\u200F\u202A-\u202E\u2060-\u206F\u3164\uFE00-\uFE0F\uFEFF\uFFA0\uFFF0-\uFFF8\u{1BCA0}-\u{1BCA3}\u{1D173}-\u{1D17A}\u{E0000}-\u{E0FFF}]/u;
const CONTROL = /[\u0000-\u001F\u007F-\u009F]/;

/** Finds values that the server would reject, and describes them in its words. */
export class Checks {
  readonly problems: Problem[] = [];

  constructor(private readonly language: Language) {}

  add(at: string, code: string, ...values: unknown[]): undefined {
    const template = MESSAGES[this.language][code] ?? code;
    const msg = template.replace(/\{(\d)\}/g, (_, place) => this.worded(values[Number(place)], place === "0"));
    this.problems.push({ at, code, msg });
  }

  /** Throws if there is a problem; shows the first three. */
  done(): void {
    if (this.problems.length === 0) return;
    const sentences = this.problems.slice(0, 3).map(({ at, msg }) => (at ? `${at}: ${msg}` : msg)).join(" ");
    const more = this.problems.length - 3;
    const rest = more <= 0 ? "" : this.language === "zh" ? `（另有 ${more} 处）` : ` (and ${more} more)`;
    throw new InvalidRequestError(sentences + rest, { code: this.problems[0].code, problems: this.problems });
  }

  /** Our own phrases are translated; the caller's text is clipped and its control characters are escaped. */
  private worded(value: unknown, first: boolean): string {
    if (Array.isArray(value)) return value.map((one) => this.worded(one, false)).join(", ");
    const text = String(value);
    if (!first && this.language === "zh" && PHRASES[text]) return PHRASES[text];
    const shown = text.slice(0, 80).replace(/[\p{Cc}\p{Cf}\p{Cs}]/gu, (c) => "\\u" + c.charCodeAt(0).toString(16).padStart(4, "0"));
    return text.length > 80 ? shown + "…" : shown;
  }

  private wrongType(at: string, value: unknown, expected: string): undefined {
    const kind = value === null ? "null"
      : Array.isArray(value) ? "an array […]"
      : typeof value === "string" ? `a string (${value})`
      : typeof value === "number" ? `${Number.isInteger(value) ? "a whole" : "a decimal"} number (${value})`
      : typeof value === "boolean" ? `true or false (${value})` : "an object {…}";
    return this.add(at, "FIELD_TYPE", kind, expected);
  }

  /** A whole number in JSON. */
  number(at: string, value: unknown, min: number): number | undefined {
    if (typeof value !== "number" || !Number.isInteger(value)) return this.wrongType(at, value, "a whole number");
    return value < min || value > MAX_INT ? this.add(at, "NUMBER_RANGE", value, min, MAX_INT) : value;
  }

  /** A whole number in a form. */
  field(name: string, value: unknown, min: number, max = MAX_INT): void {
    const number = /^\d{1,10}$/.test(String(value)) ? Number(value) : -1;
    if (number < min || number > max) this.add(name, "NUMBER_FORMAT", value, min, max);
  }

  cursor(value: string): void {
    if (value !== "" && value !== "latest" && !/^[cs]_[A-Za-z0-9_-]{1,62}$/.test(value)) this.add("after", "CURSOR_FORMAT", value);
  }

  key(value: string): void {
    if (!/^[!-~]{1,64}$/.test(value)) this.add("headers.Idempotency-Key", "IDEMPOTENCY_KEY_FORMAT", value, 64);
  }

  header(name: string, value: unknown): void {
    const text = String(value ?? "").trim();
    if (text === "") this.add(`headers.${name}`, "HEADER_MISSING", name);
    else if (!/^[!-~]{1,256}$/.test(text)) this.add(`headers.${name}`, "HEADER_FORMAT", name, 256);
  }

  /** A color, an item number or a barcode. */
  text(at: string, value: unknown, max = 64, identifier = true): string | undefined {
    if (typeof value !== "string") return this.wrongType(at, value, "a string");
    const kept = value.normalize("NFC").trim();
    const bad = identifier && INVISIBLE.exec(value) ? { text: value, found: INVISIBLE.exec(value)! }
      : CONTROL.exec(kept) ? { text: kept, found: CONTROL.exec(kept)! } : null;
    if (bad !== null) {
      const code = bad.found[0].codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0");
      return this.add(at, "TEXT_CHARACTERS", bad.text, `U+${code}`, [...bad.text.slice(0, bad.found.index)].length + 1);
    }
    if (kept === "" && identifier) return this.add(at, "TEXT_EMPTY");
    const length = [...kept].length;
    return length > max ? this.add(at, "TEXT_TOO_LONG", kept, length, max) : kept;
  }

  /** One size. The server also checks that it has no comma. */
  size(at: string, value: unknown): string | undefined {
    if (typeof value !== "string" && !Number.isInteger(value)) return this.wrongType(at, value, "a string or a whole number");
    return this.text(at, String(value), 20);
  }

  /** The sizes of a create: one size, or each size of a range. */
  sizes(at: string, value: unknown): string[] | undefined {
    const parts = typeof value === "string" ? /^(\d+)-(\d+)$/.exec(value) : null;
    if (!parts) {
      const size = this.size(at, value);
      return size === undefined ? undefined : [size];
    }
    const [text, ...digits] = parts;
    if (text.length > 64 || digits.some((part) => /^0\d/.test(part))) return this.add(at, "SIZE_FORMAT", text);
    const [first, last] = digits.map(Number);
    if (Math.min(first, last) < 1 || Math.max(first, last) > 999) return this.add(at, "SIZE_BOUNDS", text, 1, 999);
    if (first > last) return this.add(at, "SIZE_ORDER", text, `${last}-${first}`);
    if (last - first >= 100) return this.add(at, "SIZE_TOO_MANY", text, last - first + 1, 100);
    return Array.from({ length: last - first + 1 }, (_, i) => String(first + i));
  }

  list(at: string, value: unknown, expected: string, max: number, element: (at: string, value: unknown) => void): void {
    if (!Array.isArray(value)) return this.wrongType(at, value, expected);
    value.slice(0, max).forEach((one, i) => element(`${at}[${i}]`, one));
    if (value.length === 0) this.add(at, "LIST_EMPTY");
    if (value.length > max) this.add(at, "LIST_TOO_LONG", value.length, max);
  }

  /** Checks the known fields in the order of the object. The server judges unknown ones, which may be misspelled. */
  private object(at: string, value: unknown, expected: string, known: Record<string, (at: string, value: unknown) => void>): Set<string> | undefined {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return this.wrongType(at, value, expected);
    const sent = Object.entries(value).filter(([, one]) => one !== undefined);
    for (const [name, one] of sent) known[name]?.(`${at}.${name}`, one);
    return sent.every(([name]) => name in known) ? new Set(sent.map(([name]) => name)) : undefined;
  }

  private require(at: string, names: Set<string> | undefined, ...required: string[]): void {
    if (names) required.filter((name) => !names.has(name)).forEach((name) => this.add(`${at}.${name}`, "FIELD_MISSING", name));
  }

  create(groups: unknown): void {
    const entries: { at: string; pid: number; color: string; sizes: string[] }[] = [];
    this.list("", groups, "an array of color groups", Infinity, (at, group) => {
      let color: string | undefined, pid: number | undefined;
      const items: { at: string; sizes: string[] }[] = [];
      const names = this.object(at, group, "a color group {…}", {
        color: (place, value) => (color = this.text(place, value)),
        pid: (place, value) => (pid = this.number(place, value, 1)),
        param: (place, value) => this.list(place, value, "an array of sizes", 10000, (where, item) => {
          const sizes = this.sizeItem(where, item);
          if (sizes) items.push({ at: where, sizes });
        }),
      });
      this.require(at, names, "color", "pid", "param");
      if (color !== undefined && pid !== undefined) for (const item of items) entries.push({ pid, color, ...item });
    });
    const places = new Map<string, string>();
    for (const { at, pid, color, sizes } of entries) {
      let reported = false;
      for (const size of sizes) {
        const entry = `${pid}\n${color}\n${size.toLowerCase()}`;
        const earlier = places.get(entry);
        if (earlier !== undefined && !reported) this.add(at, "ENTRY_REPEATED", pid, color, size, earlier);
        reported ||= earlier !== undefined;
        if (earlier === undefined) places.set(entry, at);
      }
    }
  }

  private sizeItem(at: string, item: unknown): string[] | undefined {
    const before = this.problems.length;
    let sizes: string[] | undefined, barCode: string | undefined;
    const names = this.object(at, item, "a size {…}", {
      size: (place, value) => (sizes = this.sizes(place, value)),
      stock: (place, value) => this.number(place, value, 0),
      barCode: (place, value) => (barCode = value === null || value === "" ? undefined : this.text(place, value)),
    });
    this.require(at, names, "size", "stock");
    if (barCode !== undefined && sizes && sizes.length > 1) {
      this.add(`${at}.barCode`, "BARCODE_ON_RANGE", barCode, sizes.length);
    }
    return this.problems.length === before ? sizes : undefined;
  }

  adjust(adjustments: unknown): void {
    const places = new Map<string, string>();
    const repeated: (() => void)[] = [];
    this.list("", adjustments, "an array of adjustments", 300, (at, adjustment) => {
      const before = this.problems.length;
      const found: Record<string, unknown> = {};
      const names = this.object(at, adjustment, "an adjustment {…}", {
        pid: (place, value) => (found.product = this.number(place, value, 1)),
        artNo: (place, value) => (found.product = this.text(place, value)),
        color: (place, value) => (found.color = this.text(place, value)),
        size: (place, value) => (found.size = this.size(place, value)),
        barCode: (place, value) => (found.barCode = this.text(place, value)),
        change: (place, value) => {
          if (this.number(place, value, -MAX_INT) === 0) this.add(place, "CHANGE_ZERO");
        },
        set: (place, value) => this.number(place, value, 0),
        expect: (place, value) => this.number(place, value, 0),
      });
      if (!names) return;
      for (const choice of [["pid", "artNo", "barCode"], ["change", "set"]]) {
        const sent = choice.filter((name) => names.has(name));
        if (sent.length !== 1) this.add(at, "FIELD_CHOICE", choice, sent.length === 0 ? "none of them" : sent);
      }
      if (!names.has("barCode")) this.require(at, names, "color", "size");
      else for (const other of ["color", "size"].filter((name) => names.has(name))) {
        this.add(`${at}.${other}`, "FIELD_CHOICE", ["barCode", other], ["barCode", other]);
      }
      if (this.problems.length > before) return;
      const { product, color, size, barCode } = found;
      const entry = JSON.stringify([product, color, (size as string | undefined)?.toLowerCase(), barCode]);
      const earlier = places.get(entry);
      if (earlier === undefined) places.set(entry, at);
      else if (barCode !== undefined) repeated.push(() => this.add(`${at}.barCode`, "BARCODE_REPEATED", barCode, earlier));
      else repeated.push(() => this.add(at, "ENTRY_REPEATED", product, color, size, earlier));
    });
    repeated.forEach((add) => add());
  }

  publish(results: unknown): void {
    const places = new Map<number, string>();
    const repeated: (() => void)[] = [];
    this.list("", results, "an array of publish results", 300, (at, result) => {
      const before = this.problems.length;
      let pid: number | undefined;
      const names = this.object(at, result, "a publish result {…}", {
        pid: (place, value) => (pid = this.number(place, value, 1)),
        result: (place, value) => {
          if (typeof value !== "string") this.wrongType(place, value, "a string");
          else if (!["published", "failed", "withdrawn"].includes(value)) this.add(place, "RESULT_FORMAT", value);
        },
        url: (place, value) => value === null || this.text(place, value, 2000, false),
        msg: (place, value) => value === null || this.text(place, value, 1000, false),
      });
      this.require(at, names, "pid", "result");
      if (pid === undefined || this.problems.length > before) return;
      const product = pid, earlier = places.get(pid);
      if (earlier === undefined) places.set(pid, at);
      else repeated.push(() => this.add(`${at}.pid`, "PRODUCT_REPEATED", product, earlier));
    });
    repeated.forEach((add) => add());
  }
}

/** The server's address without a trailing slash; it may have a path. */
export function checkAddress(address: string): string {
  const text = address.trim().replace(/\/+$/, "");
  const wrong = (what: string, right: string): never => {
    throw new InvalidRequestError(`${what}. Write the server's address alone, such as ${right}.`);
  };
  if (text === "") wrong("The address of the server is empty", "https://stock.example");
  if (text.includes("@")) {
    wrong("The address of the server has a user name in it (before the @); credentials go into appid, secret and accesstoken", "https://stock.example");
  }
  if (!/^https?:\/\//i.test(text)) {
    const rest = text.replace(/^[a-z]+:\/*/i, (scheme) => (/^\d/.test(text.slice(scheme.length)) ? scheme : ""));
    const local = /^(localhost|127\.|\[::1\])/i.test(rest);
    wrong(`"${text}" does not begin with http:// or https://`, (local ? "http://" : "https://") + rest);
  }
  const call = /\/(stock\/(product|list|creat|adjust|snapshot|digest)|product\/(detail|publish)|usage|changes|webhook\/\w+)$/i.exec(text);
  if (call) wrong(`"${text}" is the address of one call`, text.slice(0, call.index));
  if (/[?#]/.test(text)) wrong(`"${text}" has more than an address in it`, text.replace(/[?#].*/, ""));
  try {
    new URL(text);
  } catch {
    wrong(`"${text}" is not an address`, "https://stock.example");
  }
  return text;
}
