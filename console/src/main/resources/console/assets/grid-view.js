// Draws the grid as a table of the W3C grid pattern, and keeps the place in it: one cell can be
// reached by Tab, and a rectangle of cells may be selected.
export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== null && value !== undefined && value !== false) {
      made.setAttribute(key, value === true ? "" : value);
    }
  }
  made.append(...children);
  return made;
}

export class View {
  row = 0;
  column = 0;
  anchor = null; // where a selection began
  field = "quantity";

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
    return this.place.querySelector(`[data-row="${row}"][data-column="${column}"]`);
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
    const head = element("tr", { role: "row" }, this.#header("columnheader", this.word("color")));
    sizes.forEach((size) => head.append(this.#header("columnheader", String(size))));
    head.append(this.#header("columnheader", this.word("sum"), "sum"));
    const body = element("tbody", { role: "rowgroup" });
    colors.forEach((color, row) => body.append(this.#drawRow(color, row)));
    const sums = element("tr", { role: "row" }, this.#header("rowheader", this.word("sum")));
    sizes.forEach((size) => sums.append(element("td", { role: "gridcell", class: "sum", "data-sum-size": size })));
    sums.append(element("td", { role: "gridcell", class: "sum all", "data-sum-all": true }));
    const table = element(
      "table",
      { role: "grid", class: "stock-grid", "aria-labelledby": "grid-title", "aria-multiselectable": "true" },
      element("thead", { role: "rowgroup" }, head),
      body,
      element("tfoot", { role: "rowgroup" }, sums),
    );
    const scroll = this.place.querySelector(".grid-scroll");
    const { scrollLeft = 0, scrollTop = 0 } = scroll ?? {};
    const fresh = element("div", { class: "grid-scroll" }, table);
    this.place.replaceChildren(fresh);
    fresh.scrollTo(scrollLeft, scrollTop);
    this.sums();
    this.mark();
  }

  #header(role, text, extra = "") {
    return element("th", { role, scope: role === "rowheader" ? "row" : "col", class: extra, title: role === "rowheader" ? text : null }, element("span", {}, text));
  }

  #drawRow(color, row) {
    const head = this.#header("rowheader", color);
    const picture = this.model.pictures[color];
    if (picture) {
      head.prepend(element("img", { src: picture, alt: "", width: 24, height: 24, loading: "lazy" }));
    }
    const line = element("tr", { role: "row" }, head);
    this.model.sizes.forEach((size, column) => {
      const cell = element("td", { role: "gridcell", tabindex: "-1", "data-row": row, "data-column": column });
      this.fill(cell, color, size);
      line.append(cell);
    });
    line.append(element("td", { role: "gridcell", class: "sum", "data-sum-row": row }));
    return line;
  }

  // The content of one cell: value, signs, and in words what the signs say.
  fill(cell, color, size) {
    const { model, word, field } = this;
    const text = model.text(color, size, field);
    const edit = model.edit(color, size, field);
    const conflict = model.conflict(color, size);
    const fault = model.fault(color, size, field);
    const quantity = field === "quantity" && text !== "" && !fault ? Number(text) : null;
    const zero = quantity === 0;
    const low = quantity !== null && quantity > 0 && quantity < this.low;
    const parts = [];
    const spoken = [];
    if (zero || low) {
      parts.push(element("span", { class: "sign", "aria-hidden": "true" }, zero ? "⊘" : "▾"));
      spoken.push(zero ? word("zero") : word("low", this.low));
    }
    if (edit) {
      const from = edit.from === null ? word("none") : String(edit.from);
      if (edit.from !== null && field === "quantity") {
        parts.push(element("s", { "aria-hidden": "true" }, this.number.format(edit.from)));
      }
      spoken.push(edit.from === null ? word("new") : word("was", from));
      if (model.isRemoved(color, size)) {
        spoken.push(word("removed"));
      }
    }
    const shown = quantity === null ? text : this.number.format(quantity);
    parts.push(element("span", { class: "value" }, text === "" ? (edit ? "✕" : "") : shown));
    const both = conflict && (edit || model.exists(color, size));
    if (both) {
      const theirs = conflict[field] ?? word("none");
      parts.push(element("span", { class: "theirs", "aria-hidden": "true" }, `⇄ ${theirs}`));
      spoken.push(word("conflict", theirs));
    }
    const others = model.others.get(model.key(color, size));
    if (others) {
      spoken.push(others);
    }
    if (fault) {
      parts.push(element("span", { class: "fault", "aria-hidden": "true" }, "⚠"));
      spoken.push(fault);
      cell.title = fault;
    } else {
      cell.removeAttribute("title");
    }
    if (spoken.length) {
      parts.push(element("span", { class: "hidden" }, `, ${spoken.join(", ")}`));
    }
    cell.className = [
      field === "barcode" ? "code" : "number",
      zero ? "zero" : "",
      low ? "low" : "",
      edit ? "changed" : "",
      both ? "conflicting" : "",
      others ? "others" : "",
      !model.exists(color, size) ? "absent" : "",
    ].join(" ");
    cell.toggleAttribute("aria-invalid", Boolean(fault));
    if (fault) {
      cell.setAttribute("aria-invalid", "true");
    }
    cell.replaceChildren(...parts);
  }

  // After a change: every cell and sum again, without losing the place.
  refresh() {
    const cells = this.place.querySelectorAll("td[data-row]");
    const { colors, sizes } = this.model;
    const drawn = this.place.querySelectorAll("tbody th");
    const same =
      cells.length === colors.length * sizes.length &&
      cells.length > 0 &&
      colors.every((color, row) => drawn[row]?.textContent === color);
    if (!same) {
      const focused = this.place.contains(document.activeElement);
      this.draw();
      if (focused) {
        this.cell()?.focus();
      }
      return;
    }
    for (const cell of cells) {
      if (!cell.querySelector(".editor")) {
        this.fill(cell, colors[cell.dataset.row], sizes[cell.dataset.column]);
      }
    }
    this.sums();
    this.mark();
  }

  sums() {
    const { colors, sizes } = this.model;
    const add = (cells) => cells.reduce((sum, [color, size]) => sum + this.model.quantity(color, size), 0);
    const put = (selector, cells) => {
      const cell = this.place.querySelector(selector);
      if (cell) {
        cell.textContent = this.number.format(add(cells));
      }
    };
    colors.forEach((color, row) => put(`[data-sum-row="${row}"]`, sizes.map((size) => [color, size])));
    sizes.forEach((size) => put(`[data-sum-size="${size}"]`, colors.map((color) => [color, size])));
    put("[data-sum-all]", colors.flatMap((color) => sizes.map((size) => [color, size])));
  }

  // The one cell that Tab reaches, and what is selected.
  mark() {
    const { top, bottom, left, right } = this.range;
    for (const cell of this.place.querySelectorAll("td[data-row]")) {
      const row = Number(cell.dataset.row);
      const column = Number(cell.dataset.column);
      const active = row === this.row && column === this.column;
      const inside = row >= top && row <= bottom && column >= left && column <= right;
      // the field of a cell that is being edited is the stop instead
      if (cell.querySelector(".editor")) {
        cell.removeAttribute("tabindex");
      } else {
        cell.tabIndex = active ? 0 : -1;
      }
      cell.classList.toggle("active", active);
      cell.setAttribute("aria-selected", String(inside));
    }
    this.marked?.();
  }
}
