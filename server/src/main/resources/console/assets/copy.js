// Buttons that copy: data-copy names the element whose text is copied, data-copied what the button
// says for a moment afterwards. Where the browser gives no clipboard, as over plain http from another
// machine, the text is selected instead.
"use strict";

document.querySelectorAll("button[data-copy]").forEach((button) => {
  const source = document.getElementById(button.dataset.copy);
  const label = button.textContent;
  let back = 0;
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(source.textContent);
      button.textContent = button.dataset.copied;
      clearTimeout(back);
      back = setTimeout(() => {
        button.textContent = label;
      }, 2000);
    } catch {
      getSelection().selectAllChildren(source);
    }
  });
  // without this script there is nothing to press
  button.hidden = false;
});
