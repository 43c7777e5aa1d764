// From the form to a request, and from a request to its signature, step by step.
// Web Crypto has no MD5, and works on https only; a console may run on plain http.
import "./md5.js";
import "./sha256.js";

const { md5, sha256 } = window;

const FORM = "application/x-www-form-urlencoded";
const JSON_TYPE = "application/json";

// What the form describes: path, Content-Type and body.
export function described(form) {
  const option = form.querySelector("#call").selectedOptions[0];
  const path = option.dataset.path;
  if (option.dataset.json === "true") {
    return { word: option.value, path, type: JSON_TYPE, body: form.querySelector("#body").value };
  }
  const fields = new URLSearchParams();
  form.querySelectorAll(`[data-call="${option.value}"] [data-field]`).forEach((field) => {
    if (field.value !== "") {
      fields.append(field.dataset.field, field.value.trim());
    }
  });
  return { word: option.value, path, type: FORM, body: fields.toString() };
}

// crypto.randomUUID works on https only, too.
export function newNonce() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

// The signature with every step on its way. What is secret stands in a step as `secret: true`.
export function signed(request, credentials, timestamp, method, nonce) {
  if (method === "md5") {
    const text = credentials.secret + timestamp;
    const digest = md5(text);
    return {
      sign: digest.toUpperCase(),
      steps: [
        { name: "step.text", value: text, secret: credentials.secret },
        { name: "step.md5", value: digest },
        { name: "step.upper", value: digest.toUpperCase(), result: true },
      ],
    };
  }
  const bodyHash = sha256(request.body);
  const lines = ["POST", request.path, timestamp, credentials.token, bodyHash, nonce].join("\n");
  const digest = sha256.hmac(credentials.secret, lines);
  return {
    sign: digest.toUpperCase(),
    steps: [
      { name: "step.body", value: bodyHash },
      { name: "step.lines", value: lines, secret: credentials.token },
      { name: "step.hmac", value: digest },
      { name: "step.upper", value: digest.toUpperCase(), result: true },
    ],
  };
}

export function headersOf(request, credentials, timestamp, method, sign, nonce) {
  const headers = {
    appid: credentials.appid,
    sign,
    timestamp,
    accesstoken: credentials.token,
  };
  if (method !== "md5") {
    headers["sign-method"] = method;
    headers["sign-nonce"] = nonce;
  }
  return { ...headers, "Content-Type": request.type };
}

// As it stands on the wire.
export function written(request, headers, host) {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return [`POST ${request.path} HTTP/1.1`, `Host: ${host}`, ...lines, "", request.body].join("\n");
}

// Adds what the small form above the body describes; sizes of the same color stay together.
export function added(body, word, parts) {
  const list = JSON.parse(body.trim() === "" ? "[]" : body);
  const number = (text) => (/^-?\d+$/.test(text) ? Number(text) : text);
  if (word === "publish-results") {
    const result = { pid: number(parts.pid), result: parts.result };
    list.push(parts.url === "" ? result : { ...result, url: parts.url });
  } else if (word === "stock-adjust") {
    const { pid, color, size, change } = parts;
    list.push({ pid: number(pid), color, size: number(size), change: number(change) });
  } else {
    const pid = number(parts.pid);
    let group = list.find((one) => one.pid === pid && one.color === parts.color);
    if (!group) {
      group = { color: parts.color, pid, param: [] };
      list.push(group);
    }
    const size = { size: parts.size, stock: number(parts.stock) };
    group.param.push(parts.barCode === "" ? size : { ...size, barCode: parts.barCode });
  }
  return JSON.stringify(list, null, 2);
}
