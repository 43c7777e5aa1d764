// Makes a page look the same in every run: waits for its pictures and replaces what differs from run
// to run. `same` is text for text: what the test knows to differ. `one` is a selector of elements
// whose text is measured or counted, and becomes "0".
async ({ same, one }) => {
  const zeros = (text) => text.replace(/[0-9]/g, "0");
  const shortTime = (text) => text.replace(/^\d+ [A-Z][a-z]{2}, [\d:]+$/, "00 Jan, 00:00").replace(/^\d+ 月 \d+ 日 [\d:]+$/, "00 月 00 日 00:00");
  const ago = document.documentElement.lang === "en" ? "0 minutes ago" : "0 分钟前";
  // random words: every character, also - and _, so that they are as wide in every run
  const masked = (word) => word.replace(/./g, "0");
  const freeze = (text) => {
    let frozen = text
      .replace(/(\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d)?)?)(\.\d+Z)?/g, (_, time) => zeros(time))
      .replace(/\b\d\d?:\d\d(:\d\d)?\b/g, zeros)
      .replace(/\b(person|store)\d+/g, "$1")
      // most appids have 17 characters, and a few have 16
      .replace(/\bapp_[\w-]{6,}/g, "0".repeat(17))
      .replace(/\b(srt|sec)_[\w-]{6,}/g, masked)
      .replace(/\b[0-9A-F]{4}…/g, "0000…")
      .replace(/(productid"?\s*[=:]\s*)\d+/gi, (_, name) => `${name}1`)
      .replace(/Java-http-client\/[\d.]+/g, "Java-http-client");
    for (const [from, to] of same) {
      frozen = frozen.replace(new RegExp(`(?<![\\w.])${from}(?![\\w.])`, "g"), to);
    }
    // ids, tokens, signatures: long and with a digit
    return frozen.replace(/[0-9A-Za-z_-]{10,}/g, (word) => (/\d/.test(word) && !/^\d{4}-\d/.test(word) ? masked(word) : word));
  };
  // a plot is of the last hour: where its lines are depends on when it is looked at; a QR code is random
  document.querySelectorAll(".drawing, .qr path").forEach((drawing) => (drawing.style.visibility = "hidden"));
  document.querySelectorAll("img").forEach((img) => (img.loading = "eager"));
  await Promise.all(
    [...document.images].filter((img) => !img.complete).map((img) => new Promise((done) => (img.onload = img.onerror = done))),
  );
  // nothing that the page does every second replaces what is frozen
  for (let timer = setTimeout(() => {}); timer > 0; timer--) {
    clearTimeout(timer);
  }
  // nothing moves or blinks
  document.getAnimations().forEach((animation) => animation.effect?.getComputedTiming().endTime < Infinity ? animation.finish() : animation.cancel());
  document.documentElement.style.caretColor = "transparent";
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = walker.currentNode;
    const element = node.parentElement;
    if (!node.data.trim() || element.closest("script, style")) {
      continue;
    }
    const text = one && element.closest(one) ? "0" : element.closest(".secret") ? masked(node.data.trim()) : element.closest("time.ago") ? ago : element.closest("time") ? zeros(shortTime(node.data)) : freeze(node.data);
    if (text !== node.data) {
      node.data = text;
    }
  }
  document.querySelectorAll("input:not([type=hidden], [type=radio], [type=checkbox], [type=file], [type=date]), textarea").forEach((field) => {
    const text = one && field.closest(one) ? "0" : freeze(field.value);
    if (text !== field.value) {
      field.value = text;
    }
  });
}
