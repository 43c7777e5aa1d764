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

document.addEventListener("click", async (event) => {
  const button = event.target.closest?.("button[data-copy]");
  if (!button) {
    return;
  }
  const done = await copy(document.getElementById(button.dataset.copy));
  if (done) {
    const label = button.querySelector("span") ?? button;
    button.dataset.label ??= label.textContent;
    label.textContent = button.dataset.copied;
    clearTimeout(button.timer);
    button.timer = setTimeout(() => {
      label.textContent = button.dataset.label;
    }, 2000);
  }
});

// Loading the page again must not make another secret: the address becomes that of what was made.
const address = document.querySelector("main[data-address]")?.dataset.address;
if (address) {
  history.replaceState(null, "", address);
}
