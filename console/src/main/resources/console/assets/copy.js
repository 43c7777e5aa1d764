// Copies a value that a page shows, and keeps a page that shows a secret from being sent again.
const plainCopy = (element) => {
  if (element.select) {
    element.select();
    return document.execCommand("copy");
  }
  const range = document.createRange();
  range.selectNodeContents(element);
  const selection = getSelection();
  selection.removeAllRanges();
  selection.addRange(range);
  return document.execCommand("copy");
};

// The clipboard is there on https and on localhost only; elsewhere the old way still works.
export async function copy(element) {
  try {
    await navigator.clipboard.writeText(element.value ?? element.textContent);
    return true;
  } catch {
    return plainCopy(element);
  }
}

// Says to screen readers that the value is copied.
const announced = document.createElement("p");
announced.className = "hidden";
announced.role = "status";
document.querySelector("main").append(announced);

document.addEventListener("click", async (event) => {
  const button = event.target.closest?.("button[data-copy]");
  if (!button) {
    return;
  }
  const done = await copy(document.getElementById(button.dataset.copy));
  button.focus(); // the old way moves the focus to a field
  if (done) {
    const label = button.querySelector("span") ?? button;
    button.dataset.label ??= label.textContent;
    label.textContent = announced.textContent = button.dataset.copied;
    clearTimeout(button.timer);
    button.timer = setTimeout(() => {
      label.textContent = button.dataset.label;
      announced.textContent = "";
    }, 2000);
  }
});

// Loading the page again must not make another secret: the address becomes that of what was made.
const address = document.querySelector("main[data-address]")?.dataset.address;
if (address) {
  history.replaceState(null, "", address);
}
