// Saving: the bar that counts what is not saved, and the cells that somebody else changed meanwhile.
import { element } from "./grid-view.js";

export class Saver {
  underWay = false;

  // page: what the saver needs of it: { settleTyping, refresh, goTo, backToCells, seen }
  constructor(address, view, phone, page) {
    this.address = address;
    this.view = view;
    this.phone = phone;
    this.page = page;
    this.bar = document.getElementById("grid-bar");
    this.status = document.getElementById("grid-status");
    this.box = document.getElementById("grid-conflicts");
  }

  // A message, where there is one, and what is not saved, wrong or in conflict.
  tell(message = "") {
    const { model, word } = this.view;
    const drafts = this.phone.drafts.length;
    const toSave = model.edits.length > 0 || drafts > 0 || this.phone.isTyping;
    const count = (number, one, many) => (number === 0 ? "" : number === 1 ? word(one) : word(many, number));
    const text = [
      message || (this.underWay ? word("saving") : ""),
      count(model.edits.length, "one", "many"),
      count(model.faults().length + drafts, "wrong-one", "wrong-many"),
      count(model.conflicts.size, "conflict-one", "conflict-many"),
    ]
      .filter(Boolean)
      .join(" · ");
    // an empty bar stays in the page: screen readers hear changes only of what was there before
    this.bar.classList.toggle("empty", text === "" && !toSave);
    if (this.status.textContent !== text) {
      this.status.textContent = text;
    }
    const focused = document.activeElement;
    for (const button of this.bar.querySelectorAll("button")) {
      button.hidden = !toSave;
      button.setAttribute("aria-disabled", String(this.underWay));
    }
    if (this.bar.contains(focused) && focused.hidden) {
      this.page.backToCells();
    }
    this.#drawConflicts();
  }

  async save() {
    const { page } = this;
    const { model, word } = this.view;
    if (this.underWay || !page.settleTyping()) {
      return;
    }
    const wrong = this.phone.drafts[0] ?? model.faults()[0];
    if (wrong) {
      page.goTo(wrong);
      return;
    }
    if (model.conflicts.size) {
      this.#toConflicts();
      return;
    }
    if (!model.edits.length) {
      return;
    }
    this.underWay = true;
    this.tell(word("saving"));
    const request = model.request();
    const { snapshot } = model;
    try {
      const answer = await Stockroom.send(this.address, {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify(request),
      });
      await this.#answered(answer, request, snapshot);
    } catch {
      this.underWay = false;
      this.tell(word("kept"));
      Stockroom.say(document.getElementById("messages").dataset.unreachable);
    }
  }

  async #answered(answer, request, snapshot) {
    const { page } = this;
    const { model, word } = this.view;
    const body = await ([200, 409, 422].includes(answer.status) ? answer.json() : answer.text());
    this.underWay = false;
    if (answer.status === 200) {
      model.accept(body.grid, snapshot);
      page.seen(body.number);
      page.refresh();
      this.tell(word("saved"));
    } else if (answer.status === 409) {
      model.setConflicts(body.conflicts);
      page.refresh();
      this.tell(word("kept"));
      this.#toConflicts();
    } else if (answer.status === 422) {
      this.#refused(body.problems, request);
    } else {
      this.tell(word("kept"));
      if (answer.status !== 401) {
        Stockroom.say(body);
      }
    }
  }

  #refused(problems, request) {
    const { page } = this;
    const { model, word } = this.view;
    const elsewhere = [];
    for (const { at, text } of problems) {
      const found = /^\[(\d+)\]\.(\w+)/.exec(at);
      const cell = found && request[Number(found[1])];
      if (cell) {
        model.refuse(cell.color, cell.size, found[2] === "barcode" ? "barcode" : "quantity", text);
      } else {
        elsewhere.push(text);
      }
    }
    page.refresh();
    this.tell(word("kept"));
    if (elsewhere.length) {
      Stockroom.say(elsewhere.join(" "));
    }
    const [first] = model.faults();
    if (first) {
      page.goTo(first);
    }
  }

  #drawConflicts() {
    const { model, word } = this.view;
    const items = [...model.conflicts.values()].map((conflict) => {
      const { color, size } = conflict;
      const both = (values) => values.filter((value) => value !== null && value !== "").join(", ") || word("none");
      const mine = both([model.text(color, size, "quantity"), model.edit(color, size, "barcode")?.to ?? null]);
      const theirs = both([conflict.quantity, model.edit(color, size, "barcode") ? conflict.barcode : null]);
      const name = this.view.cellName(color, size);
      const choose = (text, isMine) => {
        const button = element("button", { type: "button", "aria-label": `${name}: ${text}` }, text);
        button.addEventListener("click", () => this.#settle([conflict], isMine));
        return button;
      };
      return element("li", {}, element("span", { class: "grow" }, name), choose(word("mine", mine), true), choose(word("theirs", theirs), false));
    });
    this.box.querySelector("ul").replaceChildren(...items);
    this.box.hidden = items.length === 0;
  }

  settleAll(mine) {
    this.#settle([...this.view.model.conflicts.values()], mine);
  }

  #settle(conflicts, mine) {
    conflicts.forEach((conflict) => this.view.model.settle(conflict, mine));
    this.page.refresh();
    if (this.view.model.conflicts.size) {
      this.#toConflicts();
    } else {
      this.page.backToCells();
    }
  }

  #toConflicts() {
    this.box.querySelector("li button").focus();
  }
}
