// Pictures on their way to the server: chosen, taken, dropped or pasted, sent two at a time, each
// with its progress or what went wrong, in words.
import { element } from "./element.js";

export const words = document.getElementById("picture-words").dataset;
export const fill = (pattern, ...values) => pattern.replace(/\{(\d)\}/g, (_, place) => values[Number(place)]);

const waiting = [];
let free = 2;

async function turn() {
  if (free > 0) {
    free--;
  } else {
    await new Promise((go) => waiting.push(go));
  }
}

function pass() {
  if (waiting.length) {
    waiting.shift()();
  } else {
    free++;
  }
}

// Calls take with the files that come into the area.
export function takeFiles(area, take) {
  area.addEventListener("change", (event) => {
    const { target } = event;
    if (target.type === "file" && target.files.length) {
      event.stopPropagation();
      take([...target.files]);
      target.value = ""; // the same file may be chosen again
    }
  });
  area.addEventListener("dragover", (event) => {
    if (event.dataTransfer.types.includes("Files")) {
      event.preventDefault();
      area.classList.add("over");
    }
  });
  area.addEventListener("dragleave", (event) => area.contains(event.relatedTarget) || area.classList.remove("over"));
  area.addEventListener("drop", (event) => {
    area.classList.remove("over");
    if (event.dataTransfer.files.length) {
      event.preventDefault();
      event.stopPropagation();
      take([...event.dataTransfer.files]);
    }
  });
}

// The pictures in the clipboard; a table or a text that is there as well comes first.
export function pastedFiles({ clipboardData }) {
  return clipboardData.types.includes("text/plain") ? [] : [...clipboardData.files];
}

function post(file, progress) {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("POST", "/console/products/pictures");
    request.setRequestHeader("Content-Type", "application/octet-stream");
    request.setRequestHeader("Stockroom-Request", "fetch");
    request.setRequestHeader("Form-Token", document.querySelector('meta[name="form-token"]').content);
    request.upload.addEventListener("progress", ({ loaded, total }) => progress((loaded * 100) / Math.max(1, total)));
    request.addEventListener("load", () => resolve(request));
    request.addEventListener("error", () => reject(new Error(words.broken)));
    request.send(file);
  });
}

// Gives { address, small, thumbnail }, or throws what is to be said.
async function upload(file, progress) {
  if (file.size > Number(words.max)) {
    throw new Error(words.tooLarge);
  }
  await turn();
  try {
    let answer = await post(file, progress);
    if (Stockroom.sessionEnded(answer.status, answer.getResponseHeader("Stockroom-Session")) && (await Stockroom.signInAgain())) {
      answer = await post(file, progress);
    }
    if (answer.status !== 201) {
      throw new Error(answer.responseText.slice(0, 500));
    }
    return JSON.parse(answer.responseText);
  } finally {
    pass();
  }
}

export function button(text, action, attributes = {}) {
  const made = element("button", { type: "button", ...attributes }, text);
  made.addEventListener("click", action);
  return made;
}

// Sends a file and shows in the place how far it is; where it fails, why, and what can be done: the
// file is kept, so that it can be sent again. Ends with done, or with dismissed.
export async function sendInto(place, file, { done, failed = () => {}, dismissed = () => {} }) {
  const bar = element("progress", { max: 100, value: 0, "aria-label": fill(words.sending, file.name) });
  const state = element("span", { class: "quiet" }, file.name);
  place.replaceChildren(bar, state);
  try {
    const stored = await upload(file, (percent) => {
      bar.value = percent;
      state.textContent = percent < 100 ? file.name : words.storing;
    });
    place.replaceChildren();
    done(stored);
  } catch (failure) {
    const again = button(words.retry, () => {
      sendInto(place, file, { done, failed, dismissed });
    });
    const leave = button(words.dismiss, () => {
      place.replaceChildren();
      dismissed();
    });
    place.replaceChildren(
      element("p", { class: "problem", role: "alert" }, fill(words.failed, file.name, failure.message)),
      element("div", { class: "actions" }, again, leave),
    );
    failed();
  }
}
