// Sends a file as it is, with a bar, and keeps the page of an import moving.
"use strict";

(() => {
  const form = document.getElementById("upload");
  const fill = (pattern, ...values) =>
    pattern.replace(/\{(\d)\}/g, (_, place) => values[Number(place)]);

  function amount(bytes) {
    const units = ["B", "KB", "MB", "GB"];
    let unit = 0;
    let rest = bytes;
    while (rest >= 1000 && unit < units.length - 1) {
      rest /= 1000;
      unit++;
    }
    return `${unit === 0 ? rest : rest.toFixed(1)} ${units[unit]}`;
  }

  function duration(seconds) {
    return seconds < 90 ? `${Math.ceil(seconds)} s` : `${Math.ceil(seconds / 60)} min`;
  }

  function prepareUpload() {
    const words = form.dataset;
    const input = form.querySelector('input[type="file"]');
    const problem = form.querySelector(".problem-place");
    const drop = form.querySelector(".drop");
    const sending = form.querySelector(".sending");
    const bar = sending.querySelector("progress");
    const sent = sending.querySelector(".sent");
    const pace = sending.querySelector(".pace");
    let request = null;

    function show(isSending) {
      drop.hidden = isSending;
      sending.hidden = !isSending;
      // what had the focus is hidden now
      (isSending ? sending : input).focus();
    }

    function fail(text) {
      request = null;
      show(false);
      problem.textContent = text;
    }

    // A refusal in the middle of a long body would reach nobody, so it is asked for first; where
    // the session has ended, this is where the person signs in again.
    async function ready(query, file) {
      try {
        const answer = await Stockroom.send(`/console/imports/ready?${query}&bytes=${file.size}`, {
          method: "POST",
        });
        if (answer.ok) {
          return true;
        }
        fail(await answer.text());
      } catch {
        fail(words.broken);
      }
      return false;
    }

    function send(query, file) {
      const began = performance.now();
      request = new XMLHttpRequest();
      request.open("POST", `/console/imports?${query}`);
      request.setRequestHeader("Content-Type", "application/octet-stream");
      request.setRequestHeader("Stockroom-Request", "fetch");
      request.setRequestHeader(
        "Form-Token",
        document.querySelector('meta[name="form-token"]').content,
      );
      request.upload.addEventListener("progress", (event) => {
        const seconds = (performance.now() - began) / 1000;
        const rate = event.loaded / Math.max(seconds, 0.001);
        bar.value = (event.loaded * 100) / Math.max(1, event.total);
        if (event.loaded === event.total) {
          pace.textContent = words.storing;
          return;
        }
        pace.textContent = [
          `${amount(event.loaded)} / ${amount(event.total)}`,
          fill(words.rate, amount(rate)),
          seconds > 1 ? fill(words.left, duration((event.total - event.loaded) / rate)) : "",
        ]
          .filter(Boolean)
          .join(" · ");
      });
      request.addEventListener("load", () => {
        const place = request.getResponseHeader("Location");
        if (request.status === 201 && place) {
          request = null;
          window.location.assign(place);
        } else {
          fail(request.responseText.slice(0, 500));
        }
      });
      request.addEventListener("error", () => fail(words.broken));
      request.addEventListener("abort", () => fail(words.stopped));
      bar.value = 0;
      sent.textContent = fill(words.sending, file.name);
      pace.textContent = "";
      show(true);
      request.send(file);
    }

    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      const file = input.files[0];
      problem.replaceChildren();
      if (!file) {
        problem.textContent = words.none;
        return;
      }
      const query = new URLSearchParams({ merchant: words.merchant, name: file.name });
      if (await ready(query, file)) {
        send(query, file);
      }
    });

    // until here the button would have sent the form without the file
    drop.querySelector("button").disabled = false;
    sending.querySelector(".stop").addEventListener("click", () => request?.abort());
    window.addEventListener("beforeunload", (event) => {
      if (request) {
        event.preventDefault();
      }
    });

    form.addEventListener("dragover", (event) => {
      if (!request) {
        event.preventDefault();
        form.classList.add("over");
      }
    });
    form.addEventListener("dragleave", () => form.classList.remove("over"));
    form.addEventListener("drop", (event) => {
      form.classList.remove("over");
      if (!request && event.dataTransfer.files.length > 0) {
        event.preventDefault();
        input.files = event.dataTransfer.files;
        form.requestSubmit();
      }
    });
  }

  if (form) {
    prepareUpload();
  }

  // Each answer asks for the next one; where one is missing, the page asks again by itself.
  function askAgain(event) {
    const { elt, xhr, requestConfig } = event.detail;
    const ofJob = elt?.id === "job" && requestConfig?.verb === "get";
    if (ofJob && (!xhr?.status || xhr.status >= 500)) {
      setTimeout(() => htmx.trigger("#job", "poll"), 3000);
    }
  }
  document.addEventListener("htmx:sendError", askAgain);
  document.addEventListener("htmx:responseError", askAgain);
})();
