// The grid on a phone: one color at a time, its sizes as a list of fields with a numeric keypad.
// Keypads have no signs, so − and + stand beside the field: they begin a change such as +1, and
// digits typed then replace the 1.
import { incomplete } from "./grid-input.js";
import { element } from "./grid-view.js";

const keyOf = ({ color, size, field }) => `${field}\t${size}\t${color}`;

export class Phone {
  #drafts = new Map(); // what was typed and cannot be, until it is corrected: { cell, text, note }
  #typing = null; // the field in which somebody types just now

  constructor(view, change) {
    this.view = view;
    this.change = change;
  }

  get drafts() {
    return [...this.#drafts.values()].map(({ cell }) => cell);
  }

  get isTyping() {
    return this.#typing !== null;
  }

  discard() {
    this.#drafts.clear();
    this.#typing = null;
  }

  draw() {
    const { view } = this;
    const { colors, sizes } = view.model;
    if (!colors.length || !sizes.length) {
      view.draw();
      return;
    }
    this.#typing = null;
    view.row = Math.max(0, Math.min(view.row, colors.length - 1));
    const choice = element("select", {}, ...colors.map((name, row) => element("option", { value: row, selected: row === view.row }, name)));
    choice.addEventListener("change", () => {
      view.row = Number(choice.value);
      this.draw();
    });
    const list = element("ul", { class: "phone-sizes" }, ...sizes.map((size, column) => this.#item(size, column)));
    view.place.replaceChildren(element("label", { class: "phone-color" }, element("span", {}, view.word("color")), choice), list);
    this.refresh();
  }

  #item(size, column) {
    const { view } = this;
    const cell = { color: view.color, size, field: view.field };
    const quantities = cell.field === "quantity";
    const input = element("input", {
      inputmode: quantities ? "numeric" : "text",
      autocomplete: "off",
      enterkeyhint: "next",
      maxlength: quantities ? 64 : null,
      "data-column": column,
      "aria-describedby": `grid-note-${column}`,
    });
    input.addEventListener("focus", () => {
      view.column = column;
      input.select();
    });
    input.addEventListener("input", () => this.#preview(input, cell));
    input.addEventListener("blur", () => this.#leave(input, cell));
    input.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && !event.isComposing) {
        event.preventDefault();
        if (this.#leave(input, cell)) {
          (view.place.querySelector(`[data-column="${column + 1}"]`) ?? input).focus();
        }
      }
    });
    const step = (sign, name, by) => {
      const button = element("button", { type: "button", class: "step", "aria-label": view.word(name, view.cellName(cell.color, size)) }, sign);
      // the field keeps the focus, and the keypad stays
      button.addEventListener("pointerdown", (event) => event.preventDefault());
      button.addEventListener("mousedown", (event) => event.preventDefault());
      button.addEventListener("click", () => this.#step(input, cell, by));
      return button;
    };
    const label = element("label", {}, element("span", {}, String(size)), input);
    const note = element("span", { class: "note-place", id: `grid-note-${column}`, "aria-live": "polite" });
    const steps = quantities ? [step("−", "step-down", -1), step("+", "step-up", 1)] : [];
    return element("li", {}, element("div", { class: "phone-size" }, label, ...steps), note);
  }

  // Tap by tap: +1, +2, …; the digits are selected, so that typing replaces them.
  #step(input, cell, by) {
    input.focus();
    const change = (/^[+-]\d{1,9}$/.test(input.value) ? Number(input.value) : 0) + by;
    input.value = change < 0 ? String(change) : `+${change}`;
    input.setSelectionRange(1, input.value.length);
    this.#preview(input, cell);
  }

  #read(input, { color, size, field }) {
    return this.view.model.read(color, size, field, input.value);
  }

  #preview(input, cell) {
    if (this.#typing !== input) {
      this.#typing = input;
      this.change([]); // there is something to save now
    }
    const { model, word, number } = this.view;
    const { problem, values, computed, text } = this.#read(input, cell);
    const wrong = problem !== undefined && !incomplete(input.value);
    const preview = computed ? `${number.format(model.quantity(cell.color, cell.size))} → ${number.format(text)}` : "";
    this.#note(input, wrong ? `⚠ ${word(problem, ...values)}` : preview, wrong);
  }

  // Says whether what was typed could be taken.
  #leave(input, cell) {
    this.#typing = null;
    if (!input.isConnected) {
      return true;
    }
    const drafted = this.#drafts.has(keyOf(cell));
    const { problem, values, text } = this.#read(input, cell);
    if (problem) {
      this.#drafts.set(keyOf(cell), { cell, text: input.value, note: `⚠ ${this.view.word(problem, ...values)}` });
    } else {
      this.#drafts.delete(keyOf(cell));
    }
    if (problem || drafted || text !== this.view.model.text(cell.color, cell.size, cell.field)) {
      this.change(problem ? [] : [[cell.color, cell.size, cell.field, text]]);
    } else {
      this.refresh();
    }
    return !problem;
  }

  #note(input, text, wrong) {
    const note = input.closest("li").querySelector(".note-place");
    if (note.textContent !== text) {
      note.textContent = text;
    }
    note.classList.toggle("bad", wrong);
    input.setAttribute("aria-invalid", String(wrong));
  }

  refresh() {
    const { model, field, color, place } = this.view;
    const inputs = place.querySelectorAll(".phone-sizes input");
    if (inputs.length !== model.sizes.length || place.querySelectorAll("option").length !== model.colors.length) {
      this.draw();
      return;
    }
    for (const input of inputs) {
      const cell = { color, size: model.sizes[input.dataset.column], field };
      const draft = this.#drafts.get(keyOf(cell));
      const text = draft?.text ?? model.text(color, cell.size, field);
      if (input !== this.#typing) {
        if (input.value !== text) {
          input.value = text;
        }
        const wrong = draft !== undefined || model.fault(color, cell.size, field) !== null;
        this.#note(input, draft?.note ?? this.#notes(cell), wrong);
      }
      input.closest("li").className = model.edit(color, cell.size, field) ? "changed" : "";
    }
  }

  // In words: none left, removed, what it was, what somebody else made of it, what the server said.
  #notes({ color, size, field }) {
    const { model, word, number } = this.view;
    const text = model.text(color, size, field);
    const edit = model.edit(color, size, field);
    const fault = model.fault(color, size, field);
    const conflict = model.conflict(color, size);
    const notes = [];
    if (field === "quantity" && text !== "" && !fault && Number(text) < this.view.low) {
      notes.push(Number(text) === 0 ? `⊘ ${word("zero")}` : `▾ ${word("low", this.view.low)}`);
    }
    if (edit && model.isRemoved(color, size)) {
      notes.push(`✕ ${word("removed")}`);
    }
    if (edit) {
      const from = field === "quantity" && edit.from !== null ? number.format(edit.from) : edit.from;
      notes.push(edit.from === null ? word("new") : word("was", from));
    }
    if (conflict) {
      notes.push(word("theirs", conflict[field] ?? word("none")));
    }
    if (model.others.has(model.key(color, size))) {
      notes.push(model.others.get(model.key(color, size)));
    }
    if (fault) {
      notes.push(`⚠ ${fault}`);
    }
    return notes.join(" · ");
  }
}
