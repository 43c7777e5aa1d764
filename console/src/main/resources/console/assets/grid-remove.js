// Removing entries: the selected ones, or all of a color or a size. They go away with the next save.

// remove(cells): [color, size, field, text] for the model.
export function removeMenu(view, remove) {
  const menu = document.getElementById("grid-remove-menu");
  const dialog = document.getElementById("grid-remove");
  let cells = [];

  // Asks first; entries that are not saved yet just disappear.
  function ask(wanted, name) {
    menu.open = false;
    // the choice is hidden now: the focus comes back here when the dialog closes
    menu.querySelector("summary").focus();
    const { model, word } = view;
    cells = wanted.filter(([color, size]) => model.exists(color, size)).map(([color, size]) => [color, size, "quantity", ""]);
    const one = cells.length === 1 ? word("remove.title.one", name) : word("remove.title", cells.length, name);
    dialog.querySelector("h2").textContent = cells.length ? one : word("remove.nothing", name);
    dialog.querySelector("p").hidden = cells.length === 0;
    dialog.querySelector(".danger").hidden = cells.length === 0;
    dialog.showModal();
  }

  dialog.querySelector("form").addEventListener("submit", (event) => {
    event.preventDefault();
    dialog.close();
    remove(cells);
  });

  return {
    selected: () => {
      const selected = view.selected();
      const [[color, size]] = selected.length ? selected : [["", ""]];
      ask(selected, selected.length === 1 ? view.cellName(color, size) : view.word("remove.selection"));
    },
    color: () => view.color !== undefined && ask(view.model.sizes.map((size) => [view.color, size]), view.color),
    size: () => view.size !== undefined && ask(view.model.colors.map((color) => [color, view.size]), String(view.size)),
  };
}
