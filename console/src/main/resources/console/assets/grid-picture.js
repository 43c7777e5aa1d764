// The picture of a color: chosen in a dialog, dropped on the head of the color, or pasted. It is
// saved at once, apart from the cells; the dialog can take back what it did.
import { element } from "./element.js";
import { sendInto, takeFiles } from "./pictures.js";

export function colorPictures(view, address, { tell, backToCells }) {
  const dialog = document.getElementById("grid-picture");
  const part = (selector) => dialog.querySelector(selector);
  const status = part("[role=status]");
  const { model, place, word } = view;
  let color;
  let before = null; // the picture that undo brings back

  function show() {
    const picture = model.pictures[color];
    part("h2").textContent = word("picture.title", color);
    part(".picture-place").replaceChildren(picture ? element("img", { src: picture.thumbnail, alt: "", width: 200, height: 200 }) : word("picture.none"));
    part(".remove").hidden = !picture;
    part(".undo").hidden = before === null;
  }

  async function set(next, isUndo) {
    const former = model.pictures[color]?.address ?? "";
    const body = new URLSearchParams({ color, before: former, address: next });
    try {
      const answer = await Stockroom.send(address, { method: "POST", body });
      if (!answer.ok) {
        status.textContent = await answer.text();
        return;
      }
      const picture = await answer.json();
      if (picture.address) {
        model.pictures[color] = picture;
      } else {
        delete model.pictures[color];
      }
      before = isUndo ? null : former;
      view.drawPicture(color);
      show();
      status.textContent = word(isUndo ? "picture.undone" : "picture.saved");
      part(isUndo ? "[type=file]" : ".undo").focus();
    } catch {
      status.textContent = document.getElementById("messages").dataset.unreachable;
    }
  }

  function take([file]) {
    if (!dialog.open && !open(view.color)) {
      return;
    }
    status.textContent = "";
    sendInto(part(".upload-place"), file, { done: (stored) => set(stored.address, false), dismissed: () => part("[type=file]").focus() });
  }

  function open(name) {
    // a color that was just added is not known to the server yet
    if (name === undefined || !model.sizes.some((size) => model.saved(name, size, "quantity") !== undefined)) {
      tell(word("picture.unsaved"));
      return false;
    }
    color = name;
    before = null;
    status.textContent = "";
    part(".upload-place").replaceChildren();
    show();
    dialog.showModal();
    return true;
  }

  part(".remove").addEventListener("click", () => set("", false));
  part(".undo").addEventListener("click", () => set(before, true));
  dialog.addEventListener("close", backToCells);
  takeFiles(dialog, take);

  // The heads of the colors
  const colorAt = (event) => event.target.closest("tr")?.querySelector("[data-picture]")?.dataset.picture;
  place.addEventListener("click", (event) => {
    if (event.target.closest("[data-picture]")) {
      event.stopPropagation();
      open(colorAt(event));
    }
  });
  place.addEventListener("dragover", (event) => {
    if (event.dataTransfer.types.includes("Files")) {
      event.preventDefault();
    }
  });
  place.addEventListener("drop", (event) => {
    event.preventDefault();
    if (event.dataTransfer.files.length && open(colorAt(event))) {
      take([...event.dataTransfer.files]);
    }
  });

  return {
    open,
    take,
    get isOpen() {
      return dialog.open;
    },
  };
}
