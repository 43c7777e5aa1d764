// The dialogs that add sizes and a color.
import { nameOf } from "./grid-text.js";
import { element } from "./grid-view.js";

const texts = (sizes) => sizes.map(([text]) => text).join(", ");

// added(message, cell): what to do when the model has got them.
export function addDialogs(model, word, view, added) {
  function open(id) {
    const dialog = document.getElementById(id);
    dialog.querySelector("form").reset();
    dialog.querySelector(".preview").textContent = "";
    dialog.showModal();
    dialog.querySelector("input").focus();
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
    const { sizes, problems } = await answer.json();
    if (mine !== asked) {
      return null;
    }
    sizesForm.elements.range.setAttribute("aria-invalid", String(Boolean(problems)));
    preview.classList.toggle("bad", Boolean(problems));
    if (problems) {
      preview.textContent = problems[0].text;
      return null;
    }
    const fresh = sizes.filter(([text]) => model.sameSize(text) === undefined);
    preview.textContent = fresh.length ? word("sizes.preview", texts(fresh)) : word("sizes.known");
    return fresh;
  }
  sizesForm.elements.range.addEventListener("input", previewSizes);
  document.getElementById("grid-sizes-offered")?.addEventListener("click", (event) => {
    sizesForm.elements.range.value = event.target.textContent;
    sizesForm.elements.range.focus();
    previewSizes();
  });
  sizesForm.addEventListener("submit", async (event) => {
    event.preventDefault();
    const fresh = await previewSizes();
    if (fresh?.length) {
      model.addSizes(fresh);
      sizesForm.closest("dialog").close();
      added(word("sizes.added", texts(fresh)), { color: view.color, size: fresh[0][0] });
    }
  });

  const colorForm = document.querySelector("#grid-add-color form");
  colorForm.addEventListener("submit", (event) => {
    event.preventDefault();
    const name = nameOf(colorForm.elements.name.value);
    const problem =
      name === null ? word("color.long") : name === "" ? word("color.empty") : model.colors.includes(name) ? word("color.exists", name) : "";
    const preview = document.getElementById("grid-color-problem");
    preview.textContent = problem;
    preview.classList.toggle("bad", problem !== "");
    if (!problem) {
      model.addColor(name, colorForm.elements.from.value);
      colorForm.closest("dialog").close();
      added(word("color.added", name), { color: name, size: model.sizes[0] });
    }
  });

  return {
    sizes: () => open("grid-add-sizes"),
    color: () => {
      open("grid-add-color");
      const { from } = colorForm.elements;
      from.replaceChildren(from.options[0], ...model.colors.map((color) => element("option", { value: color }, color)));
    },
  };
}
