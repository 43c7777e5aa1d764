// Copies what a person needs once: a link.
"use strict";

document.addEventListener("click", async (event) => {
  const button = event.target.closest?.("button[data-copies]");
  if (!button) {
    return;
  }
  const field = document.getElementById(button.dataset.copies);
  field.select();
  try {
    await navigator.clipboard.writeText(field.value);
  } catch {
    // an old browser, or a page that is not secure: the text is selected
    document.execCommand("copy");
  }
  button.textContent = button.dataset.copied;
});
