// Reads a block of cells copied from a spreadsheet. It may have a row of sizes, a column of colors,
// both or neither; what it names is matched by name, everything else lands at the cursor.
import { halfWidth, nameOf, quantityOf } from "./grid-text.js";

const TOTAL = /^(sum|totals?|grand total|合计|总计|小计|共计)$/i;

const numeric = (text) => /^[-+\d.,\s]+$/.test(halfWidth(text));
const fold = (name) => name.normalize("NFC").trim().toLowerCase();

// A size of the grid, a number or a letter size: other texts may be anything. The server checks it.
function sizeOf(text, sizes) {
  const title = halfWidth(text).trim();
  const known = sizes.find((size) => size.toLowerCase() === title.toLowerCase());
  return known ?? (/^(\d{1,9}(\.\d{1,3})?|\d{0,2}x*[sl]|m)$/i.test(title) ? title : null);
}

// The color of the grid that a name means. Two colors that differ in case only need the exact name.
function colorOf(name, colors) {
  const exact = nameOf(name);
  const alike = colors.filter((color) => fold(color) === fold(name));
  return colors.includes(exact) ? exact : alike.length === 1 ? alike[0] : undefined;
}

// A plain block of numbers is never taken for one with headers: that needs a text in the column of
// colors, or a corner that is no number above a row with a size that the grid has.
function headersOf(rows, grid) {
  if (grid.plain) {
    return { sizeRow: false, colorColumn: false };
  }
  const [corner, ...titles] = rows[0];
  const names = rows.slice(1).filter((row) => row.some(Boolean)).map((row) => row[0]);
  const hasText = names.some((name) => name && !numeric(name));
  const known = !grid.sizes.length || titles.some((title) => grid.sizes.includes(sizeOf(title, grid.sizes)));
  const sizeRow =
    names.length > 0 &&
    (corner === "" || (!numeric(corner) && colorOf(corner, grid.colors) === undefined)) &&
    titles.some((title) => sizeOf(title, grid.sizes) !== null) &&
    titles.every((title) => title === "" || sizeOf(title, grid.sizes) !== null || (hasText && !numeric(title))) &&
    (hasText || known);
  const isColor = (name) =>
    name !== "" && !numeric(name) && (grid.field === "quantity" || colorOf(name, grid.colors) !== undefined);
  const colorColumn = sizeRow ? names.some(Boolean) : titles.some(Boolean) && isColor(corner) && names.every(isColor);
  return { sizeRow, colorColumn };
}

const problem = (name, ...values) => ({ problem: { name, values } });
const firstTwice = (values) => values.find((value, n) => values.indexOf(value) < n);

// grid: { colors, sizes, field, top, left, plain }. Gives the cells to set, what the grid lacks for them,
// which values have no place; or the problem because of which nothing shall be pasted.
export function readBlock(table, grid) {
  const width = Math.max(...table.map((row) => row.length));
  const rows = table.map((row) => Array.from({ length: width }, (_, n) => (row[n] ?? "").trim()));
  const { sizeRow, colorColumn } = headersOf(rows, grid);
  const skipped = { rows: sizeRow ? 1 : 0, columns: sizeRow || colorColumn ? 1 : 0 };
  const titles = sizeRow ? rows[0].map((title, column) => (column ? sizeOf(title, grid.sizes) : null)) : [];
  const colors = rows.map((row, n) => {
    if (!colorColumn) {
      return grid.colors[grid.top + n - skipped.rows];
    }
    return n < skipped.rows || row[0] === "" ? undefined : (colorOf(row[0], grid.colors) ?? nameOf(row[0]));
  });
  const twice =
    firstTwice(titles.filter((size) => size !== null)) ??
    (colorColumn ? firstTwice(colors.filter(Boolean).map((color) => (grid.colors.includes(color) ? color : fold(color)))) : undefined);
  if (twice !== undefined) {
    return problem("paste.twice", twice);
  }
  const read = { cells: [], refused: [], beyond: 0, leftOut: new Set(), labelled: sizeRow || colorColumn };
  for (const [n, row] of rows.entries()) {
    const values = row.slice(skipped.columns).some(Boolean) && n >= skipped.rows;
    const isTotal = colorColumn && TOTAL.test(row[0]) && !grid.colors.includes(colors[n]);
    if (!values || isTotal) {
      continue;
    }
    if (colorColumn && row[0] === "") {
      return problem("paste.nameless", n + 1);
    }
    if (colors[n] === null) {
      return problem("paste.long", n + 1);
    }
    for (let column = skipped.columns; column < width; column++) {
      const size = sizeRow ? titles[column] : grid.sizes[grid.left + column - skipped.columns];
      if (row[column] !== "") {
        readCell(read, grid, { text: row[column], color: colors[n], size, title: rows[0][column], row: n + 1, column: column + 1 });
      }
    }
  }
  const missing = (name, known) => [...new Set(read.cells.map((cell) => cell[name]))].filter((value) => !known.includes(value));
  return {
    ...read,
    leftOut: [...read.leftOut],
    colors: missing("color", grid.colors),
    sizes: missing("size", grid.sizes),
  };
}

function readCell(read, grid, { text, color, size, title, row, column }) {
  if (size === null) {
    if (!TOTAL.test(title)) {
      read.leftOut.add(title || `#${column}`);
    }
    return;
  }
  const value = grid.field === "quantity" ? quantityOf(text) : nameOf(text);
  if (value === null) {
    read.refused.push({ text, row, column });
  } else if (color === undefined || size === undefined) {
    read.beyond++;
  } else {
    read.cells.push({ color: color, size, text: String(value) });
  }
}
