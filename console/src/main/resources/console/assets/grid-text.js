// Values as text: what a cell may hold, and ranges as Excel exchanges them.

export const LARGEST = 2147483647;
const CONTROL = /[\u0000-\u001f\u007f-\u009f]/;

// Sentences come with {0}, {1} … where values belong.
export function wording(sentences) {
  return (name, ...values) =>
    sentences[name].replace(/\{(\d)\}/g, (place, n) => (n < values.length ? values[n] : place));
}

// Chinese keyboards type full-width digits and signs: ０-９ ＋ － ＝ ， and a wide space.
export function halfWidth(text) {
  return text
    .replace(/[\uff01-\uff5e]/g, (c) => String.fromCharCode(c.charCodeAt(0) - 0xfee0))
    .replaceAll("\u3000", " ");
}

// Digits, also as Excel shows them: 1,200. Null where it is no quantity.
export function quantityOf(text) {
  if (/^\d{1,9}$/.test(text)) {
    return Number(text);
  }
  const plain = halfWidth(text).trim();
  const digits = /^\d{1,3}([,\u00a0 ]\d{3})+$/.test(plain) ? plain.replace(/\D/g, "") : plain;
  return /^\d{1,10}$/.test(digits) && Number(digits) <= LARGEST ? Number(digits) : null;
}

// A name or a barcode as the server keeps it; null where it is too long or has control characters.
export function nameOf(text) {
  const kept = text.normalize("NFC").trim();
  return [...kept].length > 64 || CONTROL.test(kept) ? null : kept;
}

// Rows of tab-separated cells; a cell in quotes may hold tabs, line ends and doubled quotes.
export function parseTable(text) {
  const rows = [[]];
  let cell = "";
  let quoted = false;
  for (let i = 0; i < text.length; i++) {
    const c = text[i];
    if (quoted) {
      if (c === '"' && text[i + 1] === '"') {
        cell += text[++i];
      } else if (c === '"') {
        quoted = false;
      } else {
        cell += c;
      }
    } else if (c === '"' && cell === "") {
      quoted = true;
    } else if (c === "\t" || c === "\n") {
      rows.at(-1).push(cell.replace(/\r$/, ""));
      cell = "";
      if (c === "\n") {
        rows.push([]);
      }
    } else {
      cell += c;
    }
  }
  rows.at(-1).push(cell.replace(/\r$/, ""));
  // Excel ends the last row with a line end, too
  if (rows.length > 1 && rows.at(-1).length === 1 && rows.at(-1)[0] === "") {
    rows.pop();
  }
  return rows;
}

export function formatTable(rows) {
  const quote = (cell) => (/[\t\n"]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);
  return rows.map((row) => row.map(quote).join("\t")).join("\r\n");
}
