// The command palette: "/" or Ctrl+K opens it on every page. A barcode scanner works on every page,
// too: it types faster than people do and ends with Enter.
"use strict";

(() => {
  const palette = document.getElementById("palette");
  if (!palette) {
    return;
  }
  const field = palette.querySelector('input[name="q"]');
  const video = palette.querySelector("video");
  const problem = palette.querySelector(".problem");
  const options = () => [...palette.querySelectorAll('[role="option"]')];
  const current = () => palette.querySelector('[aria-selected="true"]');

  function select(option) {
    options().forEach((each) => each.setAttribute("aria-selected", String(each === option)));
    if (option) {
      field.setAttribute("aria-activedescendant", option.id);
      option.scrollIntoView({ block: "nearest" });
    } else {
      field.removeAttribute("aria-activedescendant");
    }
  }

  function open() {
    if (document.querySelector("dialog[open]")) {
      return;
    }
    problem.hidden = true;
    palette.showModal();
    field.select();
    htmx.trigger(field, "palette-open");
  }

  palette.addEventListener("htmx:afterSwap", () => select(options()[0]));
  palette.addEventListener("close", stopCamera);
  palette.addEventListener("click", (event) => {
    if (event.target === palette) {
      palette.close();
    }
  });
  field.addEventListener("keydown", (event) => {
    const all = options();
    const at = all.indexOf(current());
    const steps = { ArrowDown: at + 1, ArrowUp: at - 1, PageDown: all.length - 1, PageUp: 0 };
    if (event.key in steps && all.length) {
      event.preventDefault();
      select(all[(steps[event.key] + all.length) % all.length]);
    } else if (event.key === "Escape" && !event.isComposing) {
      // the browser would only clear the field
      event.preventDefault();
      palette.close();
    } else if (event.key === "Enter" && !event.isComposing) {
      event.preventDefault();
      (current() ?? all[0])?.click();
    }
  });

  const typing = (target) => target.closest?.("input, select, textarea, [contenteditable]");

  document.addEventListener("keydown", (event) => {
    const control = event.ctrlKey || event.metaKey;
    if (control && !event.altKey && event.key.toLowerCase() === "k") {
      event.preventDefault();
      open();
    } else if (event.key === "/" && !control && !event.altKey && !typing(event.target)) {
      event.preventDefault();
      open();
    }
  });
  document.addEventListener("click", (event) => {
    if (event.target.closest?.("[data-palette]")) {
      event.preventDefault();
      open();
    }
  });

  // Scanners

  const FAST = 40; // milliseconds between two keys of a scanner
  const SHORTEST = 6;
  let scanned = "";
  let last = 0;

  document.addEventListener(
    "keydown",
    (event) => {
      const slow = event.timeStamp - last > FAST;
      last = event.timeStamp;
      if (typing(event.target) || event.ctrlKey || event.metaKey || event.altKey) {
        scanned = "";
      } else if (event.key === "Enter") {
        const code = slow ? "" : scanned;
        scanned = "";
        if (code.length >= SHORTEST) {
          event.preventDefault();
          event.stopPropagation();
          find(code);
        }
      } else if (event.key.length === 1) {
        scanned = slow ? event.key : scanned + event.key;
      }
    },
    true,
  );

  function find(code) {
    location.assign(`/console/scan?code=${encodeURIComponent(code)}`);
  }

  // The camera

  let stream = null;

  function stopCamera() {
    stream?.getTracks().forEach((track) => track.stop());
    stream = null;
    video.hidden = true;
  }

  function say(text) {
    problem.textContent = text;
    problem.hidden = false;
  }

  function load(address) {
    return new Promise((resolve, reject) => {
      const script = document.createElement("script");
      script.src = address;
      script.addEventListener("load", resolve);
      script.addEventListener("error", reject);
      document.head.append(script);
    });
  }

  // Gives the code in the present picture, or undefined. Most browsers cannot read barcodes by
  // themselves: they load a library.
  async function reader() {
    if ("BarcodeDetector" in window && (await BarcodeDetector.getSupportedFormats()).includes("ean_13")) {
      const detector = new BarcodeDetector();
      return async () => (await detector.detect(video))[0]?.rawValue;
    }
    if (!window.ZXing) {
      await load(palette.dataset.decoder);
    }
    const { BarcodeFormat, BinaryBitmap, DecodeHintType, HTMLCanvasElementLuminanceSource, HybridBinarizer, MultiFormatReader } = ZXing;
    const { EAN_13, EAN_8, UPC_A, UPC_E, CODE_128, CODE_39, ITF, QR_CODE } = BarcodeFormat;
    const formats = new MultiFormatReader();
    formats.setHints(new Map([[DecodeHintType.POSSIBLE_FORMATS, [EAN_13, EAN_8, UPC_A, UPC_E, CODE_128, CODE_39, ITF, QR_CODE]]]));
    const canvas = document.createElement("canvas");
    const picture = canvas.getContext("2d", { willReadFrequently: true });
    return () => {
      canvas.width = video.videoWidth;
      canvas.height = video.videoHeight;
      picture.drawImage(video, 0, 0);
      try {
        const source = new HTMLCanvasElementLuminanceSource(canvas);
        return formats.decodeWithState(new BinaryBitmap(new HybridBinarizer(source))).getText();
      } catch {
        return undefined; // no code in this picture
      }
    };
  }

  async function look(read) {
    while (stream) {
      const code = video.readyState >= 2 ? await read() : undefined;
      if (code && stream) {
        stopCamera();
        find(code);
        return;
      }
      await new Promise((resolve) => setTimeout(resolve, 60));
    }
  }

  palette.querySelector(".camera")?.addEventListener("click", async () => {
    problem.hidden = true;
    if (stream) {
      stopCamera();
      return;
    }
    if (!navigator.mediaDevices) {
      say(palette.dataset.noCamera);
      return;
    }
    let read;
    try {
      read = await reader();
    } catch {
      say(document.getElementById("messages").dataset.unreachable);
      return;
    }
    try {
      stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: "environment" } });
      video.srcObject = stream;
      video.hidden = false;
      await video.play();
      await look(read);
    } catch {
      stopCamera();
      say(palette.dataset.cameraRefused);
    }
  });
})();
