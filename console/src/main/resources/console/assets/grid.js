// The page of the stock grid: keys and mouse, and how the parts work together. What is known is in
// grid-model.js, what is drawn in grid-view.js and grid-phone.js, how a cell is edited in
// grid-editor.js.
import { wording } from "./grid-text.js";
import { Model } from "./grid-model.js";
import { View } from "./grid-view.js";
import { History } from "./grid-history.js";
import { Phone } from "./grid-phone.js";
import { Editor } from "./grid-editor.js";
import { Paste } from "./grid-paste.js";
import { Saver } from "./grid-save.js";
import { addDialogs } from "./grid-add.js";
import { removeMenu } from "./grid-remove.js";
import { scanField } from "./grid-scan.js";
import { filling } from "./grid-fill.js";
import { Live } from "./grid-live.js";
import { cellKeys } from "./grid-keys.js";
import { colorPictures } from "./grid-picture.js";
import { pastedFiles } from "./pictures.js";

const root = document.getElementById("grid");
const place = document.getElementById("grid-place");
const address = `/console/products/${root.dataset.product}/stock`;
const word = wording(JSON.parse(root.dataset.words));
const loaded = JSON.parse(root.dataset.grid);

const model = new Model(loaded, `stockroom-grid ${root.dataset.product} ${root.dataset.person}`);
const view = new View(place, model, word, root.lang, Number(root.dataset.low));
const phone = new Phone(view, (cells) => {
  model.change(cells);
  refresh();
});
const editor = new Editor(view, (cells, everywhere) => {
  changed(model.change(cells));
  if (everywhere) {
    tell(word("filled", cells.length));
  }
});
const clipboard = new Paste(view, pasted, tell);
const history = new History(address, word, (color, size) => view.cellName(color, size), undone);
const add = addDialogs(model, word, view, added);
const saver = new Saver(address, view, phone, { settleTyping, refresh, goTo, backToCells, seen: (number) => live.seen(number) });
const narrow = matchMedia("(max-width: 720px)");
const fill = filling(view, { change: (cells) => changed(model.change(cells)), settleTyping, tell, isNarrow: () => narrow.matches });
const live = new Live(address, Number(root.dataset.number), view, { isBusy: () => editor.isOpen || phone.isTyping || saver.underWay, refresh, backToCells });

const pictures = colorPictures(view, `/console/products/${root.dataset.product}/color-picture`, { tell, backToCells });
const gridKey = cellKeys(view, editor, history, saver, { changed, tell });

// Why the server refused the present cell, or who changed it: titles are for the mouse alone.
const reason = document.getElementById("grid-reason");
view.marked = () => {
  fill.mark();
  const text = view.color === undefined ? "" : (model.fault(view.color, view.size, view.field) ?? model.others.get(model.key(view.color, view.size)));
  reason.textContent = text ? `${view.cellName()}: ${text}` : "";
};

// Drawing

function draw() {
  editor.close();
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

function tell(message) {
  saver.tell(message);
}

function backToCells() {
  place.querySelector("select, td[tabindex='0']")?.focus();
}

// Editing a cell

// Takes over what is being typed; false where it cannot be, and is to be corrected first.
function settleTyping() {
  if (narrow.matches) {
    if (place.contains(document.activeElement)) {
      document.activeElement.blur();
    }
    return true;
  }
  const taken = editor.finish();
  if (!taken) {
    editor.focus();
  }
  return taken;
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
    saver.save();
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
  if (!cell || editor.holds(event.target) || event.button !== 0) {
    return;
  }
  event.preventDefault();
  if (!settleTyping()) {
    return;
  }
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
  if (event.target.closest("td[data-row]") && !editor.isOpen) {
    editor.open();
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

const onCells = () => !editor.isOpen && Boolean(document.activeElement?.closest("td[data-row]"));

// A product without stock has no cells yet, and takes a whole table.
const onEmptyGrid = () =>
  !(model.colors.length && model.sizes.length) &&
  !document.activeElement?.matches("input, select, textarea") &&
  !document.querySelector("dialog[open]");

document.addEventListener("copy", (event) => {
  if (onCells()) {
    clipboard.copy(event.clipboardData);
    event.preventDefault();
  }
});

document.addEventListener("paste", (event) => {
  const files = pastedFiles(event);
  if (files.length && (onCells() || pictures.isOpen)) {
    event.preventDefault();
    pictures.take(files);
  } else if (onCells() || onEmptyGrid()) {
    event.preventDefault();
    clipboard.paste(event.clipboardData);
  }
});

function pasted(cells, fresh) {
  changed(model.change(cells, fresh));
  if (!narrow.matches) {
    view.go(view.row, view.column);
  }
}

// Going to a cell

// Shows the field and goes to the cell that needs somebody.
function goTo(cell) {
  const field = cell.field ?? ["quantity", "barcode"].find((name) => model.fault(cell.color, cell.size, name));
  if (field !== view.field) {
    show(field);
  }
  jump(cell);
}

function jump({ color, size }) {
  const [row, column] = [model.colors.indexOf(color), model.sizes.indexOf(size)];
  if (narrow.matches) {
    view.row = row;
    phone.draw();
    place.querySelector(`[data-column="${column}"]`)?.focus();
  } else {
    view.go(row, column);
  }
}

function show(field) {
  const possible = settleTyping();
  view.field = possible ? field : view.field;
  root.querySelector(`[name="field"][value="${view.field}"]`).checked = true;
  if (possible) {
    draw();
  }
}

function undone(cells, grid) {
  model.refresh(grid);
  refresh();
  tell(cells === 1 ? word("undone.one") : word("undone.many", cells));
}

function added(message, cell) {
  draw();
  tell(message);
  if (model.colors.length && model.sizes.length) {
    jump(cell);
  }
}

const remove = removeMenu(view, (cells) => {
  changed(model.change(cells));
  tell(word("removed.cells", cells.length));
  backToCells();
});

const openScanned = scanField(view, {
  settleTyping,
  jump,
  backToCells,
  assign: (color, size, code) => {
    show("barcode");
    changed(model.change([[color, size, "barcode", code]]));
    jump({ color, size });
  },
});

// Buttons

const actions = {
  save: () => saver.save(),
  "undo-all": () => {
    if (saver.underWay) {
      return;
    }
    editor.close();
    phone.discard();
    model.undoAll();
    refresh();
  },
  keys: () => document.getElementById("grid-keys").showModal(),
  history: () => history.ofProduct(),
  "cell-history": () => view.color !== undefined && view.size !== undefined && history.ofEntry(view.color, view.size),
  set: () => view.field === "quantity" && fill.open(),
  picture: () => pictures.open(view.color),
  "add-sizes": add.sizes,
  "add-color": add.color,
  "remove-selected": () => remove.selected(),
  "remove-color": () => remove.color(),
  "remove-size": () => remove.size(),
  "all-mine": () => saver.settleAll(true),
  "all-theirs": () => saver.settleAll(false),
};
document.querySelector("main").addEventListener("click", (event) => {
  const name = event.target.closest("[data-do]")?.dataset.do;
  if (name && (name === "undo-all" || settleTyping())) {
    actions[name]();
  }
});
document.getElementById("grid-field").addEventListener("change", (event) => show(event.target.value));
narrow.addEventListener("change", () => {
  phone.discard();
  draw();
});
addEventListener("beforeunload", (event) => {
  if (model.edits.length) {
    event.preventDefault();
  }
});

const restored = model.restore(loaded);
// in a task of its own: a browser that is busy for long does not answer
setTimeout(() => {
  root.hidden = false;
  draw();
  if (restored) {
    tell(word("restored"));
  }
  openScanned();
});
