// The field for a barcode: it goes to the cell that has the code, or offers to give it to the
// selected one.
import { nameOf } from "./grid-text.js";
import { element } from "./grid-view.js";

// page: { settleTyping, jump, assign }
export function scanField(view, page) {
  const form = document.getElementById("grid-scan");
  const result = document.getElementById("grid-scan-result");
  const { model, word } = view;
  // a scan on another page leads here
  const scanned = new URLSearchParams(location.search).get("barcode");
  if (scanned) {
    form.elements.code.value = scanned;
    setTimeout(() => form.requestSubmit());
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
}
