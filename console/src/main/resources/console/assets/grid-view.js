// Draws the grid as a table of the W3C grid pattern, and keeps the place in it: one cell can be
// reached by Tab, and a rectangle of cells may be selected.
import { element } from "./element.js";
import { drawCell, factsOf, isEdited, signature } from "./grid-cell.js";

export { element };

const LARGE = 1000; // cells from which the page has only those in view
const BEYOND = 1; // rows and columns next to those in view
const AT_ONCE = 60; // cells of a large grid that one frame draws
// as in grid.css
const ROW_HEIGHT = 37;
const CELL_WIDTH = { quantity: 88, barcode: 152 };
const NOTHING_MARKED = { range: { top: 0, bottom: -1, left: 0, right: -1 }, at: [-1, -1] };

const inside = (range, row, column) => row >= range.top && row <= range.bottom && column >= range.left && column <= range.right;
const numbers = (first, last) => Array.from({ length: last - first + 1 }, (_, i) => first + i);
const ordered = (values) => [...new Set(values)].sort((a, b) => a - b);

// Makes these the children. Those that stay are not moved, because a moved element loses the focus.
function setChildren(parent, wanted) {
  const kept = new Set(wanted);
  [...parent.children].forEach((child) => kept.has(child) || child.remove());
  let next = parent.firstElementChild;
  for (const child of wanted) {
    if (child === next) {
      next = next.nextElementSibling;
    } else {
      parent.insertBefore(child, next);
    }
  }
}

export class View {
  row = 0;
  column = 0;
  anchor = null; // where a selection began
  field = "quantity";
  #colors = []; // as drawn
  #sizes = [];
  #rows = []; // the elements: { line, head, sum, cells by column, columns }
  #sums; // the elements of the sums
  #large = false;
  #seen = { top: 0, left: 0, width: 0, height: 0 }; // the part of a large grid in view
  #columns = []; // those in the page
  #later; // the frame that draws the next cells
  #marked = NOTHING_MARKED;

  // low: quantities below it are low
  constructor(place, model, word, language, low) {
    this.low = low;
    this.place = place;
    this.model = model;
    this.word = word;
    this.number = new Intl.NumberFormat(language);
    addEventListener("beforeprint", () => this.#look({ top: 0, left: 0, width: Infinity, height: Infinity }));
    addEventListener("afterprint", () => this.#look());
  }

  // Whether the page has only the cells in view.
  get isLarge() {
    return this.#large;
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
    this.cell()?.focus({ preventScroll: true });
    this.cell()?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }

  // The element of a cell; null where it is out of view in a large grid.
  cell(row = this.row, column = this.column) {
    return this.#rows[row]?.cells[column] ?? null;
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
    cancelAnimationFrame(this.#later);
    this.#marked = NOTHING_MARKED;
    const head = element("tr", { role: "row" }, this.#header("columnheader", this.word("color")));
    sizes.forEach((size) => head.append(this.#header("columnheader", String(size))));
    head.append(this.#header("columnheader", this.word("sum"), "sum"));
    this.#rows = colors.map((color, row) => this.#drawRow(color, row));
    const body = element("tbody", { role: "rowgroup" }, ...this.#rows.map(({ line }) => line));
    const sums = element("tr", { role: "row" }, this.#header("rowheader", this.word("sum")));
    this.#sums = sizes.map((size) => element("td", { role: "gridcell", class: "sum", "data-sum-size": size }));
    this.#sums.all = element("td", { role: "gridcell", class: "sum all", "data-sum-all": true });
    sums.append(...this.#sums, this.#sums.all);
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
    this.#fit();
    this.sums();
    this.mark();
    this.place.replaceChildren(fresh);
    if (scrollLeft || scrollTop) {
      fresh.scrollTo(scrollLeft, scrollTop);
    }
    if (this.#large) {
      table.setAttribute("aria-colcount", sizes.length + 2);
      fresh.addEventListener("scroll", () => this.#look());
      // in the next frame, which then has only the cells to lay out
      new ResizeObserver(() => requestAnimationFrame(() => this.#look())).observe(fresh);
    }
  }

  #header(role, text, extra = "") {
    return element("th", { role, scope: role === "rowheader" ? "row" : "col", class: extra, title: role === "rowheader" ? text : null }, element("span", {}, text));
  }

  // A row without cells.
  #drawRow(color, row) {
    const head = this.#header("rowheader", color);
    head.prepend(this.#picture(color));
    const sum = element("td", { role: "gridcell", class: "sum", "data-sum-row": row, "aria-colindex": this.#large ? this.#sizes.length + 2 : null });
    return { line: element("tr", { role: "row" }, head, sum), head, sum, cells: [], columns: [] };
  }

  // The picture of a color, and the mouse's way to change it: the keyboard has a button for it.
  #picture(color) {
    const { small } = this.model.pictures[color] ?? {};
    const image = small ? [element("img", { src: small, alt: "", width: 24, height: 24, loading: "lazy" })] : [];
    return element("button", { type: "button", class: `color-picture${small ? "" : " none"}`, tabindex: "-1", "aria-hidden": "true", title: this.word("picture.title", color), "data-picture": color }, ...image);
  }

  // After a change of the picture.
  drawPicture(color) {
    this.#rows[this.#colors.indexOf(color)]?.head.querySelector("[data-picture]").replaceWith(this.#picture(color));
  }

  #drawCell(row, column) {
    const cell = element("td", { role: "gridcell", tabindex: "-1", "aria-selected": String(inside(this.#marked.range, row, column)), "data-row": row, "data-column": column });
    if (this.#large) {
      cell.setAttribute("aria-colindex", column + 2);
      cell.style.setProperty("--column", column);
    }
    return cell;
  }

  // Puts the cells into the page: all of them, or those in view and the one that Tab reaches.
  #fit() {
    const { top, bottom, left, right } = this.#large ? this.#inView() : { top: 0, bottom: this.#colors.length - 1, left: 0, right: this.#sizes.length - 1 };
    const columns = ordered([...numbers(left, right), this.column]);
    if (columns.join() !== this.#columns.join()) {
      this.#columns = columns;
    }
    let fresh = false;
    this.#rows.forEach((line, row) => {
      const wanted = (row >= top && row <= bottom) || row === this.row ? this.#columns : [];
      if (line.columns !== wanted) {
        const { cells } = line;
        line.cells = [];
        wanted.forEach((column) => (line.cells[column] = cells[column] ?? this.#drawCell(row, column)));
        line.columns = wanted;
        setChildren(line.line, [line.head, ...wanted.map((column) => line.cells[column]), line.sum]);
        fresh = true;
      }
    });
    if (fresh) {
      this.#refreshCells();
    }
  }

  // After scrolling: the cells that came into view.
  #look(seen) {
    const scroll = this.place.querySelector(".grid-scroll");
    if (scroll && this.#large) {
      this.#seen = seen ?? { top: scroll.scrollTop, left: scroll.scrollLeft, width: scroll.clientWidth, height: scroll.clientHeight };
      this.#fit();
      this.marked?.();
    }
  }

  // Draws the content of one cell.
  fill(cell, color, size) {
    const facts = factsOf(this, color, size);
    cell.drawn = signature(facts);
    drawCell(this, cell, facts);
  }

  // Draws the cells that differ from what they show. A large grid does so over several frames, so
  // that none of them takes long; each draws what is true by then.
  #refreshCells() {
    cancelAnimationFrame(this.#later);
    const stale = this.#stale();
    const step = () => {
      for (let n = 0; n < (this.#large ? AT_ONCE : Infinity); n++) {
        const { done, value } = stale.next();
        if (done) {
          return;
        }
        this.fill(...value);
      }
      this.#later = requestAnimationFrame(step);
    };
    if (this.#large) {
      this.#later = requestAnimationFrame(step);
    } else {
      step();
    }
  }

  *#stale() {
    for (const [row, { cells, columns }] of this.#rows.entries()) {
      for (const column of columns) {
        const [cell, color, size] = [cells[column], this.#colors[row], this.#sizes[column]];
        if (cell.drawn !== signature(factsOf(this, color, size)) && !isEdited(cell)) {
          yield [cell, color, size];
        }
      }
    }
  }

  // The rows and columns of a large grid that the person sees, and a few next to them.
  #inView() {
    const { top, left, width, height } = this.#seen;
    const cell = CELL_WIDTH[this.field];
    return {
      top: Math.max(0, Math.floor(top / ROW_HEIGHT) - BEYOND),
      bottom: Math.min(this.#colors.length - 1, Math.ceil((top + height) / ROW_HEIGHT) + BEYOND),
      left: Math.max(0, Math.floor(left / cell) - BEYOND),
      right: Math.min(this.#sizes.length - 1, Math.ceil((left + width) / cell) + BEYOND),
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
    this.#refreshCells();
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
      put(this.#rows[row]?.sum, sum);
    });
    bySize.forEach((sum, column) => put(this.#sums[column], sum));
    put(this.#sums.all, all);
  }

  // The one cell that Tab reaches, and what is selected. Touches only cells that change.
  mark() {
    const now = this.range;
    const { row, column } = this;
    if (this.#large) {
      this.#fit();
    }
    const each = (range, action) => {
      for (let r = range.top; r <= range.bottom; r++) {
        for (let c = range.left; c <= range.right; c++) {
          action(this.cell(r, c), r, c);
        }
      }
    };
    each(this.#marked.range, (cell, r, c) => inside(now, r, c) || cell?.setAttribute("aria-selected", "false"));
    each(now, (cell) => cell?.getAttribute("aria-selected") !== "true" && cell?.setAttribute("aria-selected", "true"));
    for (const [r, c] of [this.#marked.at, [row, column]]) {
      const cell = this.cell(r, c);
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
