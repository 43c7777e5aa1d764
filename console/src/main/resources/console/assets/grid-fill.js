// Filling many cells: the handle at the corner of the selection, the heads that select a row or a
// column, and the dialog that sets what is selected.

const range = (from, to) => Array.from({ length: to - from + 1 }, (_, i) => from + i);

// page: { change, settleTyping, tell, isNarrow }
export function filling(view, page) {
  const { model, word, place } = view;
  let source = null; // the range whose values the handle copies, while it is dragged

  // A handle on the last selected cell; Ctrl+D and Ctrl+Enter do the same with keys.
  function mark() {
    place.querySelector(".fill-handle")?.remove();
    if (view.field !== "quantity" || place.querySelector(".editor")) {
      return;
    }
    const { bottom, right } = view.range;
    const handle = document.createElement("span");
    handle.className = "fill-handle";
    handle.setAttribute("aria-hidden", "true");
    view.cell(bottom, right)?.append(handle);
  }

  // Where the pointer is decides the direction: down or up, right or left, never both.
  function target(row, column) {
    const { top, bottom, left, right } = source;
    const vertical = Math.max(top - row, row - bottom, 0);
    const horizontal = Math.max(left - column, column - right, 0);
    return vertical >= horizontal
      ? { top: Math.min(top, row), bottom: Math.max(bottom, row), left, right }
      : { top, bottom, left: Math.min(left, column), right: Math.max(right, column) };
  }

  const wrap = (at, first, last) => first + ((((at - first) % (last - first + 1)) + (last - first + 1)) % (last - first + 1));

  function fillFrom(wanted) {
    const { top, bottom, left, right } = source;
    const cells = [];
    for (const row of range(wanted.top, wanted.bottom)) {
      for (const column of range(wanted.left, wanted.right)) {
        const inside = row >= top && row <= bottom && column >= left && column <= right;
        const [color, size] = [model.colors[wrap(row, top, bottom)], model.sizes[wrap(column, left, right)]];
        const text = model.text(color, size, "quantity");
        if (!inside && text !== "") {
          cells.push([model.colors[row], model.sizes[column], "quantity", text]);
        }
      }
    }
    page.change(cells);
    page.tell(word("filled", cells.length));
  }

  place.addEventListener(
    "mousedown",
    (event) => {
      if (event.target.closest(".fill-handle") && event.button === 0 && page.settleTyping()) {
        event.preventDefault();
        event.stopPropagation();
        source = view.range;
      }
    },
    true,
  );
  place.addEventListener("mouseover", (event) => {
    const cell = source && event.target.closest("td[data-row]");
    if (cell) {
      const wanted = target(Number(cell.dataset.row), Number(cell.dataset.column));
      view.row = wanted.bottom;
      view.column = wanted.right;
      view.anchor = { row: wanted.top, column: wanted.left };
      view.mark();
    }
  });
  addEventListener("mouseup", () => {
    if (source) {
      const wanted = view.range;
      fillFrom(wanted);
      source = null;
      view.cell()?.focus();
    }
  });

  // A click on a head, Shift+Space and Ctrl+Space select a whole row or column.
  function selectRow(row) {
    view.go(row, model.sizes.length - 1);
    view.anchor = { row, column: 0 };
    view.mark();
  }

  function selectColumn(column) {
    view.go(model.colors.length - 1, column);
    view.anchor = { row: 0, column };
    view.mark();
  }

  place.addEventListener("click", (event) => {
    const head = event.target.closest("button") ? null : event.target.closest("th");
    const line = head?.closest("tr");
    if (!head || head.classList.contains("sum") || !page.settleTyping()) {
      return;
    }
    const inHead = line.parentElement.tagName === "THEAD";
    const at = inHead ? [...line.children].indexOf(head) - 1 : [...line.parentElement.children].indexOf(line);
    if (inHead && at >= 0) {
      selectColumn(at);
    } else if (line.parentElement.tagName === "TBODY") {
      selectRow(at);
    }
  });
  place.addEventListener("keydown", (event) => {
    if (event.key === " " && event.target.closest("td[data-row]") && !place.querySelector(".editor")) {
      if (event.shiftKey || event.ctrlKey) {
        event.preventDefault();
        (event.shiftKey ? selectRow : selectColumn)(event.shiftKey ? view.row : view.column);
      }
    }
  });

  // The dialog

  const dialog = document.getElementById("grid-set");
  const form = dialog.querySelector("form");
  const preview = dialog.querySelector(".preview");

  function cells() {
    const { colors, sizes } = model;
    return {
      selection: () => view.selected(),
      row: () => sizes.map((size) => [view.color, size]),
      column: () => colors.map((color) => [color, view.size]),
      all: () => colors.flatMap((color) => sizes.map((size) => [color, size])),
    }[form.elements.scope.value]();
  }

  function read() {
    const typed = form.elements.value.value;
    const found = cells().map(([color, size]) => ({ color, size, ...model.read(color, size, "quantity", typed) }));
    return { typed, found, refused: found.find(({ problem }) => problem) };
  }

  function show() {
    const { typed, found, refused } = read();
    const wrong = typed.trim() !== "" && refused;
    preview.classList.toggle("bad", Boolean(wrong));
    form.elements.value.setAttribute("aria-invalid", String(Boolean(wrong)));
    preview.textContent = wrong
      ? `${view.cellName(refused.color, refused.size)}: ${word(refused.problem, ...refused.values)}`
      : word("set.preview", found.length);
  }

  form.addEventListener("input", show);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const { typed, found, refused } = read();
    show();
    if (typed.trim() === "" || refused) {
      form.elements.value.focus();
      return;
    }
    dialog.close();
    page.change(found.map(({ color, size, text }) => [color, size, "quantity", text]));
    page.tell(word("filled", found.length));
  });

  return {
    mark,
    open: () => {
      if (!model.colors.length || !model.sizes.length) {
        return;
      }
      form.reset();
      form.elements.scope.value = page.isNarrow() ? "row" : "selection";
      dialog.querySelector(".row-name").textContent = view.color;
      dialog.querySelector(".column-name").textContent = view.size;
      dialog.showModal();
      form.elements.value.focus();
      show();
    },
  };
}
