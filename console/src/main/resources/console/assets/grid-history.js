// The drawer with what was changed, by whom and through what; and undoing one batch of it.
import { element } from "./grid-view.js";

export class History {
  constructor(address, word, cellName, undone) {
    this.address = `${address}/history`;
    this.word = word;
    this.cellName = cellName;
    this.undone = undone;
    this.dialog = document.getElementById("grid-history");
    this.place = this.dialog.querySelector(".history-place");
    this.place.addEventListener("click", (event) => this.#click(event.target));
    // a link to the history of a product
    if (location.hash === "#history") {
      this.ofProduct();
    }
  }

  ofProduct() {
    return this.#open(this.word("history.product"), this.address);
  }

  ofEntry(color, size) {
    const query = new URLSearchParams({ color, size });
    return this.#open(this.word("history.entry", this.cellName(color, size)), `${this.address}/entry?${query}`);
  }

  async #open(title, address) {
    this.dialog.querySelector("h2").textContent = title;
    this.place.replaceChildren();
    this.dialog.showModal();
    this.place.replaceChildren(...(await this.#fetch(address)));
  }

  async #fetch(address) {
    try {
      const answer = await Stockroom.send(address);
      const text = await answer.text();
      if (answer.ok) {
        return [...new DOMParser().parseFromString(text, "text/html").body.childNodes];
      }
      return [element("p", { class: "problem" }, text)];
    } catch {
      return [element("p", { class: "problem" }, document.getElementById("messages").dataset.unreachable)];
    }
  }

  async #click(target) {
    if (target.dataset.more) {
      const more = await this.#fetch(`${this.address}?before=${target.dataset.more}`);
      const place = target.closest("p");
      const before = place.previousElementSibling;
      place.replaceWith(...more);
      // the button is gone: the keyboard goes on with the first of the older changes
      before.nextElementSibling?.querySelector("[tabindex], button")?.focus();
    } else if (target.dataset.undo) {
      target.disabled = true;
      await this.#undo(target.closest("li"), target.dataset);
      target.disabled = false;
      if (document.activeElement === document.body) {
        target.focus(); // disabled buttons lose the focus
      }
    }
  }

  // One entry where the history is of an entry, else the whole change.
  async #undo(item, { undo: others, color, size }) {
    const place = item.querySelector(".batch-undo");
    try {
      const answer = await Stockroom.send(`${this.address}/${item.dataset.change}/undo`, {
        method: "POST",
        body: new URLSearchParams(color === undefined ? { others } : { others, color, size }),
      });
      if (answer.status === 200) {
        const { saved, grid } = await answer.json();
        this.dialog.close();
        this.undone(saved, grid);
      } else if (answer.status === 409) {
        place.replaceChildren(this.#question((await answer.json()).conflicts, color === undefined ? {} : { "data-color": color, "data-size": size }));
        place.querySelector("button").focus();
      } else if (answer.status === 422) {
        const { problems } = await answer.json();
        place.append(element("p", { class: "problem", role: "alert" }, problems.map((problem) => problem.text).join(" ")));
      } else {
        place.append(element("p", { class: "problem", role: "alert" }, await answer.text()));
      }
    } catch {
      place.append(element("p", { class: "problem", role: "alert" }, document.getElementById("messages").dataset.unreachable));
    }
  }

  #question(conflicts, only) {
    const { word } = this;
    const lines = conflicts.map(([color, size, quantity, barcode]) => {
      const now = [quantity ?? word("none"), barcode].filter((value) => value !== null).join(", ");
      return element("li", {}, `${this.cellName(color, size)}: ${now}`);
    });
    return element(
      "div",
      { class: "problem", role: "alert" },
      element("p", {}, word("undo.conflict")),
      element("ul", {}, ...lines),
      element("div", { class: "actions" },
        ...("data-color" in only ? [] : [element("button", { type: "button", "data-undo": "leave" }, word("undo.leave"))]),
        element("button", { type: "button", "data-undo": "overwrite", ...only }, word("data-color" in only ? "undo.anyway" : "undo.overwrite")),
      ),
    );
  }
}
