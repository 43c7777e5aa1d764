// The field that finds: it goes to the cell with the barcode, or to the colors that contain the
// text, one after another; or it offers to give the barcode to the selected cell.
import { nameOf } from "./grid-text.js";
import { element } from "./grid-view.js";

// page: { settleTyping, jump, assign }
export function scanField(view, page) {
  const form = document.getElementById("grid-scan");
  const result = document.getElementById("grid-scan-result");
  const { model, word } = view;
  let last = { text: "", row: -1 }; // the color that was found last

  // The next color that contains the text, and where it stands among them.
  function nextColor(text) {
    const wanted = text.toLowerCase();
    const rows = [...model.colors.keys()].filter((row) => model.colors[row].toLowerCase().includes(wanted));
    const after = last.text === wanted ? last.row : -1;
    const row = rows.find((each) => each > after) ?? rows[0];
    last = { text: wanted, row };
    return { row, place: rows.indexOf(row) + 1, count: rows.length };
  }

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const code = nameOf(form.elements.code.value) ?? "";
    if (!code || !page.settleTyping()) {
      return;
    }
    const found = model.find(code);
    result.replaceChildren();
    form.elements.code.select();
    if (found) {
      result.textContent = word("scan.found", view.cellName(found.color, found.size));
      page.jump(found);
      return;
    }
    const { row, place, count } = nextColor(code);
    if (count) {
      result.textContent = word("scan.color", model.colors[row], place, count);
      page.jump({ color: model.colors[row], size: view.size ?? model.sizes[0] });
      form.elements.code.focus(); // Enter goes on to the next one
      return;
    }
    result.append(word("scan.unknown", code), " ");
    if (view.color !== undefined && view.size !== undefined) {
      const { color, size } = view;
      const assign = element("button", { type: "button" }, word("scan.assign", view.cellName()));
      assign.addEventListener("click", () => {
        result.replaceChildren();
        page.assign(color, size, code);
      });
      result.append(assign);
    }
  });
  form.addEventListener("keydown", (event) => {
    if (event.key === "Escape") {
      result.replaceChildren();
      page.backToCells();
    }
  });
  // The browser's own search sees only the cells in view. Pressed twice, it opens.
  document.addEventListener("keydown", (event) => {
    const find = (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey && event.key.toLowerCase() === "f";
    const field = form.elements.code;
    if (find && view.isLarge && document.activeElement !== field && !document.querySelector("dialog[open]") && page.settleTyping()) {
      event.preventDefault();
      field.focus();
      field.select();
    }
  });

  // A scan on another page leads here.
  return function openScanned() {
    const scanned = new URLSearchParams(location.search).get("barcode");
    if (scanned) {
      form.elements.code.value = scanned;
      form.requestSubmit();
    }
  };
}
