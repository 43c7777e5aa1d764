// Finds what a person would call broken in a page, and gives one sentence for each fault:
// overlaps, text that is cut off or outside its box, content outside the screen, controls that are
// too small, hidden elements that show, text that is too faint, and a navigation that hides the
// present page.
async () => {
  // scripts that hear of a new size have run after the next frame
  await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  const SLACK = 1.5;
  const LEAST = 24;
  const MOST = 8; // of one kind: the first ones tell enough
  const CONTROLS = "button, input:not([type=hidden]), select, textarea, summary, progress, a.button, nav a";
  const { clientWidth: width, scrollWidth } = document.documentElement;
  const faults = new Map();
  const styles = new Map();

  const report = (kind, sentence) => {
    const found = faults.get(kind) ?? faults.set(kind, []).get(kind);
    if (!found.includes(sentence) && found.length < MOST) {
      found.push(sentence);
    }
  };
  // read once: every read of a live style costs
  const css = (element) => {
    let style = styles.get(element);
    if (!style) {
      const { overflowX, overflowY, clipPath, position, fontSize, textOverflow, borderTopWidth, borderLeftWidth, backgroundColor, backgroundImage, display, color, fontWeight, opacity } = getComputedStyle(element);
      style = { overflowX, overflowY, clipPath, position, fontSize, textOverflow, borderTopWidth, borderLeftWidth, backgroundColor, backgroundImage, display, color, fontWeight, opacity };
      styles.set(element, style);
    }
    return style;
  };
  const remembered = (compute) => {
    const known = new Map();
    return (element) => {
      if (!known.has(element)) {
        known.set(element, compute(element));
      }
      return known.get(element);
    };
  };
  const ancestors = function* (element) {
    for (let at = element; at && at !== document.body; at = at.parentElement) {
      yield at;
    }
  };
  const selector = (element) => {
    const one = (at) => at.tagName.toLowerCase() + (at.id ? `#${at.id}` : "") + [...at.classList].map((name) => `.${name}`).join("");
    return element.parentElement ? `${one(element.parentElement)} > ${one(element)}` : one(element);
  };
  const named = ({ element, text }) => `${text ? `"${text.slice(0, 40)}" ` : ""}(${selector(element)})`;
  const numbers = (box) => `[${[box.left, box.top, box.right, box.bottom].map(Math.round).join(", ")}]`;
  const scrolls = (element) => /auto|scroll/.test(css(element).overflowX + css(element).overflowY);
  const clips = (element) => css(element).overflowX !== "visible" || css(element).overflowY !== "visible";

  // What only screen readers get, and what waits beyond the edge until it is focused, is not seen.
  const forScreenReaders = (element) => [...ancestors(element)].some((at) => css(at).clipPath !== "none");
  const beyondTheEdge = (element) => [...ancestors(element)].some((at) => css(at).position === "fixed" && at.getBoundingClientRect().bottom <= 0);
  const seen = remembered(
    (element) => element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) && !forScreenReaders(element) && !beyondTheEdge(element),
  );

  // What is positioned may lie over the rest on purpose; within itself it may not overlap.
  const layer = remembered(
    (element) => [...ancestors(element)].find((at) => /fixed|sticky|absolute/.test(css(at).position) || at.tagName === "DIALOG") ?? document.body,
  );

  const visible = (box, element) => {
    let { left, top, right, bottom } = box;
    for (const at of ancestors(element)) {
      if (clips(at)) {
        const edge = at.getBoundingClientRect();
        [left, top] = [Math.max(left, edge.left), Math.max(top, edge.top)];
        [right, bottom] = [Math.min(right, edge.right), Math.min(bottom, edge.bottom)];
      }
      if (css(at).position === "fixed") {
        break;
      }
    }
    return { left, top, right, bottom };
  };

  // Each line of text with the height of its letters: the line's own box is taller than they are.
  function texts() {
    const found = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const node = walker.currentNode;
      const element = node.parentElement;
      const text = node.data.trim();
      if (!text || element.closest("svg, script, style, noscript, select, textarea") || !seen(element)) {
        continue;
      }
      const range = document.createRange();
      range.selectNodeContents(node);
      const half = parseFloat(css(element).fontSize) / 2;
      for (const { left, top, right, bottom } of range.getClientRects()) {
        const middle = (top + bottom) / 2;
        if (right - left > 1) {
          found.push({ element, text, box: { left, top: middle - half, right, bottom: middle + half } });
        }
      }
    }
    return found;
  }

  function checkCutOff({ element, text, box }) {
    for (const at of ancestors(element)) {
      if (scrolls(at)) {
        return; // it can be scrolled into sight
      }
      const edge = at.getBoundingClientRect();
      const shortened = css(at).textOverflow === "ellipsis" && at.closest("[title]");
      const beyond = box.right > edge.right + SLACK || box.left < edge.left - SLACK || box.bottom > edge.bottom + SLACK || box.top < edge.top - SLACK;
      if (clips(at) && beyond && !shortened) {
        report("cut off", `${named({ element, text })} ${numbers(box)} is cut off by ${selector(at)} ${numbers(edge)}`);
        return;
      }
    }
  }

  // The nearest box that a person sees: one with a border or a ground of its own.
  function checkWithinItsBox(item, from) {
    for (const at of ancestors(from)) {
      if (clips(at)) {
        return; // nothing shows outside of it
      }
      const { borderTopWidth, borderLeftWidth, backgroundColor, display, position } = css(at);
      const painted = parseFloat(borderTopWidth) + parseFloat(borderLeftWidth) > 0 || !/, 0\)$|transparent/.test(backgroundColor);
      if (painted && display !== "inline" && display !== "table-row") {
        const edge = at.getBoundingClientRect();
        const { box } = item;
        if (box.left < edge.left - SLACK || box.right > edge.right + SLACK || box.top < edge.top - SLACK || box.bottom > edge.bottom + SLACK) {
          report("outside its box", `${named(item)} ${numbers(box)} is outside ${selector(at)} ${numbers(edge)}`);
        }
        return;
      }
      if (/absolute|fixed/.test(position)) {
        return;
      }
    }
  }

  function checkOnTheScreen(item) {
    const path = [...ancestors(item.element)];
    if (path.some(scrolls)) {
      return;
    }
    const fixed = path.some((at) => css(at).position === "fixed");
    const { left, right, top, bottom } = item.box;
    if (left < -SLACK || right > width + SLACK || (fixed && (top < -SLACK || bottom > innerHeight + SLACK))) {
      report("outside the screen", `${named(item)} ${numbers(item.box)} is outside the screen of ${width} × ${innerHeight}`);
    }
  }

  function checkOverlaps(items) {
    const boxes = items
      .map((item) => ({ ...item, shown: visible(item.box, item.element), layer: layer(item.element) }))
      .filter(({ shown }) => shown.right - shown.left > SLACK && shown.bottom - shown.top > SLACK)
      .sort((one, other) => one.shown.top - other.shown.top);
    boxes.forEach((one, index) => {
      for (const other of boxes.slice(index + 1)) {
        if (other.shown.top >= one.shown.bottom) {
          break;
        }
        const across = Math.min(one.shown.right, other.shown.right) - Math.max(one.shown.left, other.shown.left);
        const down = Math.min(one.shown.bottom, other.shown.bottom) - other.shown.top;
        const related = one.element.contains(other.element) || other.element.contains(one.element);
        if (one.layer === other.layer && !related && across > SLACK && down > SLACK) {
          report("overlap", `${named(one)} ${numbers(one.shown)} and ${named(other)} ${numbers(other.shown)} overlap by ${Math.round(across)} × ${Math.round(down)} px`);
        }
      }
    });
  }

  function checkSize({ element, text, box }) {
    const target = element.matches("[type=checkbox], [type=radio]") ? (element.closest("label")?.getBoundingClientRect() ?? box) : box;
    const [across, down] = [target.right - target.left, target.bottom - target.top];
    if (element.tagName !== "PROGRESS" && (across < LEAST - 0.5 || down < LEAST - 0.5)) {
      report("too small", `${named({ element, text })} is ${Math.round(across)} × ${Math.round(down)} px, less than ${LEAST}`);
    }
  }

  // Contrast as WCAG defines it. What is disabled may be faint, and behind a picture nobody knows.
  const pixel = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
  const rgba = remembered((color) => {
    pixel.clearRect(0, 0, 1, 1);
    pixel.fillStyle = color;
    pixel.fillRect(0, 0, 1, 1);
    const [red, green, blue, alpha] = pixel.getImageData(0, 0, 1, 1).data;
    return [red, green, blue, alpha / 255];
  });
  const over = ([red, green, blue, alpha], below, opacity = 1) => [red, green, blue].map((value, i) => value * alpha * opacity + below[i] * (1 - alpha * opacity));
  const ground = remembered((element) => {
    if (!element) {
      return over(rgba("Canvas"), [255, 255, 255]);
    }
    const below = ground(element.parentElement);
    return below && css(element).backgroundImage === "none" ? over(rgba(css(element).backgroundColor), below) : null;
  });
  const luminance = (color) => {
    const [red, green, blue] = color.map((value) => (value / 255 <= 0.04045 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const checkContrast = ({ element, text }) => {
    const below = ground(element);
    if (!below || !/[\p{L}\p{N}]/u.test(text) || element.closest(":disabled, [aria-disabled=true]")) {
      return;
    }
    const { color, fontSize, fontWeight } = css(element);
    const opacity = [...ancestors(element)].reduce((product, at) => product * css(at).opacity, 1);
    const [one, other] = [luminance(over(rgba(color), below, opacity)), luminance(below)];
    const ratio = (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
    const large = parseFloat(fontSize) >= (fontWeight >= 700 ? 18.66 : 24);
    if (ratio < (large ? 3 : 4.5) - 0.01) {
      report("faint", `${named({ element, text })} has a contrast of ${ratio.toFixed(2)}, less than ${large ? 3 : 4.5}`);
    }
  };

  function checkNavigation() {
    const pages = document.querySelector(".pages");
    if (!pages) {
      return;
    }
    const edge = pages.getBoundingClientRect();
    const present = pages.querySelector("[aria-current]")?.getBoundingClientRect();
    if (present && (present.left < Math.max(0, edge.left) - SLACK || present.right > Math.min(width, edge.right) + SLACK)) {
      report("navigation", `the present page ${numbers(present)} is out of sight in ${selector(pages)} ${numbers(edge)}`);
    }
    if (width > 720 && pages.scrollWidth > pages.clientWidth + SLACK) {
      report("navigation", `${selector(pages)} shows ${pages.clientWidth} of ${pages.scrollWidth} px`);
    }
  }

  const lines = texts();
  const controls = [...document.querySelectorAll(CONTROLS)]
    .filter(seen)
    .map((element) => ({ element, text: element.textContent.trim().replace(/\s+/g, " "), box: element.getBoundingClientRect() }));
  lines.forEach((line) => {
    checkCutOff(line);
    checkWithinItsBox(line, line.element);
    checkContrast(line);
  });
  controls.forEach((control) => {
    checkWithinItsBox(control, control.element.parentElement);
    checkSize(control);
  });
  [...lines, ...controls].forEach(checkOnTheScreen);
  checkOverlaps([...lines, ...controls]);
  checkNavigation();
  document.querySelectorAll("[hidden]").forEach((element) => {
    if (element.getClientRects().length) {
      report("hidden", `${selector(element)} is hidden and takes ${numbers(element.getBoundingClientRect())}`);
    }
  });
  if (scrollWidth > width) {
    report("wide", `the page is ${scrollWidth} px wide on a screen of ${width}`);
  }
  return [...faults].flatMap(([kind, sentences]) => sentences.map((sentence) => `${kind}: ${sentence}`));
}
