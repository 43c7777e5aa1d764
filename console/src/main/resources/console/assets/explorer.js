// The explorer: a form on the left, the signature and the answer on the right. The server signs for
// a stored application, with HMAC and its own clock; the steps then show an example with placeholders.
// One's own credentials stay in this page and are used by it alone.
import { drawAnswer } from "./explorer-answer.js";
import { added, described, headersOf, newNonce, signed, written } from "./explorer-request.js";

const form = document.getElementById("explorer");
const words = JSON.parse(form.dataset.words);
const byId = (id) => document.getElementById(id);
const said = (name, ...values) =>
  words[name].replace(/\{(\d)\}/g, (_, number) => values[Number(number)] ?? "");
const isOwn = () => form.querySelector('[name="who"]:checked')?.value === "own";
const now = () => String(Math.floor(Date.now() / 1000));
const timestamp = () => byId("timestamp").value.trim() || now();
const merchant = () => byId("merchant")?.value ?? "0";

// What an example is signed with, where the real secret is the server's.
const PLACEHOLDERS = { secret: "$SECRET", token: "$TOKEN" };

// What the server said of the last call that it signed.
let signedByServer = null;

// Of the next call: the server accepts it once.
let nonce = newNonce();

const credentials = () => ({
  appid: byId("own-appid").value.trim(),
  secret: byId("own-secret").value.trim(),
  token: byId("own-token").value.trim(),
});

const masked = (text, secret) =>
  secret && !byId("reveal").checked ? text.split(secret).join("•".repeat(8)) : text;

function draw() {
  const request = described(form);
  const method = byId("method").value;
  const time = timestamp();
  document.querySelectorAll("[data-call]").forEach((fields) => {
    fields.hidden = fields.dataset.call !== request.word;
  });
  document.querySelectorAll("[data-who]").forEach((fields) => {
    fields.hidden = (fields.dataset.who === "own") !== isOwn();
  });
  byId("steps-example").hidden = isOwn();
  byId("json").hidden = request.type !== "application/json";
  byId("body-problem").textContent = bodyProblem(request);
  if (isOwn()) {
    const own = credentials();
    const { sign, steps } = signed(request, own, time, method, nonce);
    drawSteps(steps);
    const headers = headersOf(request, own, time, method, sign, nonce);
    byId("request").textContent = masked(written(request, headers, location.host), own.token);
  } else {
    drawSteps(signed(request, PLACEHOLDERS, time, method, nonce).steps);
    const unknown = said("filled-by-server");
    const stored = { appid: byId("app").value, token: unknown };
    const headers = signedByServer ?? headersOf(request, stored, unknown, "hmac-sha256", unknown, unknown);
    byId("request").textContent = written(request, headers, location.host);
  }
}

function bodyProblem(request) {
  if (request.type !== "application/json") {
    return "";
  }
  try {
    JSON.parse(request.body);
    return "";
  } catch (broken) {
    return said("body.broken", broken.message);
  }
}

function drawSteps(steps) {
  byId("steps").replaceChildren(
    ...steps.map((step) => {
      const item = document.createElement("li");
      const name = document.createElement("span");
      name.textContent = said(step.name);
      const value = document.createElement("code");
      value.textContent = isOwn() ? masked(step.value, step.secret) : step.value;
      value.className = step.result ? "outcome" : "";
      if (step.result) {
        value.id = "sign";
      }
      item.append(name, value);
      return item;
    }),
  );
}

// The browser makes the call itself, without its cookies: nothing but what the page shows is sent.
async function sendOwn(request) {
  const own = credentials();
  const time = timestamp();
  const method = byId("method").value;
  const once = nonce;
  nonce = newNonce();
  const { sign } = signed(request, own, time, method, once);
  const start = performance.now();
  const answer = await fetch(request.path, {
    method: "POST",
    credentials: "omit",
    headers: {
      ...headersOf(request, own, time, method, sign, once),
      "Accept-Language": document.documentElement.lang,
    },
    body: request.body,
  });
  const body = await answer.text();
  const millis = Math.round(performance.now() - start);
  return { status: answer.status, headers: Object.fromEntries(answer.headers), body, millis };
}

async function sendStored(request) {
  const fields = new URLSearchParams({
    path: request.path,
    type: request.type,
    body: request.body,
    app: byId("app").value,
    merchant: merchant(),
  });
  const answer = await window.Stockroom.send("/console/explorer/send", { method: "POST", body: fields });
  if (!answer.ok) {
    window.Stockroom.say(await answer.text());
    return null;
  }
  const result = await answer.json();
  signedByServer = result.request;
  return result;
}

async function send(event) {
  event.preventDefault();
  if (!isOwn() && byId("merchant") && merchant() === "0") {
    window.Stockroom.say(said("choose"));
    byId("merchant").focus();
    return;
  }
  const button = form.querySelector(".send");
  const label = button.textContent;
  button.disabled = true;
  button.textContent = said("sending");
  try {
    const request = described(form);
    const result = await (isOwn() ? sendOwn(request) : sendStored(request));
    if (result) {
      drawAnswer(result, said);
      draw();
    }
  } catch {
    window.Stockroom.say(said("unreachable"));
  } finally {
    button.disabled = false;
    button.textContent = label;
    button.focus();
  }
}

let snippets = {};
let later = 0;

function drawSnippet() {
  const chosen = document.querySelector('[name="snippet"]:checked').value;
  byId("snippet").textContent = snippets[chosen] ?? "";
}

async function loadSnippets() {
  const { path, type, body } = described(form);
  const answer = await window.Stockroom.send("/console/explorer/snippets", {
    method: "POST",
    body: new URLSearchParams({ path, type, body }),
  });
  if (answer.ok) {
    snippets = await answer.json();
    drawSnippet();
  }
}

async function loadProducts(text) {
  const query = new URLSearchParams({ q: text, merchant: merchant() });
  const answer = await window.Stockroom.send(`/console/explorer/products?${query}`);
  if (answer.ok) {
    byId("products").innerHTML = await answer.text();
  }
}

function changed(event) {
  if (event) {
    signedByServer = null;
  }
  draw();
  clearTimeout(later);
  later = setTimeout(() => {
    loadSnippets();
    if (event?.target?.matches?.("[data-product]") && !/^\d+$/.test(event.target.value)) {
      loadProducts(event.target.value);
    }
  }, 250);
}

function reveal() {
  const type = byId("reveal").checked ? "text" : "password";
  byId("own-secret").type = type;
  byId("own-token").type = type;
}

function add(button) {
  const builder = button.closest("[data-builder]");
  const parts = {};
  builder.querySelectorAll("[data-part]").forEach((part) => {
    parts[part.dataset.part] = part.value.trim();
  });
  try {
    byId("body").value = added(byId("body").value, builder.dataset.builder, parts);
  } catch (broken) {
    byId("body-problem").textContent = said("body.broken", broken.message);
    return;
  }
  changed();
}

// Fills the form from a request that was made before.
function fill(past) {
  byId("body").value = past.body;
  new URLSearchParams(past.query ? `${past.query}&${past.body}` : past.body).forEach((value, name) => {
    const field = form.querySelector(`[data-call="${described(form).word}"] [data-field="${CSS.escape(name)}"]`);
    if (field) {
      field.value = value;
    }
  });
}

form.hidden = false;
byId("snippets").hidden = false;
if (form.dataset.past) {
  fill(JSON.parse(form.dataset.past));
}
form.addEventListener("input", changed);
form.addEventListener("change", changed);
form.addEventListener("submit", send);
form.addEventListener("click", (event) => {
  if (event.target.matches("[data-add]")) {
    add(event.target);
  }
});
byId("call").addEventListener("change", () => {
  byId("body").value = "[]";
});
byId("reveal").addEventListener("change", reveal);
byId("merchant")?.addEventListener("change", () => loadProducts(""));
document.querySelectorAll('[name="snippet"]').forEach((choice) => choice.addEventListener("change", drawSnippet));
// the time goes on while somebody reads; a time that was typed stays
setInterval(() => {
  if (byId("timestamp").value === "" && !signedByServer) {
    draw();
  }
}, 1000);
loadProducts("");
changed();
