// The field in a cell that is being edited. Beside the cell stands what will become of it, or why
// it cannot be.
import { incomplete } from "./grid-input.js";
import { element } from "./grid-view.js";

export class Editor {
  #input = null;
  #at = null; // the cell: { color, size }

  constructor(view, write) {
    this.view = view;
    this.write = write;
    this.hint = document.getElementById("grid-hint");
    addEventListener("scroll", () => this.#place(), true);
    addEventListener("resize", () => this.#place());
  }

  get isOpen() {
    return this.#input !== null;
  }

  holds(target) {
    return this.#input !== null && target === this.#input;
  }

  focus() {
    this.#input?.focus();
  }

  // Edits the cell: what it holds, or what was typed instead.
  open(typed = null) {
    const { view } = this;
    const cell = view.cell();
    if (!cell || this.#input) {
      this.focus();
      return;
    }
    const input = element("input", {
      class: "editor",
      autocomplete: "off",
      inputmode: "text",
      maxlength: view.field === "quantity" ? 64 : null,
      "aria-label": view.cellName(),
      "aria-describedby": "grid-hint",
    });
    this.#input = input;
    this.#at = { color: view.color, size: view.size };
    input.value = typed ?? view.model.text(view.color, view.size, view.field);
    cell.replaceChildren(input);
    view.mark();
    input.focus();
    if (typed === null) {
      input.select();
    }
    input.addEventListener("input", () => this.#preview());
    input.addEventListener("blur", () => this.finish());
    this.#preview();
  }

  // Writes what was typed into the cell, or into every selected one. Where that cannot be, the
  // field stays as it is, and the answer is false.
  finish(everywhere = false) {
    if (!this.#input) {
      return true;
    }
    const { view } = this;
    const { model, field } = view;
    const typed = this.#input.value;
    const cells = everywhere && field === "quantity" ? view.selected() : [[this.#at.color, this.#at.size]];
    const read = cells.map(([color, size]) => ({ color, size, ...model.read(color, size, field, typed) }));
    const refused = read.find(({ problem }) => problem);
    if (refused) {
      const sentence = view.word(refused.problem, ...refused.values);
      const elsewhere = refused.color !== this.#at.color || refused.size !== this.#at.size;
      this.#say(elsewhere ? `${view.cellName(refused.color, refused.size)}: ${sentence}` : sentence, true, "alert");
      return false;
    }
    this.close();
    this.write(read.map(({ color, size, text }) => [color, size, field, text]), everywhere);
    return true;
  }

  // Leaves the cell as it was.
  close() {
    const cell = this.#input?.closest("td");
    this.#input = null;
    this.#say("");
    if (cell) {
      this.view.fill(cell, this.#at.color, this.#at.size);
      this.view.mark();
    }
  }

  #preview() {
    const { view } = this;
    const { model, field } = view;
    const typed = this.#input.value;
    const { color, size } = this.#at;
    const read = model.read(color, size, field, typed);
    const parts = [];
    const wrong = read.problem !== undefined && !incomplete(typed);
    if (wrong) {
      parts.push(view.word(read.problem, ...read.values));
    } else if (read.computed) {
      parts.push(`${view.number.format(model.quantity(color, size))} → ${view.number.format(read.text)}`);
    }
    const selected = view.selected().length;
    if (!wrong && selected > 1 && field === "quantity") {
      parts.push(view.word("fill-hint", selected));
    }
    this.#say(parts.join(" · "), wrong);
  }

  #say(text, wrong = false, role = "status") {
    const { hint } = this;
    this.#input?.setAttribute("aria-invalid", String(wrong));
    hint.setAttribute("role", role);
    hint.classList.toggle("bad", wrong);
    hint.textContent = text;
    hint.togglePopover(text !== "");
    this.#place();
  }

  // Below the cell, or above it where there is no room.
  #place() {
    if (!this.#input) {
      return;
    }
    const cell = this.#input.closest("td").getBoundingClientRect();
    const { offsetWidth: width, offsetHeight: height } = this.hint;
    const below = cell.bottom + 6 + height < innerHeight;
    this.hint.style.top = `${below ? cell.bottom + 6 : cell.top - 6 - height}px`;
    this.hint.style.left = `${Math.max(8, Math.min(cell.left, innerWidth - width - 8))}px`;
  }
}
