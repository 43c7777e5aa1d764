// Reads what people type into a cell: 12 sets the quantity, +10 and -4 change it, =5+3*2 calculates.
import { halfWidth, LARGEST } from "./grid-text.js";

const NUMBER = String.raw`(?:\d{1,3}(?:,\d{3})+|\d+)`;
const GROUPED = /^\d{1,3}([,\u00a0 ]\d{3})+$/;
const RELATIVE = new RegExp(String.raw`^[+-]\s*${NUMBER}$`);
const CALCULATION = new RegExp(String.raw`^=\s*[+-]?\s*${NUMBER}(?:\s*[+*-]\s*${NUMBER})*$`);

const tidy = (text) => halfWidth(text).replaceAll("−", "-").replaceAll("×", "*").trim();

// BigInt, because a product of two numbers may be too large for exact arithmetic with Number.
function calculate(text) {
  const terms = [];
  for (const [, sign, digits] of text.replaceAll(",", "").matchAll(/([+*-]?)\s*(\d+)/g)) {
    if (sign === "*") {
      terms.push(terms.pop() * BigInt(digits));
    } else {
      terms.push(sign === "-" ? -BigInt(digits) : BigInt(digits));
    }
  }
  return terms.reduce((sum, term) => sum + term, 0n);
}

// What a text does to a quantity: { by } or { to } as BigInt; null where no cell understands it.
function parse(text) {
  if (RELATIVE.test(text)) {
    return { by: calculate(text) };
  }
  if (CALCULATION.test(text)) {
    return { to: calculate(text.slice(1)) };
  }
  const digits = GROUPED.test(text) ? text.replace(/\D/g, "") : text;
  return /^\d+$/.test(digits) ? { to: BigInt(digits) } : null;
}

// A fill reads the same text for thousands of cells.
let last = {};

function resultOf(typed, current) {
  if (last.typed !== typed) {
    last = { typed, parsed: parse(typed) };
  }
  const { parsed } = last;
  return parsed && (parsed.to ?? BigInt(current) + parsed.by);
}

// What becomes of a cell that holds `current`: { value }, with `computed` where it is not simply
// the number that was typed; or { problem, values }, the name of a sentence and what it mentions.
export function evaluate(typed, current) {
  const text = tidy(typed);
  const result = resultOf(text, current);
  if (result === null) {
    return { problem: "number", values: [] };
  }
  if (result < 0n) {
    return { problem: "below-zero", values: [String(result)] };
  }
  if (result > BigInt(LARGEST)) {
    return { problem: "too-large", values: [String(result)] };
  }
  return { value: Number(result), computed: /^[+=-]/.test(text) };
}

// A text that more typing can complete, such as "+" or "=5*": nobody wants to hear of it yet.
export function incomplete(typed) {
  const text = tidy(typed);
  return text === "" || (resultOf(text, 0) === null && resultOf(`${text}0`, 0) !== null);
}
