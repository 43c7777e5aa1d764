// One cell of the grid: what there is to show, and how it is drawn.
import { element } from "./element.js";

export const isEdited = (cell) => Boolean(cell.firstElementChild?.classList.contains("editor"));

// What a cell shows.
export function factsOf({ model, field, low, word }, color, size) {
  const text = model.text(color, size, field);
  const edit = model.edit(color, size, field);
  const fault = model.fault(color, size, field);
  const exists = model.exists(color, size);
  const conflict = model.conflict(color, size);
  const quantity = field === "quantity" && text !== "" && !fault ? Number(text) : null;
  return {
    field,
    text,
    fault,
    exists,
    quantity,
    edited: edit !== undefined,
    from: edit?.from ?? null,
    removed: edit !== undefined && model.isRemoved(color, size),
    zero: quantity === 0,
    low: quantity !== null && quantity > 0 && quantity < low,
    theirs: conflict && (edit || exists) ? String(conflict[field] ?? word("none")) : null,
    others: model.others.get(model.key(color, size)) ?? null,
  };
}

// Equal for cells that look the same.
export function signature(facts) {
  return Object.values(facts).join("\u0000");
}

// The value, signs, and in words what the signs say.
export function drawCell({ word, number, low }, cell, facts) {
  const { field, text, edited, from, fault, quantity } = facts;
  const parts = [];
  const spoken = [];
  if (facts.zero || facts.low) {
    parts.push(element("span", { class: "sign", "aria-hidden": "true" }, facts.zero ? "⊘" : "▾"));
    spoken.push(facts.zero ? word("zero") : word("low", low));
  }
  if (edited) {
    if (from !== null && field === "quantity") {
      parts.push(element("s", { "aria-hidden": "true" }, number.format(from)));
    }
    spoken.push(from === null ? word("new") : word("was", String(from)));
    if (facts.removed) {
      spoken.push(word("removed"));
    }
  }
  const shown = quantity === null ? text : number.format(quantity);
  parts.push(element("span", { class: "value" }, text === "" ? (edited ? "✕" : "") : shown));
  if (facts.theirs !== null) {
    parts.push(element("span", { class: "theirs", "aria-hidden": "true" }, `⇄ ${facts.theirs}`));
    spoken.push(word("conflict", facts.theirs));
  }
  if (facts.others) {
    spoken.push(facts.others);
  }
  if (fault) {
    parts.push(element("span", { class: "fault", "aria-hidden": "true" }, "⚠"));
    spoken.push(fault);
    cell.title = fault;
    cell.setAttribute("aria-invalid", "true");
  } else {
    cell.removeAttribute("title");
    cell.removeAttribute("aria-invalid");
  }
  if (spoken.length) {
    cell.setAttribute("aria-label", [shown, ...spoken].filter(Boolean).join(", "));
  } else {
    cell.removeAttribute("aria-label");
  }
  cell.className = [
    field === "barcode" ? "code" : "number",
    facts.zero ? "zero" : "",
    facts.low ? "low" : "",
    edited ? "changed" : "",
    facts.theirs !== null ? "conflicting" : "",
    facts.others ? "others" : "",
    facts.exists ? "" : "absent",
    cell.classList.contains("active") ? "active" : "",
  ].join(" ");
  cell.replaceChildren(...parts);
}
