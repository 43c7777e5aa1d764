// What the grid knows: the cells as the server has them, and what was changed since. It draws
// nothing. An edit keeps the value that it was based on, so that the server can tell whether
// somebody else changed the cell meanwhile.
import { evaluate } from "./grid-input.js";
import { nameOf, quantityOf } from "./grid-text.js";

const MAX_STEPS = 200;
// neither has a tab
const keyOf = (color, size) => `${size}\t${color}`;

export class Model {
  #steps;
  #step = 0;
  #lists = {};
  #ranks = new Map();
  #keeping; // the timer that writes what is not saved
  #kept; // the name under which the browser keeps what is not saved

  constructor(grid, kept) {
    this.#kept = kept;
    addEventListener("pagehide", () => this.#write());
    this.others = new Map(); // who changed a cell while the page was open, in words
    this.#read(grid);
    this.#steps = [{ edits: {}, colors: [], sizes: [] }];
    this.conflicts = new Map();
    this.refusals = new Map();
  }

  #read(grid) {
    this.baseColors = grid.colors;
    this.pictures = grid.pictures ?? {};
    this.base = new Map();
    for (const [color, size, quantity, barcode] of grid.cells) {
      this.base.set(keyOf(color, size), { quantity, barcode });
    }
    this.baseSizes = new Set(grid.sizes.map(([text]) => text));
    this.rank(grid.sizes);
  }

  // The order of sizes, as the server knows it: [text, rank].
  rank(sizes) {
    sizes.forEach(([text, rank]) => this.#ranks.set(text, rank));
  }

  // Sizes in their order, each once.
  ordered(sizes) {
    return [...new Set(sizes)].sort((a, b) => (this.#ranks.get(a) < this.#ranks.get(b) ? -1 : 1));
  }

  // The size of the grid that is the same without regard to case.
  sameSize(size) {
    return this.sizes.find((known) => known.toLowerCase() === size.toLowerCase());
  }

  key(color, size) {
    return keyOf(color, size);
  }

  get #state() {
    return this.#steps[this.#step];
  }

  get colors() {
    return this.#cached("colors", [this.baseColors, this.#state.colors], (base, added) => [
      ...base,
      ...added.filter((color) => !base.includes(color)),
    ]);
  }

  get sizes() {
    return this.#cached("sizes", [this.baseSizes, this.baseSizes.size, this.#state.sizes], (base, _, added) =>
      this.ordered([...base, ...added.map(([text]) => text)]),
    );
  }

  // Computes a list again only when what it is made of has changed: loops over all cells read it.
  #cached(name, from, compute) {
    const known = this.#lists[name];
    if (!known || from.some((value, i) => value !== known.from[i])) {
      this.#lists[name] = { from, list: compute(...from) };
    }
    return this.#lists[name].list;
  }

  // The value as the server has it; undefined where there is no entry.
  saved(color, size, field) {
    const cell = this.base.get(keyOf(color, size));
    return field === "quantity" ? cell?.quantity : (cell?.barcode ?? undefined);
  }

  edit(color, size, field) {
    return this.#state.edits[keyOf(color, size)]?.[field];
  }

  // The value as it shows, as text; empty where there is none.
  text(color, size, field) {
    const edit = this.edit(color, size, field);
    return edit ? edit.to : String(this.saved(color, size, field) ?? "");
  }

  exists(color, size) {
    const key = keyOf(color, size);
    return this.base.has(key) || key in this.#state.edits;
  }

  quantity(color, size) {
    const key = keyOf(color, size);
    const edit = this.#state.edits[key]?.quantity;
    return (edit ? quantityOf(edit.to) : this.base.get(key)?.quantity) ?? 0;
  }

  // What a cell would hold after this was typed into it: { text }, with `computed` where that is
  // not what was typed; or { problem, values }.
  read(color, size, field, typed) {
    if (field === "barcode") {
      const code = nameOf(typed);
      return code === null ? { problem: "barcode-long", values: [] } : { text: code };
    }
    if (typed.trim() === "") {
      // a quantity that was emptied by hand is left as it was: removing is a command of its own
      return { text: this.saved(color, size, field) === undefined ? "" : this.text(color, size, field) };
    }
    const { value, ...rest } = evaluate(typed, this.quantity(color, size));
    return rest.problem ? rest : { text: String(value), ...rest };
  }

  // Changes many cells in one step: [color, size, field, text], each a text that read() gave; with
  // colors and sizes that the grid gets for them, the sizes as [text, rank].
  change(cells, { colors = [], sizes = [] } = {}) {
    const edits = { ...this.#state.edits };
    let changed = false;
    for (const [color, size, field, text] of cells) {
      changed = this.#put(edits, color, size, field, text) || changed;
    }
    if (changed) {
      this.rank(sizes);
      this.#next({ edits, colors: [...this.#state.colors, ...colors], sizes: [...this.#state.sizes, ...sizes] });
    }
    return changed;
  }

  #put(edits, color, size, field, text) {
    const key = keyOf(color, size);
    const saved = this.base.get(key)?.[field] ?? null;
    if (text === (edits[key]?.[field]?.to ?? String(saved ?? ""))) {
      return false;
    }
    const cell = { color, size, ...edits[key] };
    const from = cell[field] ? cell[field].from : saved;
    if (text === String(from ?? "")) {
      delete cell[field];
    } else {
      cell[field] = { from, to: text };
    }
    // a barcode needs an entry to stand on
    if (cell.barcode?.to && !cell.quantity && !this.base.has(key)) {
      cell.quantity = { from: null, to: "0" };
    }
    if (cell.quantity || cell.barcode) {
      edits[key] = cell;
    } else {
      delete edits[key];
    }
    this.refusals.delete(key);
    return true;
  }

  // Whether the entry goes away with the next save.
  isRemoved(color, size) {
    return this.base.has(keyOf(color, size)) && this.edit(color, size, "quantity")?.to === "";
  }

  addSizes(sizes) {
    this.rank(sizes);
    this.#next({ ...this.#state, sizes: [...this.#state.sizes, ...sizes] });
  }

  addColor(color, from) {
    const state = { ...this.#state, colors: [...this.#state.colors, color] };
    state.edits = { ...state.edits };
    for (const size of from ? this.sizes : []) {
      const text = this.text(from, size, "quantity");
      if (text !== "") {
        this.#put(state.edits, color, size, "quantity", text);
      }
    }
    this.#next(state);
  }

  #next(state) {
    this.#steps = [...this.#steps.slice(0, this.#step + 1), state].slice(-MAX_STEPS);
    this.#step = this.#steps.length - 1;
    this.#keep();
  }

  undo() {
    return this.#go(-1);
  }

  redo() {
    return this.#go(1);
  }

  #go(by) {
    const possible = this.#step + by >= 0 && this.#step + by < this.#steps.length;
    this.#step += possible ? by : 0;
    this.refusals.clear();
    this.#keep();
    return possible;
  }

  undoAll() {
    this.conflicts.clear();
    this.refusals.clear();
    this.#next({ edits: {}, colors: [], sizes: [] });
  }

  get edits() {
    return Object.values(this.#state.edits);
  }

  // Why the server did not take a cell; null where all is well.
  fault(color, size, field) {
    const refused = this.refusals.get(keyOf(color, size));
    return refused?.field === field ? refused.text : null;
  }

  faults() {
    return !this.refusals.size ? [] : this.edits.filter(({ color, size }) =>
      ["quantity", "barcode"].some((field) => this.fault(color, size, field)),
    );
  }

  // What the server is sent: old and new side by side.
  request() {
    return this.edits.map(({ color, size, quantity, barcode }) => ({
      color,
      size,
      // null removes the entry
      ...(quantity && { quantity: [quantity.from, quantityOf(quantity.to)] }),
      ...(barcode && { barcode: [barcode.from, nameOf(barcode.to) || null] }),
    }));
  }

  refuse(color, size, field, text) {
    this.refusals.set(keyOf(color, size), { field, text });
  }

  // What is being sent; accept() compares with it what was changed while the save was under way.
  get snapshot() {
    return this.#state.edits;
  }

  // The snapshot is saved, and this is how the server has the cells now.
  accept(grid, snapshot) {
    const { edits: now, colors, sizes } = this.#state;
    const later = [];
    for (const [key, { color, size }] of Object.entries({ ...snapshot, ...now })) {
      for (const field of ["quantity", "barcode"]) {
        const [sent, mine] = [snapshot[key]?.[field], now[key]?.[field]];
        if (sent?.to !== mine?.to) {
          // an edit that was undone meanwhile goes back to the value that it replaced
          later.push([color, size, field, mine?.to ?? String(sent.from ?? "")]);
        }
      }
    }
    this.#read(grid);
    const edits = {};
    later.forEach(([color, size, field, text]) => {
      // a new entry whose edit was undone meanwhile stays; one that was to be removed goes
      if (field === "barcode" || text !== "" || keyOf(color, size) in now) {
        this.#put(edits, color, size, field, text);
      }
    });
    this.#steps = [{ edits: {}, colors, sizes }, { edits, colors, sizes }].slice(later.length ? 0 : 1);
    this.#step = this.#steps.length - 1;
    this.conflicts.clear();
    this.refusals.clear();
    this.#keep();
  }

  // The server has other values now; edits stay, and those that were based on others conflict.
  refresh(grid) {
    this.#read(grid);
    this.setConflicts(
      this.edits
        .filter(({ color, size, quantity, barcode }) => {
          const differs = (edit, now) => edit && edit.from !== now && edit.to !== String(now ?? "");
          return (
            differs(quantity, this.saved(color, size, "quantity") ?? null) ||
            differs(barcode, this.saved(color, size, "barcode") ?? null)
          );
        })
        .map(({ color, size }) => {
          const now = this.base.get(keyOf(color, size));
          return [color, size, now?.quantity ?? null, now?.barcode ?? null];
        }),
    );
  }

  setConflicts(cells) {
    this.conflicts = new Map();
    for (const [color, size, quantity, barcode] of cells) {
      this.conflicts.set(keyOf(color, size), { color, size, quantity, barcode });
    }
  }

  conflict(color, size) {
    return this.conflicts.get(keyOf(color, size));
  }

  // Settles a conflict: their value is the base from now on, under my edit or in its place.
  settle(conflict, mine) {
    const { color, size, quantity, barcode } = conflict;
    const key = keyOf(color, size);
    if (quantity === null) {
      this.base.delete(key);
    } else {
      this.base.set(key, { quantity, barcode });
      this.baseSizes.add(size);
    }
    const edits = { ...this.#state.edits };
    const edit = edits[key];
    delete edits[key];
    if (mine && edit) {
      edits[key] = { ...edit };
      for (const [field, now] of Object.entries({ quantity, barcode })) {
        if (edit[field]) {
          edits[key][field] = { from: now, to: edit[field].to };
        }
      }
    }
    this.conflicts.delete(key);
    this.#steps = [{ ...this.#state, edits }];
    this.#step = 0;
    this.#keep();
  }

  find(barcode) {
    for (const color of this.colors) {
      for (const size of this.sizes) {
        if (this.text(color, size, "barcode") === barcode) {
          return { color, size };
        }
      }
    }
    return null;
  }

  // A crashed tab or an ended session loses nothing. Thousands of edits take a while to write, so
  // the change shows first.
  #keep() {
    clearTimeout(this.#keeping);
    this.#keeping = setTimeout(() => this.#write());
  }

  #write() {
    clearTimeout(this.#keeping);
    try {
      if (this.edits.length || this.#state.colors.length || this.#state.sizes.length) {
        sessionStorage.setItem(this.#kept, JSON.stringify(this.#state));
      } else {
        sessionStorage.removeItem(this.#kept);
      }
    } catch {
      // a browser that keeps nothing still edits
    }
  }

  // Says whether something unsaved was found.
  restore(grid) {
    try {
      const state = JSON.parse(sessionStorage.getItem(this.#kept));
      if (!state) {
        return false;
      }
      this.rank(state.sizes);
      this.#steps = [{ edits: {}, colors: [], sizes: [] }, state];
      this.#step = 1;
      this.refresh(grid);
      return this.edits.length > 0;
    } catch {
      return false;
    }
  }
}
