// What others change while the page is open: it appears with who and when, before one saves.
import { element } from "./grid-view.js";

const EVERY = 3000;
const IDLE = 10 * 60 * 1000; // nobody works here: the session may end

export class Live {
  #number;
  #active = Date.now();
  #over = false;

  // page: { isBusy, refresh, backToCells }
  constructor(address, number, view, page) {
    this.address = address;
    this.#number = number;
    this.view = view;
    this.page = page;
    this.box = document.getElementById("grid-others");
    for (const name of ["pointerdown", "keydown"]) {
      addEventListener(name, () => this.#wake(), true);
    }
    document.addEventListener("visibilitychange", () => this.#wake());
    this.box.addEventListener("click", (event) => {
      if (event.target.closest("button")) {
        view.model.others.clear();
        this.box.querySelector("ul").replaceChildren();
        this.box.hidden = true;
        page.refresh();
        page.backToCells();
      }
    });
    setTimeout(() => this.#turn(), EVERY);
  }

  // Everything up to this change is in the grid.
  seen(number) {
    this.#number = Math.max(this.#number, number);
  }

  #wake() {
    this.#active = Date.now();
  }

  async #turn() {
    const watched = document.visibilityState === "visible" && Date.now() - this.#active < IDLE;
    if (watched && !this.page.isBusy()) {
      try {
        await this.#ask();
      } catch {
        // the connection is lost: the next turn asks again
      }
    }
    if (!this.#over) {
      setTimeout(() => this.#turn(), EVERY);
    }
  }

  async #ask() {
    const answer = await fetch(`${this.address}/live?after=${this.#number}`, { headers: { "Stockroom-Request": "fetch" } });
    this.#over = answer.status >= 400 && answer.status < 500;
    if (answer.status !== 200) {
      return;
    }
    const { number, grid, batches } = await answer.json();
    if (number <= this.#number || this.page.isBusy()) {
      return;
    }
    this.#number = number;
    const { model } = this.view;
    model.refresh(grid);
    batches.forEach((batch) => this.#show(batch));
    this.page.refresh();
  }

  #show({ actor, time, cells }) {
    const { model, word } = this.view;
    cells.forEach(([color, size]) => model.others.set(model.key(color, size), word("others.by", actor, time)));
    const names = cells.slice(0, 5).map(([color, size]) => this.view.cellName(color, size)).join(", ");
    const more = cells.length > 5 ? ` ${word("others.more", cells.length - 5)}` : "";
    this.box.querySelector("ul").prepend(element("li", {}, `${word("others.by", actor, time)}: ${names}${more}`));
    this.box.hidden = false;
  }
}
