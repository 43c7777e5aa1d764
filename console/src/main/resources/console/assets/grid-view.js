// Draws the grid as a table of the W3C grid pattern, and keeps the place in it: one cell can be
// reached by Tab, and a rectangle of cells may be selected.
import { drawCell, element, factsOf, isEdited, signature } from "./grid-cell.js";

export { element };

const LARGE = 1000; // cells from which rows out of view are drawn later
const ROWS_AT_ONCE = 5;
// as in grid.css
const ROW_HEIGHT = 37;
const CELL_WIDTH = { quantity: 88, barcode: 152 };
const NOTHING_MARKED = { range: { top: 0, bottom: -1, left: 0, right: -1 }, at: [-1, -1] };

export class View {
  row = 0;
  column = 0;
  anchor = null; // where a selection began
  field = "quantity";
  #colors = []; // as drawn
  #sizes = [];
  #cells = []; // the elements, by row and column
  #sums; // the elements of the sums
  #large = false;
  #marked = NOTHING_MARKED;
  #later; // the timer that draws the rows out of view

  // low: quantities below it are low
  constructor(place, model, word, language, low) {
    this.low = low;
    this.place = place;
    this.model = model;
    this.word = word;
    this.number = new Intl.NumberFormat(language);
  }

  get color() {
    return this.model.colors[this.row];
  }

  get size() {
    return this.model.sizes[this.column];
  }

  cellName(color = this.color, size = this.size) {
    return this.word("cell", color, size);
  }

  // The selected rectangle, or just the cell.
  get range() {
    const other = this.anchor ?? { row: this.row, column: this.column };
    return {
      top: Math.min(this.row, other.row),
      bottom: Math.max(this.row, other.row),
      left: Math.min(this.column, other.column),
      right: Math.max(this.column, other.column),
    };
  }

  // Every selected cell: [color, size].
  selected() {
    const { top, bottom, left, right } = this.range;
    const colors = this.model.colors.slice(top, bottom + 1);
    const sizes = this.model.sizes.slice(left, right + 1);
    return colors.flatMap((color) => sizes.map((size) => [color, size]));
  }

  // The selected sizes of the first row, or of the row above where only one is selected, for the
  // rows below it: [color, size, color to copy].
  fillDown() {
    const { top, bottom, left, right } = this.range;
    const { colors, sizes } = this.model;
    const source = top === bottom ? top - 1 : top;
    const below = source < 0 ? [] : colors.slice(source + 1, bottom + 1);
    return below.flatMap((color) => sizes.slice(left, right + 1).map((size) => [color, size, colors[source]]));
  }

  go(row, column, extend = false) {
    this.anchor = extend ? (this.anchor ?? { row: this.row, column: this.column }) : null;
    this.row = Math.max(0, Math.min(row, this.model.colors.length - 1));
    this.column = Math.max(0, Math.min(column, this.model.sizes.length - 1));
    this.mark();
    this.cell()?.focus();
    this.cell()?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }

  cell(row = this.row, column = this.column) {
    return this.#cells[row]?.[column] ?? null;
  }

  draw() {
    const { colors, sizes } = this.model;
    if (!colors.length || !sizes.length) {
      const made = [...colors, ...sizes].join(", ");
      this.place.replaceChildren(
        element("div", { class: "card empty" }, element("p", {}, this.word("empty")), element("p", {}, made)),
      );
      return;
    }
    this.row = Math.min(this.row, colors.length - 1);
    this.column = Math.min(this.column, sizes.length - 1);
    this.#colors = colors;
    this.#sizes = sizes;
    this.#large = colors.length * sizes.length > LARGE;
    this.#marked = NOTHING_MARKED;
    clearTimeout(this.#later);
    const head = element("tr", { role: "row" }, this.#header("columnheader", this.word("color")));
    sizes.forEach((size) => head.append(this.#header("columnheader", String(size))));
    head.append(this.#header("columnheader", this.word("sum"), "sum"));
    const body = element("tbody", { role: "rowgroup" });
    this.#sums = { rows: [], sizes: [], all: null };
    this.#cells = colors.map((color, row) => this.#drawRow(body, color, row));
    const sums = element("tr", { role: "row" }, this.#header("rowheader", this.word("sum")));
    this.#sums.sizes = sizes.map((size) => element("td", { role: "gridcell", class: "sum", "data-sum-size": size }));
    this.#sums.all = element("td", { role: "gridcell", class: "sum all", "data-sum-all": true });
    sums.append(...this.#sums.sizes, this.#sums.all);
    const table = element(
      "table",
      { role: "grid", class: `stock-grid${this.#large ? " large" : ""}${this.field === "barcode" ? " codes" : ""}`, "aria-labelledby": "grid-title", "aria-multiselectable": "true" },
      element("thead", { role: "rowgroup" }, head),
      body,
      element("tfoot", { role: "rowgroup" }, sums),
    );
    table.style.setProperty("--sizes", sizes.length);
    const scroll = this.place.querySelector(".grid-scroll");
    const { scrollLeft = 0, scrollTop = 0 } = scroll ?? {};
    const fresh = element("div", { class: "grid-scroll" }, table);
    this.place.replaceChildren(fresh);
    fresh.scrollTo(scrollLeft, scrollTop);
    this.#refreshRows();
    this.sums();
    this.mark();
  }

  #header(role, text, extra = "") {
    return element("th", { role, scope: role === "rowheader" ? "row" : "col", class: extra, title: role === "rowheader" ? text : null }, element("span", {}, text));
  }

  // A row of empty cells.
  #drawRow(body, color, row) {
    const head = this.#header("rowheader", color);
    const picture = this.model.pictures[color];
    if (picture) {
      head.prepend(element("img", { src: picture, alt: "", width: 24, height: 24, loading: "lazy" }));
    }
    const cells = this.#sizes.map((_, column) =>
      element("td", { role: "gridcell", tabindex: "-1", "aria-selected": "false", "data-row": row, "data-column": column }),
    );
    const sum = element("td", { role: "gridcell", class: "sum", "data-sum-row": row });
    this.#sums.rows.push(sum);
    body.append(element("tr", { role: "row" }, head, ...cells, sum));
    return cells;
  }

  // Draws the content of one cell.
  fill(cell, color, size) {
    const facts = factsOf(this, color, size);
    cell.drawn = signature(facts);
    drawCell(this, cell, facts);
  }

  // Draws a row's cells that differ from what they show.
  #refreshRow(row, { first, last } = { first: 0, last: this.#sizes.length - 1 }) {
    for (let column = first; column <= last; column++) {
      const cell = this.#cells[row][column];
      const [color, size] = [this.#colors[row], this.#sizes[column]];
      if (cell.drawn !== signature(factsOf(this, color, size)) && !isEdited(cell)) {
        this.fill(cell, color, size);
      }
    }
  }

  // Draws the cells in view at once and the others of a large grid in short steps, so that no frame
  // waits for thousands of cells.
  #refreshRows() {
    clearTimeout(this.#later);
    const rows = this.#cells.map((_, row) => row);
    if (!this.#large) {
      rows.forEach((row) => this.#refreshRow(row));
      return;
    }
    const { top, bottom, ...columns } = this.#inView();
    rows.slice(top, bottom + 1).forEach((row) => this.#refreshRow(row, columns));
    const step = () => {
      rows.splice(0, ROWS_AT_ONCE).forEach((row) => this.#refreshRow(row));
      this.#later = rows.length ? setTimeout(step) : undefined;
    };
    this.#later = setTimeout(step);
  }

  // Which cells of a large grid the person sees.
  #inView() {
    const { scrollTop, scrollLeft, clientHeight, clientWidth } = this.place.querySelector(".grid-scroll");
    const width = CELL_WIDTH[this.field];
    const first = Math.floor(scrollLeft / width);
    return {
      top: Math.floor(scrollTop / ROW_HEIGHT),
      bottom: Math.ceil((scrollTop + (clientHeight || innerHeight)) / ROW_HEIGHT),
      first,
      last: Math.min(this.#sizes.length - 1, first + Math.ceil((clientWidth || innerWidth) / width)),
    };
  }

  // After a change: every cell and sum again, without losing the place.
  refresh() {
    const { colors, sizes } = this.model;
    const same =
      this.#sums?.all.isConnected &&
      colors.length === this.#colors.length &&
      sizes.length === this.#sizes.length &&
      colors.every((color, row) => this.#colors[row] === color) &&
      sizes.every((size, column) => this.#sizes[column] === size);
    if (!same) {
      const focused = this.place.contains(document.activeElement);
      this.draw();
      if (focused) {
        this.cell()?.focus();
      }
      return;
    }
    this.#refreshRows();
    this.sums();
    this.mark();
  }

  sums() {
    const { colors, sizes } = this.model;
    const bySize = sizes.map(() => 0);
    let all = 0;
    const put = (cell, sum) => {
      const text = this.number.format(sum);
      if (cell && cell.textContent !== text) {
        cell.textContent = text;
      }
    };
    colors.forEach((color, row) => {
      let sum = 0;
      sizes.forEach((size, column) => {
        const quantity = this.model.quantity(color, size);
        sum += quantity;
        bySize[column] += quantity;
      });
      all += sum;
      put(this.#sums.rows[row], sum);
    });
    bySize.forEach((sum, column) => put(this.#sums.sizes[column], sum));
    put(this.#sums.all, all);
  }

  // The one cell that Tab reaches, and what is selected. Touches only cells that change.
  mark() {
    const now = this.range;
    const { row, column } = this;
    const inside = (range, r, c) => r >= range.top && r <= range.bottom && c >= range.left && c <= range.right;
    const each = (range, action) => {
      for (let r = range.top; r <= range.bottom; r++) {
        for (let c = range.left; c <= range.right; c++) {
          action(this.#cells[r]?.[c], r, c);
        }
      }
    };
    each(this.#marked.range, (cell, r, c) => inside(now, r, c) || cell?.setAttribute("aria-selected", "false"));
    each(now, (cell) => cell?.getAttribute("aria-selected") !== "true" && cell?.setAttribute("aria-selected", "true"));
    for (const [r, c] of [this.#marked.at, [row, column]]) {
      const cell = this.#cells[r]?.[c];
      const active = r === row && c === column;
      // the field of a cell that is being edited is the stop instead
      if (cell && isEdited(cell)) {
        cell.removeAttribute("tabindex");
      } else if (cell) {
        cell.tabIndex = active ? 0 : -1;
      }
      cell?.classList.toggle("active", active);
    }
    this.#marked = { range: now, at: [row, column] };
    this.marked?.();
  }
}
