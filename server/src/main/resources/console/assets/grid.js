// The page of the stock grid: keys, mouse, clipboard, saving. What is known is in grid-model.js,
// what is drawn in grid-view.js and grid-phone.js.
import { formatTable, nameOf, parseTable, wording } from "./grid-text.js";
import { Model } from "./grid-model.js";
import { element, View } from "./grid-view.js";
import { History } from "./grid-history.js";
import { Phone } from "./grid-phone.js";

const root = document.getElementById("grid");
const place = document.getElementById("grid-place");
const status = document.getElementById("grid-status");
const address = `/console/products/${root.dataset.product}/stock`;
const word = wording(JSON.parse(root.dataset.words));
const loaded = JSON.parse(root.dataset.grid);

const model = new Model(loaded, `stockroom-grid ${root.dataset.product} ${root.dataset.person}`);
const view = new View(place, model, word, root.lang);
const phone = new Phone(view, (colour, size, text) => changed(model.change([[colour, size, view.field, text]])));
const history = new History(address, word, (colour, size) => view.cellName(colour, size), undone);
const narrow = matchMedia("(max-width: 720px)");

let saving = false;
let editor = null; // the field in the cell that is being edited

// Drawing

function draw() {
  (narrow.matches ? phone : view).draw();
  tell();
}

function refresh() {
  (narrow.matches ? phone : view).refresh();
  tell();
}

function changed(really) {
  if (really) {
    refresh();
  }
}

// The bar counts what is not saved; a message, where there is one, is told with it.
function tell(message = "") {
  const count = model.edits.length;
  const wrong = model.faults().length;
  const sentences = [message];
  if (count) {
    sentences.push(count === 1 ? word("one") : word("many", count));
  }
  if (wrong) {
    sentences.push(wrong === 1 ? word("wrong-one") : word("wrong-many", wrong));
  }
  const text = sentences.filter(Boolean).join(" · ");
  document.getElementById("grid-bar").hidden = text === "";
  if (status.textContent !== text) {
    status.textContent = text;
  }
  for (const action of ["save", "undo-all"]) {
    root.querySelector(`[data-do="${action}"]`).hidden = count === 0;
  }
  drawConflicts();
}

function drawConflicts() {
  const box = document.getElementById("grid-conflicts");
  const items = [...model.conflicts.values()].map((conflict) => {
    const { colour, size } = conflict;
    const both = (values) => values.filter((value) => value !== null && value !== "").join(", ") || word("none");
    const mine = both([model.text(colour, size, "quantity"), model.edit(colour, size, "barcode")?.to ?? null]);
    const theirs = both([conflict.quantity, model.edit(colour, size, "barcode") ? conflict.barcode : null]);
    const name = view.cellName(colour, size);
    const choose = (text, isMine) => {
      const button = element("button", { type: "button", "aria-label": `${name}: ${text}` }, text);
      button.addEventListener("click", () => settle([conflict], isMine));
      return button;
    };
    return element("li", {}, element("span", { class: "grow" }, name), choose(word("mine", mine), true), choose(word("theirs", theirs), false));
  });
  box.querySelector("ul").replaceChildren(...items);
  box.hidden = items.length === 0;
}

function settle(conflicts, mine) {
  conflicts.forEach((conflict) => model.settle(conflict, mine));
  refresh();
  if (model.conflicts.size) {
    document.querySelector("#grid-conflicts li button").focus();
  } else if (narrow.matches) {
    status.focus();
  } else {
    view.go(view.row, view.column);
  }
}

// Editing a cell

function edit(text = null) {
  const cell = view.cell();
  if (!cell || editor) {
    return;
  }
  view.anchor = null;
  view.mark();
  const present = model.text(view.colour, view.size, view.field);
  editor = element("input", {
    class: "editor",
    autocomplete: "off",
    inputmode: view.field === "quantity" ? "numeric" : "text",
    "aria-label": view.cellName(),
  });
  editor.value = text ?? present;
  cell.replaceChildren(editor);
  editor.focus();
  if (text === null) {
    editor.select();
  }
  editor.addEventListener("blur", () => finish(true));
}

function finish(keep) {
  if (!editor) {
    return;
  }
  const field = editor;
  editor = null;
  const cell = field.closest("td");
  const [colour, size] = [model.colours[cell.dataset.row], model.sizes[cell.dataset.column]];
  // a quantity that was emptied by hand is left as it was: entries do not go away
  const emptied = view.field === "quantity" && field.value.trim() === "" && model.saved(colour, size, "quantity") !== undefined;
  const really = keep && !emptied && model.change([[colour, size, view.field, field.value]]);
  if (!really) {
    view.fill(cell, colour, size);
  }
  changed(really);
  view.mark();
}

function editorKey(event) {
  const steps = { Enter: [event.shiftKey ? -1 : 1, 0], Tab: [0, event.shiftKey ? -1 : 1] };
  if (event.isComposing) {
    return;
  }
  if (event.key === "Escape") {
    event.preventDefault();
    finish(false);
    view.cell().focus();
  } else if (steps[event.key]) {
    event.preventDefault();
    finish(true);
    view.go(view.row + steps[event.key][0], view.column + steps[event.key][1]);
  } else if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "s") {
    event.preventDefault();
    finish(true);
    view.cell().focus();
    save();
  }
  event.stopPropagation();
}

// Keys of the grid

function gridKey(event) {
  if (editor) {
    editorKey(event);
    return;
  }
  const { key, shiftKey: extend } = event;
  const control = event.ctrlKey || event.metaKey;
  const { row, column } = view;
  const last = { row: model.colours.length - 1, column: model.sizes.length - 1 };
  const moves = {
    ArrowUp: () => view.go(control ? 0 : row - 1, column, extend),
    ArrowDown: () => view.go(control ? last.row : row + 1, column, extend),
    ArrowLeft: () => view.go(row, control ? 0 : column - 1, extend),
    ArrowRight: () => view.go(row, control ? last.column : column + 1, extend),
    Home: () => view.go(control ? 0 : row, 0, extend),
    End: () => view.go(control ? last.row : row, last.column, extend),
    PageUp: () => view.go(row - 10, column, extend),
    PageDown: () => view.go(row + 10, column, extend),
    Enter: () => edit(),
    F2: () => edit(),
    Delete: () => clear(),
    Backspace: () => clear(),
    Escape: () => view.go(row, column),
  };
  if (moves[key] && !event.altKey) {
    event.preventDefault();
    moves[key]();
  } else if (control && key.toLowerCase() === "a") {
    event.preventDefault();
    view.go(0, 0);
    view.anchor = last;
    view.mark();
  } else if (key.length === 1 && !control && !event.altKey) {
    typed(event, key);
  }
}

function typed(event, key) {
  const quantities = view.field === "quantity";
  if (key === "?") {
    return; // the page shows its keys
  }
  if (quantities && key.toLowerCase() === "h") {
    event.preventDefault();
    history.ofEntry(view.colour, view.size);
  } else if (!quantities || /[0-9]/.test(key)) {
    event.preventDefault();
    edit(key);
  }
}

function clear() {
  const empty = view.field === "quantity" ? "0" : "";
  const cells = view.selected().filter(([colour, size]) => model.exists(colour, size));
  changed(
    model.change(
      cells.map(([colour, size]) => {
        const fresh = model.saved(colour, size, "quantity") === undefined;
        return [colour, size, view.field, fresh ? "" : empty];
      }),
    ),
  );
}

// Keys of the page
document.addEventListener("keydown", (event) => {
  const control = event.ctrlKey || event.metaKey;
  const key = event.key.toLowerCase();
  const typing = event.target.matches?.("input, select, textarea");
  if (document.querySelector("dialog[open]")) {
    return;
  }
  if (control && key === "s") {
    event.preventDefault();
    if (narrow.matches || typing) {
      document.activeElement.blur();
    }
    save();
  } else if (control && !typing && (key === "z" || key === "y")) {
    event.preventDefault();
    const again = key === "y" || event.shiftKey;
    const done = again ? model.redo() : model.undo();
    refresh();
    if (!done) {
      tell(word(again ? "nothing-to-redo" : "nothing-to-undo"));
    }
  } else if (event.key === "?" && !typing) {
    event.preventDefault();
    document.getElementById("grid-keys").showModal();
  }
});

// Mouse

let dragging = false;
place.addEventListener("mousedown", (event) => {
  const cell = event.target.closest("td[data-row]");
  if (!cell || event.target === editor || event.button !== 0) {
    return;
  }
  event.preventDefault();
  finish(true);
  dragging = true;
  view.go(Number(cell.dataset.row), Number(cell.dataset.column), event.shiftKey);
});
place.addEventListener("mouseover", (event) => {
  const cell = dragging && event.target.closest("td[data-row]");
  if (cell && !view.cell()?.contains(cell)) {
    view.go(Number(cell.dataset.row), Number(cell.dataset.column), true);
  }
});
addEventListener("mouseup", () => {
  dragging = false;
});
place.addEventListener("dblclick", (event) => {
  if (event.target.closest("td[data-row]") && !editor) {
    edit();
  }
});
place.addEventListener("focusin", (event) => {
  const cell = event.target.closest("td[data-row]");
  if (cell && event.target === cell && (Number(cell.dataset.row) !== view.row || Number(cell.dataset.column) !== view.column)) {
    view.go(Number(cell.dataset.row), Number(cell.dataset.column));
  }
});
place.addEventListener("keydown", (event) => {
  if (event.target.closest("td[data-row]")) {
    gridKey(event);
  }
});

// Clipboard: tab-separated text, as Excel has it

const onCells = () => !editor && document.activeElement?.closest?.("td[data-row]");

document.addEventListener("copy", (event) => {
  if (onCells()) {
    const { top, bottom, left, right } = view.range;
    const rows = model.colours
      .slice(top, bottom + 1)
      .map((colour) => model.sizes.slice(left, right + 1).map((size) => model.text(colour, size, view.field)));
    event.clipboardData.setData("text/plain", formatTable(rows));
    event.preventDefault();
  }
});

document.addEventListener("paste", (event) => {
  if (!onCells()) {
    return;
  }
  event.preventDefault();
  const rows = parseTable(event.clipboardData.getData("text/plain"));
  const cells = [];
  let beyond = 0;
  if (rows.length === 1 && rows[0].length === 1) {
    view.selected().forEach(([colour, size]) => cells.push([colour, size, view.field, rows[0][0]]));
  } else {
    const { top, left } = view.range;
    rows.forEach((row, down) =>
      row.forEach((text, across) => {
        const colour = model.colours[top + down];
        const size = model.sizes[left + across];
        if (text.trim() === "") {
          return; // an empty cell leaves what is there
        }
        if (colour === undefined || size === undefined) {
          beyond++;
        } else {
          cells.push([colour, size, view.field, text]);
        }
      }),
    );
  }
  const really = model.change(cells);
  refresh();
  tell(beyond ? word("beyond", beyond) : really ? word("pasted", cells.length) : "");
});

// Saving

async function save() {
  if (saving || !model.edits.length) {
    return;
  }
  if (model.faults().length || model.conflicts.size) {
    toFirst(model.faults()[0] ?? [...model.conflicts.values()][0]);
    return;
  }
  saving = true;
  tell(word("saving"));
  const request = model.request();
  try {
    const answer = await Stockroom.send(address, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(request),
    });
    await saved(answer, request);
  } catch {
    tell(word("kept"));
    Stockroom.say(document.getElementById("messages").dataset.unreachable);
  } finally {
    saving = false;
  }
}

async function saved(answer, request) {
  if (answer.status === 200) {
    const { grid } = await answer.json();
    model.accept(grid);
    refresh();
    tell(word("saved"));
  } else if (answer.status === 409) {
    const { conflicts } = await answer.json();
    model.setConflicts(conflicts);
    refresh();
    document.querySelector("#grid-conflicts button")?.focus();
  } else if (answer.status === 422) {
    refused((await answer.json()).problems, request);
  } else {
    tell(word("kept"));
    if (answer.status !== 401) {
      Stockroom.say(await answer.text());
    }
  }
}

function refused(problems, request) {
  const elsewhere = [];
  for (const { at, text } of problems) {
    const found = /^\[(\d+)\]\.(\w+)/.exec(at);
    const cell = found && request[Number(found[1])];
    if (cell) {
      model.refuse(cell.colour, cell.size, found[2] === "barcode" ? "barcode" : "quantity", text);
    } else {
      elsewhere.push(text);
    }
  }
  refresh();
  if (elsewhere.length) {
    Stockroom.say(elsewhere.join(" "));
  }
  toFirst(model.faults()[0]);
}

// Shows the field and goes to the cell that needs somebody.
function toFirst(cell) {
  if (!cell) {
    return;
  }
  if (!model.fault(cell.colour, cell.size, view.field) && model.fault(cell.colour, cell.size, "barcode")) {
    show("barcode");
  } else if (!model.fault(cell.colour, cell.size, view.field) && model.fault(cell.colour, cell.size, "quantity")) {
    show("quantity");
  }
  jump(cell);
}

function jump({ colour, size }) {
  const [row, column] = [model.colours.indexOf(colour), model.sizes.indexOf(size)];
  if (narrow.matches) {
    view.row = row;
    phone.draw();
    place.querySelector(`[data-column="${column}"]`)?.focus();
  } else {
    view.go(row, column);
  }
}

function show(field) {
  finish(true);
  view.field = field;
  root.querySelector(`[name="field"][value="${field}"]`).checked = true;
  draw();
}

function undone(cells, grid) {
  model.refresh(grid);
  refresh();
  tell(cells === 1 ? word("undone.one") : word("undone.many", cells));
}

// Scanning

const scan = document.getElementById("grid-scan");
scan.addEventListener("submit", (event) => {
  event.preventDefault();
  const result = document.getElementById("grid-scan-result");
  const code = nameOf(scan.elements.code.value) ?? "";
  if (!code) {
    return;
  }
  const found = model.find(code);
  result.replaceChildren();
  scan.elements.code.select();
  if (found) {
    result.textContent = word("scan.found", view.cellName(found.colour, found.size));
    jump(found);
    return;
  }
  result.append(word("scan.unknown", code), " ");
  if (view.colour !== undefined && view.size !== undefined) {
    const { colour, size } = view;
    const assign = element("button", { type: "button" }, word("scan.assign", view.cellName()));
    assign.addEventListener("click", () => {
      result.replaceChildren();
      show("barcode");
      changed(model.change([[colour, size, "barcode", code]]));
      jump({ colour, size });
    });
    result.append(assign);
  }
});

// Adding sizes and colours

function open(id) {
  const dialog = document.getElementById(id);
  dialog.querySelector("form").reset();
  dialog.querySelector(".preview").textContent = "";
  dialog.showModal();
  dialog.querySelector("input").focus();
  return dialog;
}

let asked = 0;
const sizesForm = document.querySelector("#grid-add-sizes form");

// The server reads the range, by the rules and with the words of the interface.
async function previewSizes() {
  const mine = ++asked;
  const range = sizesForm.elements.range.value;
  const preview = document.getElementById("grid-sizes-preview");
  if (range.trim() === "") {
    preview.textContent = "";
    return null;
  }
  const answer = await Stockroom.send(`/console/stock/sizes?${new URLSearchParams({ range })}`);
  const { first, last, problems } = await answer.json();
  if (mine !== asked) {
    return null;
  }
  sizesForm.elements.range.setAttribute("aria-invalid", String(Boolean(problems)));
  preview.classList.toggle("bad", Boolean(problems));
  if (problems) {
    preview.textContent = problems[0].text;
    return null;
  }
  const fresh = [];
  for (let size = first; size <= last; size++) {
    if (!model.sizes.includes(size)) {
      fresh.push(size);
    }
  }
  preview.textContent = fresh.length ? word("sizes.preview", fresh.join(", ")) : word("sizes.known");
  return fresh;
}
sizesForm.elements.range.addEventListener("input", previewSizes);
sizesForm.addEventListener("submit", async (event) => {
  event.preventDefault();
  const fresh = await previewSizes();
  if (fresh?.length) {
    model.addSizes(fresh);
    sizesForm.closest("dialog").close();
    draw();
    tell(word("sizes.added", fresh.join(", ")));
    if (model.colours.length) {
      jump({ colour: view.colour, size: fresh[0] });
    }
  }
});

const colourForm = document.querySelector("#grid-add-colour form");
colourForm.addEventListener("submit", (event) => {
  event.preventDefault();
  const name = nameOf(colourForm.elements.name.value);
  const problem =
    name === null ? word("colour.long") : name === "" ? word("colour.empty") : model.colours.includes(name) ? word("colour.exists", name) : "";
  const preview = document.getElementById("grid-colour-problem");
  preview.textContent = problem;
  preview.classList.toggle("bad", problem !== "");
  if (!problem) {
    model.addColour(name, colourForm.elements.from.value);
    colourForm.closest("dialog").close();
    draw();
    tell(word("colour.added", name));
    if (model.sizes.length) {
      jump({ colour: name, size: model.sizes[0] });
    }
  }
});

// Buttons

const actions = {
  save,
  "undo-all": () => {
    model.undoAll();
    refresh();
  },
  keys: () => document.getElementById("grid-keys").showModal(),
  history: () => history.ofProduct(),
  "cell-history": () => view.colour !== undefined && view.size !== undefined && history.ofEntry(view.colour, view.size),
  "add-sizes": () => open("grid-add-sizes"),
  "add-colour": () => {
    open("grid-add-colour");
    const { from } = colourForm.elements;
    from.replaceChildren(from.options[0], ...model.colours.map((colour) => element("option", { value: colour }, colour)));
  },
  "all-mine": () => settle([...model.conflicts.values()], true),
  "all-theirs": () => settle([...model.conflicts.values()], false),
};
document.querySelector("main").addEventListener("click", (event) => {
  actions[event.target.closest("[data-do]")?.dataset.do]?.();
});
document.getElementById("grid-field").addEventListener("change", (event) => show(event.target.value));
narrow.addEventListener("change", draw);
addEventListener("beforeunload", (event) => {
  if (model.edits.length) {
    event.preventDefault();
  }
});

const restored = model.restore(loaded);
root.hidden = false;
draw();
if (restored) {
  tell(word("restored"));
}
