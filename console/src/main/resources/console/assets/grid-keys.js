// The keys of the grid: in a cell that is being edited, and on the selected cells.

// page: { changed, tell }
export function cellKeys(view, editor, history, saver, page) {
  const { model, word } = view;

  function editorKey(event) {
    const control = event.ctrlKey || event.metaKey;
    const steps = { Enter: [event.shiftKey ? -1 : 1, 0], Tab: [0, event.shiftKey ? -1 : 1] };
    if (event.isComposing) {
      return;
    }
    if (event.key === "Escape") {
      event.preventDefault();
      editor.close();
      view.cell().focus();
    } else if (event.key === "Enter" && control) {
      event.preventDefault();
      if (editor.finish(true)) {
        view.cell().focus();
      }
    } else if (steps[event.key]) {
      event.preventDefault();
      if (editor.finish()) {
        view.go(view.row + steps[event.key][0], view.column + steps[event.key][1]);
      }
    } else if (control && event.key.toLowerCase() === "s") {
      event.preventDefault();
      if (editor.finish()) {
        view.cell().focus();
        saver.save();
      }
    }
    event.stopPropagation();
  }

  function gridKey(event) {
    if (editor.isOpen) {
      editorKey(event);
      return;
    }
    const { key, shiftKey: extend } = event;
    const control = event.ctrlKey || event.metaKey;
    const { row, column } = view;
    const last = { row: model.colors.length - 1, column: model.sizes.length - 1 };
    const moves = {
      ArrowUp: () => view.go(control ? 0 : row - 1, column, extend),
      ArrowDown: () => view.go(control ? last.row : row + 1, column, extend),
      ArrowLeft: () => view.go(row, control ? 0 : column - 1, extend),
      ArrowRight: () => view.go(row, control ? last.column : column + 1, extend),
      Home: () => view.go(control ? 0 : row, 0, extend),
      End: () => view.go(control ? last.row : row, last.column, extend),
      PageUp: () => view.go(row - 10, column, extend),
      PageDown: () => view.go(row + 10, column, extend),
      Enter: () => editor.open(),
      F2: () => editor.open(),
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
    } else if (control && key.toLowerCase() === "d" && view.field === "quantity") {
      event.preventDefault();
      fillDown();
    } else if (key.length === 1 && !control && !event.altKey) {
      typed(event, key);
    }
  }

  function typed(event, key) {
    const quantities = view.field === "quantity";
    if (key === "?" || key === "/" || (quantities && key === " ")) {
      return; // keys of the page
    }
    event.preventDefault();
    if (quantities && key.toLowerCase() === "h") {
      history.ofEntry(view.color, view.size);
    } else {
      editor.open(key);
    }
  }

  function fillDown() {
    const cells = view
      .fillDown()
      .map(([color, size, from]) => [color, size, "quantity", model.text(from, size, "quantity")])
      .filter(([, , , text]) => text !== "");
    page.changed(model.change(cells));
    page.tell(cells.length ? word("filled", cells.length) : word("fill-nothing"));
  }

  function clear() {
    const empty = view.field === "quantity" ? "0" : "";
    const cells = view.selected().filter(([color, size]) => model.exists(color, size));
    page.changed(
      model.change(
        cells.map(([color, size]) => {
          const fresh = model.saved(color, size, "quantity") === undefined;
          return [color, size, view.field, fresh ? "" : empty];
        }),
      ),
    );
  }

  return gridKey;
}
