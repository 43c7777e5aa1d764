// The pictures of the product form. The field with the addresses is what the form sends; the list
// shows it, puts it in order, and fills it with what is uploaded.
import { element } from "./element.js";
import { button, fill, pastedFiles, sendInto, takeFiles, words } from "./pictures.js";

const area = document.getElementById("pictures");
const form = area.closest("form");
const field = form.elements.imgs;
const list = area.querySelector(".picture-list");
const status = area.querySelector(".moved");
const items = () => [...list.children];
const kept = () => items().filter((item) => item.dataset.address);
const sending = () => form.querySelector("progress") !== null;
let submitter = null; // the button that was pressed while pictures were on their way

// The addresses in the form, and each picture's place in words.
function renumber() {
  const pictures = kept();
  field.value = pictures.map((item) => item.dataset.address).join("\n");
  pictures.forEach((item, index) => {
    const [label, left, right, remove] = item.controls;
    label.textContent = index === 0 ? words.main : fill(words.place, index + 1);
    left.setAttribute("aria-label", fill(words.left, index + 1));
    right.setAttribute("aria-label", fill(words.right, index + 1));
    remove.setAttribute("aria-label", fill(words.remove, index + 1));
    left.disabled = index === 0;
    right.disabled = index === pictures.length - 1;
  });
}

function move(item, by) {
  const pictures = kept();
  const other = pictures[pictures.indexOf(item) + by];
  const [, left, right] = item.controls;
  if (by < 0) {
    other.before(item);
  } else {
    other.after(item);
  }
  renumber();
  // at the end, the button that was pressed can do no more
  const pressed = by < 0 ? left : right;
  (pressed.disabled ? (by < 0 ? right : left) : pressed).focus();
  status.textContent = fill(words.moved, kept().indexOf(item) + 1, pictures.length);
}

function remove(item) {
  const next = item.nextElementSibling ?? item.previousElementSibling;
  item.remove();
  renumber();
  (next?.querySelector("button:enabled") ?? area.querySelector("[type=file]")).focus();
  status.textContent = words.removed;
}

function dress(item) {
  const label = element("span", { class: "label" });
  const left = button("←", () => move(item, -1));
  const right = button("→", () => move(item, 1));
  const away = button("×", () => remove(item));
  item.controls = [label, left, right, away];
  item.draggable = true;
  item.append(label, element("div", { class: "actions" }, left, right, away));
  return item;
}

function picture(address, thumbnail) {
  const item = element("li", { "data-address": address });
  item.append(element("img", { src: thumbnail, alt: "", width: 120, height: 120, draggable: "false" }));
  return dress(item);
}

function send(file) {
  const item = element("li", { class: "sending" });
  list.append(item);
  sendInto(item, file, {
    done: ({ address, thumbnail }) => {
      item.replaceWith(picture(address, thumbnail));
      renumber();
      status.textContent = fill(words.added, file.name);
      goOn();
    },
    failed: () => {
      submitter = null;
      renumber();
    },
    dismissed: () => remove(item),
  });
}

// Saves when the last picture has arrived.
function goOn() {
  if (submitter && !sending()) {
    form.requestSubmit(submitter);
  }
}

form.addEventListener("submit", (event) => {
  if (sending()) {
    event.preventDefault();
    submitter = event.submitter;
    status.textContent = words.wait;
  }
});

// What was typed into the field.
field.addEventListener("change", () => {
  const known = new Map(items().map((item) => [item.dataset.address, item]));
  const typed = field.value.split(/[\s|]+/).filter(Boolean);
  const rest = items().filter((item) => !item.dataset.address);
  const shown = (address) => known.get(address) ?? picture(address, address.replace(/^http:/, "https:"));
  list.replaceChildren(...new Set(typed.map(shown)), ...rest);
  renumber();
});

// The order, by the mouse
let dragged = null;
list.addEventListener("dragstart", (event) => {
  dragged = event.target.closest("li");
  event.dataTransfer.effectAllowed = "move";
});
list.addEventListener("dragover", (event) => {
  const over = event.target.closest("li");
  if (dragged && over && over !== dragged) {
    event.preventDefault();
    const isBefore = items().indexOf(dragged) < items().indexOf(over);
    over[isBefore ? "after" : "before"](dragged);
  }
});
list.addEventListener("drop", (event) => dragged && event.preventDefault());
list.addEventListener("dragend", () => {
  dragged = null;
  renumber();
});

// The pictures of the colors
form.querySelectorAll(".color-pictures li").forEach((item) => {
  const address = item.querySelector('[name="colorImage"]');
  const place = item.querySelector(".upload-place");
  const show = (source) => {
    item.querySelector("img")?.remove();
    if (source) {
      item.prepend(element("img", { src: source, alt: "", width: 40, height: 40 }));
    }
  };
  address.addEventListener("change", () => show(address.value.trim().replace(/^http:/, "https:")));
  takeFiles(item, ([file]) => {
    sendInto(place, file, {
      done: (stored) => {
        address.value = stored.address;
        show(stored.small);
        goOn();
      },
      failed: () => (submitter = null),
      dismissed: () => item.querySelector("[type=file]").focus(),
    });
  });
});

const take = (files) => {
  files.forEach(send);
  renumber();
};
takeFiles(form, take); // a file dropped beside the area would replace the page
document.addEventListener("paste", (event) => {
  const files = pastedFiles(event);
  if (files.length) {
    event.preventDefault();
    take(files);
  }
});
addEventListener("beforeunload", (event) => sending() && event.preventDefault());

items().forEach(dress);
renumber();
form.querySelectorAll(".drop, .take").forEach((controls) => (controls.hidden = false));
