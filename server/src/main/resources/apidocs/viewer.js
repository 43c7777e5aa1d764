// Draws an OpenAPI document of this server. Every text is set as text, never as markup.
"use strict";

const METHODS = ["get", "post", "put", "patch", "delete"];
let spec = {};

function element(name, attributes, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes || {})) made.setAttribute(key, value);
  made.append(...children.filter((child) => child !== null));
  return made;
}

// Paragraphs, `code` and *emphasis* are all that descriptions use.
function prose(text) {
  const box = document.createDocumentFragment();
  for (const paragraph of (text || "").trim().split(/\n\s*\n/)) {
    if (paragraph === "") continue;
    const parts = paragraph.split(/(`[^`]+`|\*[^*\s][^*]*\*)/);
    box.append(element("p", {}, ...parts.map((part) => {
      if (part.startsWith("`")) return element("code", {}, part.slice(1, -1));
      if (part.startsWith("*") && part.length > 2) return element("em", {}, part.slice(1, -1));
      return part;
    })));
  }
  return box;
}

function resolve(node) {
  if (!node || !node.$ref) return node || {};
  return node.$ref.slice(2).split("/")
    .reduce((at, key) => at[key.replaceAll("~1", "/").replaceAll("~0", "~")], spec);
}

function typeOf(schema) {
  if ("const" in schema) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.join(" | ");
  if (schema.oneOf) return "one of " + schema.oneOf.length;
  const types = [].concat(schema.type || "any").map((type) =>
    type === "array" ? "array of " + [].concat(resolve(schema.items).type || "any").join("|") : type);
  const bounds = [];
  if (schema.minimum !== undefined) bounds.push("from " + schema.minimum);
  if (schema.maximum !== undefined) bounds.push("to " + schema.maximum);
  if (schema.format) bounds.push(schema.format);
  return types.join(" | ") + (bounds.length ? " (" + bounds.join(" ") + ")" : "");
}

// One row for each field, inner ones with their path: data[].size
function rows(schema, path, required, into) {
  const here = resolve(schema);
  if (path) into.push({ path, required, type: typeOf(here), text: here.description });
  for (const one of here.oneOf || []) rows(one, path, false, into);
  if (here.items) {
    const items = resolve(here.items);
    if (items.properties) fields(items, path + "[]", into);
  }
  fields(here, path, into);
}

function fields(schema, path, into) {
  for (const [name, inner] of Object.entries(schema.properties || {})) {
    rows(inner, (path ? path + "." : "") + name, (schema.required || []).includes(name), into);
  }
}

function table(list, heads) {
  return element("div", { class: "scroll", tabindex: "0", role: "group", "aria-label": "Table" }, element("table", {},
    element("thead", {}, element("tr", {}, ...heads.map((head) => element("th", {}, head)))),
    element("tbody", {}, ...list.map((row) => element("tr", {},
      element("td", {}, row.path, row.required ? element("span", { class: "must" }, "required") : null),
      element("td", {}, row.type),
      element("td", {}, prose(row.text)))))));
}

function shape(schema) {
  const box = document.createDocumentFragment();
  const variants = resolve(schema).oneOf || [schema];
  variants.forEach((variant, index) => {
    if (variants.length > 1) box.append(element("h4", {}, index === 0 ? "Either" : "Or"));
    const list = [];
    rows(variant, "", false, list);
    if (resolve(variant).description) box.append(prose(resolve(variant).description));
    if (list.length) box.append(table(list, ["Field", "Type", "Meaning"]));
    const example = resolve(variant).example;
    if (example !== undefined) box.append(element("pre", { tabindex: "0" }, JSON.stringify(example, null, 2)));
  });
  return box;
}

// The address of the first server in the document, its variables with their defaults.
function base() {
  const server = spec.servers[0];
  const url = server.url.replace(/\{(\w+)\}/g, (_, name) => server.variables[name].default);
  return new URL(url, location.origin).origin;
}

function quoted(text) {
  return "'" + text.replaceAll("'", "'\\''") + "'";
}

// The call as a person types it: signed by the command line, or with the operator key.
function command(method, path, item, operation) {
  const content = (operation.requestBody || {}).content || {};
  const form = (content["application/x-www-form-urlencoded"] || {}).example;
  const json = (content["application/json"] || {}).example;
  if (path.startsWith("/admin/")) {
    const sent = json === undefined ? "" :
      " \\\n  -H 'Content-Type: application/json' -d " + quoted(JSON.stringify(json));
    return "curl -X " + method.toUpperCase() + " " + base() + path +
      " \\\n  -H \"Authorization: Bearer $(cat data/operator.key)\"" + sent;
  }
  if (form === undefined && json !== undefined) {
    return "echo " + quoted(JSON.stringify(json)) + " |\n  stockroom call " + path + " --body -";
  }
  const sent = Object.entries(form || {}).map(([key, value]) => " " + key + "=" + value).join("");
  return "stockroom call " + path + sent;
}

function parameters(item, operation) {
  const list = [...(item.parameters || []), ...(operation.parameters || [])].map(resolve);
  return list.map((parameter) => ({
    path: parameter.name,
    required: parameter.required,
    type: parameter.in + ", " + typeOf(resolve(parameter.schema)),
    text: parameter.description,
  }));
}

function answers(operation) {
  return Object.entries(operation.responses).map(([status, given]) => {
    const response = resolve(given);
    const content = (response.content || {})["application/json"];
    const headers = Object.entries(response.headers || {}).map(([name, header]) => ({
      path: name, required: false, type: typeOf(resolve(resolve(header).schema)),
      text: resolve(header).description,
    }));
    return element("details", status.startsWith("2") ? { open: "" } : {},
      element("summary", {}, element("span", { class: "status" }, status), response.description || ""),
      content ? shape(content.schema) : null,
      headers.length ? table(headers, ["Header", "Type", "Meaning"]) : null);
  });
}

function call(path, method, item) {
  const operation = item[method];
  const given = parameters(item, operation);
  const bodies = Object.entries((operation.requestBody || {}).content || {});
  const verb = method.toUpperCase();
  const box = element("section", { class: "call", id: operation.operationId },
    element("h3", {}, operation.summary),
    element("p", { class: "address" }, element("span", { class: "method " + verb }, verb), " " + path),
    prose(operation.description),
    element("pre", { tabindex: "0" }, command(method, path, item, operation)));
  if (given.length) box.append(element("h4", {}, "Parameters"), table(given, ["Name", "Where", "Meaning"]));
  for (const [type, body] of bodies) {
    box.append(element("h4", {}, "Request: " + type));
    if (body.schema) box.append(shape(body.schema));
  }
  box.append(element("h4", {}, "Answers"), ...answers(operation));
  return box;
}

function link(path, method, operation) {
  const verb = method.toUpperCase();
  return element("li", { "data-call": operation.operationId },
    element("a", { href: "#" + operation.operationId },
      element("span", { class: "method " + verb }, verb), operation.summary));
}

function draw(main) {
  main.replaceChildren(element("h1", {}, spec.info.title), prose(spec.info.description));
  const contents = document.getElementById("contents");
  for (const tag of spec.tags) {
    const list = element("ul", {});
    const group = element("div", { class: "group" },
      element("h2", { class: "group" }, tag.name), prose(tag.description));
    for (const [path, item] of Object.entries(spec.paths)) {
      for (const method of METHODS.filter((name) => item[name] && item[name].tags.includes(tag.name))) {
        list.append(link(path, method, item[method]));
        group.append(call(path, method, item));
      }
    }
    contents.append(element("div", {}, element("h2", {}, tag.name), list));
    main.append(group);
  }
}

function find(words) {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  for (const box of document.querySelectorAll("section.call")) {
    const text = box.textContent.toLowerCase();
    const shown = wanted.every((word) => text.includes(word));
    box.hidden = !shown;
    document.querySelector("[data-call='" + box.id + "']").hidden = !shown;
  }
  for (const list of document.querySelectorAll("#contents > div")) {
    list.hidden = !list.querySelector("li:not([hidden])");
  }
  for (const group of document.querySelectorAll("main > div.group")) {
    group.hidden = !group.querySelector("section:not([hidden])");
  }
}

// The document that the address names, marked in the choice of documents and linked below.
function choose() {
  const operator = new URLSearchParams(location.search).get("document") === "operator";
  const path = operator ? "api/operator.json" : "../openapi.json";
  document.querySelectorAll(".documents a")[operator ? 1 : 0].setAttribute("aria-current", "page");
  const source = document.getElementById("source");
  source.href = path;
  source.textContent = path.slice(path.lastIndexOf("/") + 1);
  return new URL(path, document.baseURI);
}

async function start() {
  const main = document.getElementById("content");
  try {
    const answer = await fetch(choose());
    if (!answer.ok) throw new Error("the server answered " + answer.status);
    spec = await answer.json();
  } catch (failure) {
    main.replaceChildren(element("p", { role: "alert" },
      "The document could not be read: " + failure.message + ". Load this page again."));
    return;
  }
  draw(main);
  const field = document.getElementById("find");
  field.addEventListener("input", () => find(field.value));
  if (location.hash) document.getElementById(location.hash.slice(1))?.scrollIntoView();
}

start();
