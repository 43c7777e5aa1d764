// Copying cells to a spreadsheet, and pasting from one. Where the grid lacks colors or sizes of
// what is pasted, a dialog shows what would be set and asks.
import { readBlock } from "./grid-block.js";
import { formatTable, nameOf, parseTable, quantityOf } from "./grid-text.js";
import { element } from "./grid-view.js";

const OWN_CELLS = "application/x-stockroom-cells"; // says that a block was copied here: it has no headers
const MOST_NAMED = 3;

export class Paste {
  constructor(view, write, tell) {
    this.view = view;
    this.write = write;
    this.tell = tell;
    this.dialog = document.getElementById("grid-paste");
    this.dialog.addEventListener("click", (event) => {
      const choice = event.target.dataset.paste;
      if (choice) {
        this.dialog.close();
        this.#write(this.block, choice === "all");
      }
    });
  }

  copy(clipboard) {
    const { view } = this;
    const { model, field } = view;
    const { top, bottom, left, right } = view.range;
    const sizes = model.sizes.slice(left, right + 1);
    const rows = model.colors.slice(top, bottom + 1).map((color) => sizes.map((size) => model.text(color, size, field)));
    clipboard.setData("text/plain", formatTable(rows));
    clipboard.setData(OWN_CELLS, field);
  }

  async paste(clipboard) {
    const { view } = this;
    const { model, field } = view;
    document.getElementById("messages").replaceChildren();
    const rows = parseTable(clipboard.getData("text/plain"));
    const [first] = rows[0];
    if (rows.length === 1 && rows[0].length === 1) {
      this.#fillSelection(first.trim());
      return;
    }
    const { top, left } = view.range;
    const plain = clipboard.types.includes(OWN_CELLS);
    const block = readBlock(rows, { colors: model.colors, sizes: model.sizes, field, top, left, plain });
    if (block.problem) {
      Stockroom.say(view.word(block.problem.name, ...block.problem.values));
    } else if (block.refused.length) {
      this.#refuse(block.refused);
    } else if (block.sizes.length && !(await this.#rank(block))) {
      return;
    } else if (block.colors.length || block.sizes.length || block.leftOut.length) {
      this.#ask(block);
    } else {
      this.#write(block, true);
    }
  }

  #fillSelection(text) {
    const { field } = this.view;
    if (text === "") {
      this.tell(this.view.word("paste.nothing"));
    } else if ((field === "quantity" ? quantityOf(text) : nameOf(text)) === null) {
      this.#refuse([{ text, row: 1, column: 1 }]);
    } else {
      const value = field === "quantity" ? String(quantityOf(text)) : nameOf(text);
      this.#write({ cells: this.view.selected().map(([color, size]) => ({ color, size, text: value })), beyond: 0 }, true);
    }
  }

  #refuse(refused) {
    const { word, field } = this.view;
    const named = refused.slice(0, MOST_NAMED).map(({ text, row, column }) => word("paste.at", text.slice(0, 40), row, column));
    const rest = refused.length - named.length;
    const list = named.join(word("paste.comma")) + (rest ? ` ${word("paste.more", rest)}` : "");
    Stockroom.say(word(field === "quantity" ? "paste.refused" : "paste.refused-barcode", list));
  }

  // The server knows which sizes are possible, and their order.
  async #rank(block) {
    const range = block.sizes.join(",");
    const answer = await Stockroom.send(`/console/stock/sizes?${new URLSearchParams({ range })}`);
    const { sizes, problems } = await answer.json();
    if (problems) {
      Stockroom.say(problems[0].text);
      return false;
    }
    block.ranked = sizes;
    this.view.model.rank(sizes);
    return true;
  }

  #known({ color, size }) {
    const { colors, sizes } = this.view.model;
    return colors.includes(color) && sizes.includes(size);
  }

  #write(block, all) {
    const { word, field } = this.view;
    const cells = all ? block.cells : block.cells.filter((cell) => this.#known(cell));
    const added = all ? { colors: block.colors, sizes: block.ranked ?? [] } : {};
    this.write(cells.map(({ color, size, text }) => [color, size, field, text]), added);
    const done = cells.length ? word(block.labelled ? "pasted.labelled" : "pasted", cells.length) : "";
    this.tell([done, block.beyond ? word("beyond", block.beyond) : ""].filter(Boolean).join(" · ") || word("paste.nothing"));
  }

  #ask(block) {
    const { word } = this.view;
    this.block = block;
    const { colors, sizes, leftOut, cells } = block;
    const lines = [
      colors.length ? word("paste.colors", colors.join(word("paste.comma"))) : "",
      sizes.length ? word("paste.sizes", block.ranked.map(([text]) => text).join(word("paste.comma"))) : "",
      leftOut.length ? word("paste.left-out", leftOut.join(word("paste.comma"))) : "",
      block.beyond ? word("beyond", block.beyond) : "",
    ];
    this.dialog.querySelector("ul").replaceChildren(...lines.filter(Boolean).map((line) => element("li", {}, line)));
    this.dialog.querySelector(".paste-cells").replaceChildren(this.#table(block));
    const known = cells.filter((cell) => this.#known(cell)).length;
    const all = this.dialog.querySelector("[data-paste='all']");
    const matching = this.dialog.querySelector("[data-paste='matching']");
    const adds = colors.length > 0 || sizes.length > 0;
    all.textContent = word(adds ? "paste.add" : "paste.go");
    all.disabled = !cells.length;
    matching.hidden = !adds || !known;
    matching.textContent = word("paste.matching", known);
    this.dialog.showModal();
    (all.disabled ? this.dialog.querySelector(".cancel") : all).focus();
  }

  // What will be set, with the new rows and columns marked.
  #table({ cells, colors, sizes }) {
    const { word, number, field } = this.view;
    const header = (scope, text, fresh) =>
      element("th", { scope, class: fresh ? "fresh" : null }, text, ...(fresh ? [" ", element("span", { class: "tag" }, word("new"))] : []));
    const columns = this.view.model.ordered(cells.map((cell) => cell.size));
    const rows = [...new Set(cells.map((cell) => cell.color))].map((color) => {
      const values = columns.map((size) => {
        const text = cells.find((cell) => cell.color === color && cell.size === size)?.text ?? "";
        const shown = field === "quantity" && text !== "" ? number.format(text) : text;
        return element("td", { class: field === "quantity" ? "number" : "code" }, shown);
      });
      return element("tr", {}, header("row", color, colors.includes(color)), ...values);
    });
    const head = element("tr", {}, header("col", word("color")), ...columns.map((size) => header("col", size, sizes.includes(size))));
    return element("table", {}, element("thead", {}, head), element("tbody", {}, ...rows));
  }
}
