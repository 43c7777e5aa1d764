const utf8 = new TextEncoder();

async function crypto(): Promise<Crypto> {
  // Node 18 has it only in a module, whose name browsers' bundlers must not resolve
  const node = "node:crypto";
  return globalThis.crypto?.subtle ? globalThis.crypto : (await import(/* @vite-ignore */ node)).webcrypto;
}

function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** The signature of the interface: MD5 of secret and timestamp, in upper case. */
export function sign(secret: string, timestamp: string): string {
  return hex(md5(utf8.encode(secret + timestamp))).toUpperCase();
}

/** The stronger signature, which covers the whole request; `path` as sent, with its query string. */
export async function signHmac(
  secret: string, method: string, path: string, timestamp: string, token: string, body: string | Uint8Array<ArrayBuffer>,
  nonce = "", key = "",
): Promise<string> {
  const { subtle } = await crypto();
  const hash = hex(await digest(body));
  const lines = [method, path, timestamp, token, hash, ...(key ? [nonce, key] : nonce ? [nonce] : [])];
  const signer = await hmacKey(utf8.encode(secret));
  return hex(new Uint8Array(await subtle.sign("HMAC", signer, utf8.encode(lines.join("\n"))))).toUpperCase();
}

async function digest(body: string | Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  const bytes = typeof body === "string" ? utf8.encode(body) : body;
  return new Uint8Array(await (await crypto()).subtle.digest("SHA-256", bytes));
}

/** The hash of a body in Base64, for the header Content-Digest. */
export async function sha256(body: string | Uint8Array<ArrayBuffer>): Promise<string> {
  return btoa(String.fromCharCode(...(await digest(body))));
}

export async function randomKey(): Promise<string> {
  return (await crypto()).randomUUID();
}

async function hmacKey(bytes: Uint8Array<ArrayBuffer>): Promise<CryptoKey> {
  return (await crypto()).subtle.importKey("raw", bytes, { name: "HMAC", hash: "SHA-256" }, false, ["sign", "verify"]);
}

export type WebhookReason =
  | "HEADER_MISSING" | "TIMESTAMP_FORMAT" | "TIMESTAMP_TOO_OLD" | "TIMESTAMP_TOO_NEW" | "SIGNATURE_WRONG" | "BODY_FORMAT";

/** A request that is not a delivery of the server. Answer it with status 400. */
export class WebhookVerificationError extends Error {
  constructor(readonly reason: WebhookReason, words: string) {
    super(words);
    this.name = "WebhookVerificationError";
  }
}

/** A verified delivery. Its id is the same if it arrives twice. */
export interface WebhookMessage {
  id: string;
  type: string;
  timestamp: string;
  data: { merchantId?: number; cursor?: string; changes?: import("./types.js").Change[] };
}

/**
 * Verifies and reads a delivery, which follows the Standard Webhooks specification.
 *
 * @param headers of the request, as `Headers` or as an object with names in lower case
 * @param body exactly as received
 * @param secrets the secret that `webhooks.create` returned; both during a rotation
 */
export async function verifyWebhook(
  headers: Headers | Record<string, string | string[] | undefined>,
  body: string | Uint8Array,
  secrets: string | string[],
  { tolerance = 300, now = Date.now() / 1000 } = {},
): Promise<WebhookMessage> {
  const header = (name: string): string => {
    const found = headers instanceof Headers ? headers.get(name) : headers[name];
    const value = (Array.isArray(found) ? found.join(" ") : found ?? "").trim();
    if (value === "") throw new WebhookVerificationError("HEADER_MISSING", `The header ${name} is missing.`);
    return value;
  };
  const keys = await Promise.all([secrets].flat().map((secret) => hmacKey(webhookKey(secret))));
  if (keys.length === 0) throw new TypeError("At least one webhook secret is required.");
  const [id, timestamp, signatures] = ["webhook-id", "webhook-timestamp", "webhook-signature"].map(header);
  if (!/^\d{1,11}$/.test(timestamp)) {
    throw new WebhookVerificationError("TIMESTAMP_FORMAT", "The header webhook-timestamp is not a number of seconds.");
  }
  const age = Math.floor(now) - Number(timestamp);
  if (age > tolerance) {
    throw new WebhookVerificationError("TIMESTAMP_TOO_OLD", `The delivery is ${age} seconds old; at most ${tolerance} are allowed.`);
  }
  if (-age > tolerance) {
    throw new WebhookVerificationError(
      "TIMESTAMP_TOO_NEW", `The delivery is ${-age} seconds in the future; at most ${tolerance} are allowed. Check the clocks.`);
  }
  const text = typeof body === "string" ? body : new TextDecoder().decode(body);
  const signed = new Uint8Array([...utf8.encode(`${id}.${timestamp}.`), ...(typeof body === "string" ? utf8.encode(body) : body)]);
  const { subtle } = await crypto();
  let authentic = false;
  for (const part of signatures.split(" ").filter((found) => found.startsWith("v1,"))) {
    const signature = base64(part.slice(3));
    for (const key of keys) authentic = (signature !== null && await subtle.verify("HMAC", key, signature, signed)) || authentic;
  }
  if (!authentic) {
    throw new WebhookVerificationError("SIGNATURE_WRONG", "No signature of version v1 fits. Check the secret, and pass the body as received.");
  }
  try {
    const { type, timestamp: at, data } = JSON.parse(text);
    if (typeof type === "string") return { id, type, timestamp: at, data: data ?? {} };
  } catch {
    // reported below
  }
  throw new WebhookVerificationError("BODY_FORMAT", "The delivery is signed, but not a message.");
}

function webhookKey(secret: string): Uint8Array<ArrayBuffer> {
  const key = base64(secret.replace(/^whsec_/, ""));
  if (key === null || key.length === 0) {
    throw new TypeError('A webhook secret is "whsec_" and Base64, as /Webhook/Create returned it.');
  }
  return key;
}

function base64(text: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
  } catch {
    return null;
  }
}

/** MD5 (RFC 1321), which no browser has. */
function md5(message: Uint8Array): Uint8Array {
  const shifts = [7, 12, 17, 22, 5, 9, 14, 20, 4, 11, 16, 23, 6, 10, 15, 21];
  const padded = new Uint8Array(((message.length + 8) >> 6 << 6) + 64);
  padded.set(message);
  padded[message.length] = 0x80;
  const words = new DataView(padded.buffer);
  words.setUint32(padded.length - 8, message.length * 8, true);
  words.setUint32(padded.length - 4, Math.floor(message.length / 0x20000000), true);
  const state = [0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476];
  for (let block = 0; block < padded.length; block += 64) {
    let [a, b, c, d] = state;
    for (let i = 0; i < 64; i++) {
      const round = i >> 4;
      const mixed = [(b & c) | (~b & d), (d & b) | (~d & c), b ^ c ^ d, c ^ (b | ~d)][round];
      const index = [i, 5 * i + 1, 3 * i + 5, 7 * i][round] % 16;
      const sum = (a + mixed + Math.floor(Math.abs(Math.sin(i + 1)) * 2 ** 32) + words.getUint32(block + 4 * index, true)) | 0;
      const shift = shifts[4 * round + i % 4];
      [a, d, c, b] = [d, c, b, (b + ((sum << shift) | (sum >>> (32 - shift)))) | 0];
    }
    [a, b, c, d].forEach((value, i) => (state[i] = (state[i] + value) | 0));
  }
  const digest = new DataView(new ArrayBuffer(16));
  state.forEach((value, i) => digest.setUint32(4 * i, value, true));
  return new Uint8Array(digest.buffer);
}
