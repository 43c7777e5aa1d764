// The list of products. Selecting: the head selects the page, the bar counts and offers the rest of
// the filter. The list may be swapped at any time, so everything is found by name.
"use strict";

(() => {
  const form = document.getElementById("selection");
  if (!form) {
    return;
  }
  const boxes = () => [...document.querySelectorAll('#list input[name="product"]')];
  const page = () => document.getElementById("select-page");
  const all = () => document.getElementById("select-all");

  function show() {
    const every = boxes();
    const chosen = every.filter((box) => box.checked).length;
    const head = page();
    if (!head) {
      return;
    }
    head.checked = chosen > 0 && chosen === every.length;
    head.indeterminate = chosen > 0 && chosen < every.length;
    const whole = all();
    const more = whole.dataset.more === "true";
    const offered = head.checked && (more || Number(whole.dataset.total) > every.length);
    whole.closest("label").hidden = !offered;
    whole.checked = whole.checked && offered;
    const bar = document.getElementById("selection-bar");
    bar.hidden = chosen === 0;
    const count = whole.checked ? Number(whole.dataset.total) : chosen;
    bar.querySelector(".selected").textContent = bar.dataset.selected.replace("#", count.toLocaleString(document.documentElement.lang) + (more && whole.checked ? "+" : ""));
  }

  document.addEventListener("change", (event) => {
    if (event.target.id === "select-page") {
      boxes().forEach((box) => {
        box.checked = event.target.checked;
      });
    }
    if (event.target.closest?.("#list")) {
      show();
    }
  });
  document.addEventListener("htmx:afterSwap", show);

  // What was typed is searched for already. Searching again when the field loses the focus would
  // swap the list under somebody who has begun to select.
  document.getElementById("product-search")?.addEventListener("change", (event) => event.stopPropagation());

  // The address has only what the person chose, and what is outside of the list follows it.
  document.addEventListener("htmx:configRequest", (event) => {
    if (event.detail.elt.id === "view") {
      for (const [name, value] of [...event.detail.formData]) {
        if (value === "") {
          event.detail.formData.delete(name);
        }
      }
    }
  });
  document.addEventListener("htmx:replacedInHistory", () => {
    const query = new URLSearchParams(location.search);
    document.querySelector('.views-menu input[name="query"]').value = query.toString();
    query.delete("sort");
    document.querySelectorAll("a[data-format]").forEach((link) => {
      query.set("format", link.dataset.format);
      link.href = `/console/export?${query}`;
    });
  });
  addEventListener("pageshow", show);
  show();
})();
