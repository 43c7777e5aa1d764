// The grid on a phone: one colour at a time, its sizes as a list of fields with a numeric keypad.
import { element, LOW } from "./grid-view.js";

export class Phone {
  constructor(view, change) {
    this.view = view;
    this.change = change;
  }

  draw() {
    const { view } = this;
    const { model, word, field } = view;
    const { colours, sizes } = model;
    view.row = Math.max(0, Math.min(view.row, colours.length - 1));
    const colour = colours[view.row];
    const choice = element("select", {}, ...colours.map((name, row) => element("option", { value: row, selected: row === view.row }, name)));
    choice.addEventListener("change", () => {
      view.row = Number(choice.value);
      this.draw();
    });
    const list = element("ul", { class: "phone-sizes" });
    for (const [column, size] of sizes.entries()) {
      const input = element("input", {
        inputmode: field === "quantity" ? "numeric" : "text",
        autocomplete: "off",
        enterkeyhint: "next",
        value: model.text(colour, size, field),
        "data-column": column,
      });
      const note = element("span", { class: "note-place" });
      const item = element("li", {}, element("label", {}, element("span", {}, String(size)), input), note);
      input.addEventListener("focus", () => {
        view.column = column;
        input.select();
      });
      input.addEventListener("change", () => this.change(colour, size, input.value));
      input.addEventListener("keydown", (event) => {
        if (event.key === "Enter") {
          event.preventDefault();
          (list.querySelector(`[data-column="${column + 1}"]`) ?? input).focus();
        }
      });
      list.append(item);
    }
    if (!colours.length || !sizes.length) {
      view.draw();
      return;
    }
    view.place.replaceChildren(element("label", { class: "phone-colour" }, element("span", {}, word("colour")), choice), list);
    this.refresh();
  }

  refresh() {
    const { model, word, field, number } = this.view;
    const colour = model.colours[this.view.row];
    const inputs = this.view.place.querySelectorAll(".phone-sizes input");
    if (inputs.length !== model.sizes.length || this.view.place.querySelectorAll("option").length !== model.colours.length) {
      this.draw();
      return;
    }
    inputs.forEach((input) => {
      const size = model.sizes[input.dataset.column];
      const edit = model.edit(colour, size, field);
      const fault = model.fault(colour, size, field);
      const conflict = model.conflict(colour, size);
      const text = model.text(colour, size, field);
      if (input.value !== text) {
        input.value = text;
      }
      const notes = [];
      if (field === "quantity" && text !== "" && !fault && Number(text) < LOW) {
        notes.push(Number(text) === 0 ? `⊘ ${word("zero")}` : `▾ ${word("low")}`);
      }
      if (edit) {
        const from = field === "quantity" && edit.from !== null ? number.format(edit.from) : edit.from;
        notes.push(edit.from === null ? word("new") : word("was", from));
      }
      if (conflict) {
        notes.push(word("theirs", conflict[field] ?? word("none")));
      }
      if (fault) {
        notes.push(`⚠ ${fault.text ?? word(fault.name)}`);
      }
      const note = input.closest("li").querySelector(".note-place");
      note.id = `grid-note-${size}`;
      note.textContent = notes.join(" · ");
      input.setAttribute("aria-describedby", note.id);
      input.setAttribute("aria-invalid", String(Boolean(fault)));
      input.closest("li").className = edit ? "changed" : "";
    });
  }
}
