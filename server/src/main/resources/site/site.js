// Colors, search and copying. The pages can be read without any of it.
"use strict";

const THEMES = ["auto", "light", "dark"];
const MOST_FOUND = 12;
const AROUND = 70;
const CHINESE = document.documentElement.lang === "zh-CN";
const WORDS = CHINESE
  ? {
      auto: "自动", light: "浅色", dark: "深色", colors: (name) => `主题：${name}。点击更改`,
      nothing: "没有同时包含这些词的内容。", best: (few, all) => `共 ${all} 处，显示最相关的 ${few} 处`, places: (all) => `${all} 处`,
      broken: (why) => `暂时无法搜索：${why}。`, copy: "复制", copied: "已复制", selected: "已选中",
    }
  : {
      auto: "Auto", light: "Light", dark: "Dark", colors: (name) => `Colors: ${name}. Change`,
      nothing: "Nothing has all of these words.", best: (few, all) => `The best ${few} of ${all} places`, places: (all) => all + (all === 1 ? " place" : " places"),
      broken: (why) => `The search does not work now: ${why}.`, copy: "Copy", copied: "Copied", selected: "Selected",
    };

function remembered() {
  try {
    return THEMES.includes(localStorage.stockroomTheme) ? localStorage.stockroomTheme : "auto";
  } catch {
    return "auto";
  }
}

function paint(theme) {
  if (theme === "auto") document.documentElement.removeAttribute("data-theme");
  else document.documentElement.dataset.theme = theme;
}

// Before the page is drawn, so that it does not change its colors while it is read.
paint(remembered());

function offerThemes(button) {
  const show = (theme) => {
    button.textContent = WORDS[theme];
    button.setAttribute("aria-label", WORDS.colors(WORDS[theme]));
  };
  let theme = remembered();
  show(theme);
  button.hidden = false;
  button.addEventListener("click", () => {
    theme = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length];
    paint(theme);
    show(theme);
    try {
      localStorage.stockroomTheme = theme;
    } catch {
      // a browser that keeps nothing: it holds for this page
    }
  });
}

let loading = null;

// The index is a script and not a fetched file: that works in a folder on a disk, too.
function index() {
  loading ??= new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.src = document.body.dataset.root + "search-index.js";
    script.onload = () => resolve(window.stockroomIndex.map((entry) => ({
      ...entry,
      low: { page: entry.page.toLowerCase(), heading: entry.heading.toLowerCase(), text: entry.text.toLowerCase() },
    })));
    script.onerror = () => reject(new Error("the index could not be loaded"));
    document.head.append(script);
  });
  return loading;
}

function score(entry, words) {
  let sum = 0;
  for (const word of words) {
    const { page, heading, text } = entry.low;
    const points = (heading === word ? 30 : 0) + (heading.includes(word) ? 12 : 0) +
      (page.includes(word) ? (entry.heading ? 4 : 14) : 0) + (text.includes(word) ? 2 : 0);
    if (points === 0) return 0;
    sum += points;
  }
  // each language has pages of its own; what is not translated is found in English
  const chinese = entry.at.startsWith("zh/");
  if (chinese && !CHINESE) return 0;
  if (!chinese && CHINESE) sum /= 3;
  // why it is built so is rarely what somebody searches for
  return /^(decisions|project)\//.test(entry.at) ? sum / 3 : sum;
}

function marked(text, words) {
  const box = document.createDocumentFragment();
  let at = 0;
  const low = text.toLowerCase();
  while (at < text.length) {
    let next = -1;
    let length = 0;
    for (const word of words) {
      const found = low.indexOf(word, at);
      if (found >= 0 && (next < 0 || found < next)) {
        next = found;
        length = word.length;
      }
    }
    if (next < 0) break;
    const mark = document.createElement("mark");
    mark.textContent = text.slice(next, next + length);
    box.append(text.slice(at, next), mark);
    at = next + length;
  }
  box.append(text.slice(at));
  return box;
}

function excerpt(entry, words) {
  const first = Math.max(0, ...words.map((word) => entry.low.text.indexOf(word)));
  const from = Math.max(0, first - AROUND);
  const text = entry.text.slice(from, first + AROUND * 2);
  return (from > 0 ? "…" : "") + text + (first + AROUND * 2 < entry.text.length ? "…" : "");
}

function result(entry, words) {
  const link = document.createElement("a");
  link.href = document.body.dataset.root + entry.at;
  const title = document.createElement("b");
  title.append(marked(entry.heading ? entry.page + " › " + entry.heading : entry.page, words));
  const text = document.createElement("small");
  text.append(marked(excerpt(entry, words), words));
  link.append(title, text);
  const item = document.createElement("li");
  item.append(link);
  return item;
}

async function search(field, found) {
  const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
  const status = found.querySelector("p");
  const list = found.querySelector("ul");
  found.hidden = words.length === 0;
  if (words.length === 0) return;
  try {
    const hits = (await index())
      .map((entry) => ({ entry, points: score(entry, words) }))
      .filter((hit) => hit.points > 0)
      .sort((a, b) => b.points - a.points);
    list.replaceChildren(...hits.slice(0, MOST_FOUND).map((hit) => result(hit.entry, words)));
    status.textContent = hits.length === 0 ? WORDS.nothing :
      hits.length > MOST_FOUND ? WORDS.best(MOST_FOUND, hits.length) : WORDS.places(hits.length);
  } catch (failure) {
    list.replaceChildren();
    status.textContent = WORDS.broken(failure.message);
  }
}

function offerSearch(field, found) {
  field.addEventListener("focus", () => index().catch(() => {}));
  field.addEventListener("input", () => search(field, found));
  const box = field.closest("search");
  box.addEventListener("keydown", (event) => {
    const stops = [field, ...found.querySelectorAll("a")];
    const at = stops.indexOf(document.activeElement);
    if (event.key === "Escape") {
      found.hidden = true;
      field.focus();
    } else if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      stops[Math.min(stops.length - 1, Math.max(0, at + (event.key === "ArrowDown" ? 1 : -1)))].focus();
    } else if (event.key === "Enter" && at === 0 && stops.length > 1) {
      stops[1].click();
    }
  });
  box.addEventListener("focusout", (event) => {
    if (event.relatedTarget && !box.contains(event.relatedTarget)) found.hidden = true;
  });
  document.addEventListener("click", (event) => {
    if (!box.contains(event.target)) found.hidden = true;
  });
  found.addEventListener("click", (event) => {
    if (event.target.closest("a")) found.hidden = true;
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "/" && !event.target.matches("input, textarea")) {
      event.preventDefault();
      field.focus();
    }
  });
}

// What a person types: the lines after "$ ", without what the program answers.
function typed(text) {
  const lines = text.split("\n");
  const from = lines.filter((line, number) =>
    line.startsWith("$ ") || (number > 0 && continues(lines, number)));
  return from.length ? from.map((line) => line.replace(/^\$ /, "")).join("\n") : text.trimEnd();
}

function continues(lines, number) {
  if (!lines[number - 1].endsWith("\\")) return false;
  return lines[number - 1].startsWith("$ ") || continues(lines, number - 1);
}

function offerCopying(block) {
  const box = document.createElement("div");
  box.className = "copying";
  block.replaceWith(box);
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = WORDS.copy;
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(typed(block.textContent));
      button.textContent = WORDS.copied;
    } catch {
      getSelection().selectAllChildren(block);
      button.textContent = WORDS.selected;
    }
    setTimeout(() => { button.textContent = WORDS.copy; }, 1500);
  });
  box.append(block, button);
}

document.addEventListener("DOMContentLoaded", () => {
  offerThemes(document.getElementById("theme"));
  offerSearch(document.getElementById("search"), document.getElementById("found"));
  document.querySelectorAll("article pre").forEach(offerCopying);
  document.querySelector(".pages [aria-current]")?.scrollIntoView({ block: "nearest" });
});
