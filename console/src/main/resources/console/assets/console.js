// What the pages share: the form token on every request, a session that ends in the middle of an
// edit and goes on after signing in again, and messages. Pages with more to do use window.Stockroom.
"use strict";

(() => {
  const token = () => document.querySelector('meta[name="form-token"]').content;

  function setToken(value) {
    document.querySelector('meta[name="form-token"]').content = value;
    document.querySelectorAll('input[name="form-token"]').forEach((field) => {
      field.value = value;
    });
  }

  // Over, or replaced by another tab's: either way this page needs a new form token.
  const sessionEnded = (status, header) =>
    (status === 401 && header === "ended") || (status === 403 && header === "changed");

  // Shows a sentence until it is dismissed; screen readers hear it.
  function say(text) {
    const place = document.getElementById("messages");
    const message = document.createElement("div");
    message.className = "message";
    const sentence = document.createElement("p");
    sentence.textContent = text;
    const close = document.createElement("button");
    close.type = "button";
    close.textContent = "×";
    close.setAttribute("aria-label", place.dataset.close);
    close.addEventListener("click", () => message.remove());
    message.append(sentence, close);
    place.replaceChildren(message);
  }

  const unreachable = () => say(document.getElementById("messages").dataset.unreachable);

  // The server answers again.
  function reached() {
    const place = document.getElementById("messages");
    const { slow, unreachable: lost } = place.dataset;
    if ([slow, lost].includes(place.querySelector("p")?.textContent)) {
      place.replaceChildren();
    }
  }

  // A server that hangs: the person learns that the page still waits.
  const SLOW = 8000;
  const watch = () => setTimeout(() => say(document.getElementById("messages").dataset.slow), SLOW);

  // One dialog for however many requests wait: all go on when it succeeds, none when it is left.
  let waiting = null;

  function signInAgain() {
    waiting ??= askForPassword().finally(() => {
      waiting = null;
    });
    return waiting;
  }

  function askForPassword() {
    const dialog = document.getElementById("sign-in-again");
    const form = dialog.querySelector("form");
    const problem = dialog.querySelector(".problem-place");
    // The dialog asks for the password, and then for a code where the person has a second factor.
    const ask = (step) => {
      form.querySelectorAll("[data-step]").forEach((part) => {
        part.hidden = part.disabled = part.dataset.step !== step;
      });
      form.action = step === "code" ? "/console/sign-in/code" : "/console/sign-in";
      form.elements[step].select();
      form.elements[step].focus();
    };
    return new Promise((resolve) => {
      let signedIn = false;
      const submit = async (event) => {
        event.preventDefault();
        problem.replaceChildren();
        try {
          const answer = await fetch(form.action, {
            method: "POST",
            headers: { "Stockroom-Request": "fetch" },
            body: new URLSearchParams(new FormData(form)),
          });
          if (answer.status === 204) {
            setToken(answer.headers.get("Form-Token"));
            signedIn = true;
            dialog.close();
          } else if (answer.status === 202) {
            ask("code");
          } else {
            const page = new DOMParser().parseFromString(await answer.text(), "text/html");
            problem.textContent = page.body.textContent.trim();
            // 410: the password was typed too long ago
            ask(form.action.endsWith("/code") && answer.status !== 410 ? "code" : "password");
          }
        } catch {
          problem.textContent = document.getElementById("messages").dataset.unreachable;
        }
      };
      const closed = () => {
        form.removeEventListener("submit", submit);
        dialog.removeEventListener("close", closed);
        form.elements.password.value = "";
        form.elements.code.value = "";
        resolve(signedIn);
      };
      form.addEventListener("submit", submit);
      dialog.addEventListener("close", closed);
      problem.replaceChildren();
      dialog.showModal();
      ask("password");
    });
  }

  // As fetch, with the form token. Where the session has ended it asks the person to sign in and
  // sends the same request once more; where they would not, it gives the 401.
  async function send(address, options = {}) {
    const attempt = async () => {
      const timer = watch();
      try {
        return await fetch(address, {
          ...options,
          headers: { ...options.headers, "Form-Token": token(), "Stockroom-Request": "fetch" },
        });
      } finally {
        clearTimeout(timer);
        reached();
      }
    };
    const answer = await attempt();
    if (sessionEnded(answer.status, answer.headers.get("Stockroom-Session")) && (await signInAgain())) {
      return attempt();
    }
    return answer;
  }

  window.Stockroom = { send, say, sessionEnded, signInAgain };

  // A form in which something was typed leaves the page only if the server answers and the session
  // goes on: otherwise the browser would show a page of its own, or the sign-in page, and the text
  // would be lost.
  const TYPED = 'textarea, input:not([type="hidden"], [type="checkbox"], [type="radio"], [type="file"])';
  let checked = null;

  document.addEventListener("submit", async (event) => {
    const { target: form, submitter } = event;
    const ours = form.matches('main form[method="post" i]') && form.querySelector(TYPED) && document.getElementById("sign-in-again");
    if (!ours || event.defaultPrevented || form === checked) {
      return;
    }
    event.preventDefault();
    try {
      if ((await send("/console/account", { method: "HEAD" })).status !== 401) {
        checked = form;
        form.requestSubmit(submitter);
      }
    } catch {
      unreachable();
    } finally {
      checked = null;
    }
  });

  document.addEventListener("htmx:configRequest", (event) => {
    event.detail.headers["Form-Token"] = token();
  });

  document.addEventListener("htmx:responseError", async (event) => {
    const { xhr, requestConfig, target } = event.detail;
    if (!sessionEnded(xhr.status, xhr.getResponseHeader("Stockroom-Session"))) {
      say(xhr.responseText.slice(0, 500));
      return;
    }
    if (await signInAgain()) {
      const source = requestConfig.elt;
      const swap = source.closest("[hx-swap]")?.getAttribute("hx-swap") ?? "innerHTML";
      const values = Object.fromEntries(new FormData(source.closest("form") ?? undefined));
      htmx.ajax(requestConfig.verb.toUpperCase(), requestConfig.path, { source, target, swap, values });
    }
  });
  // Where the button that was pressed is gone, the keyboard goes on in what took its place.
  document.addEventListener("htmx:afterSettle", ({ detail }) => {
    if (detail.requestConfig?.verb === "post" && document.activeElement === document.body) {
      document.getElementById(detail.target.id)?.focus();
    }
  });
  // A list that renews itself waits while the keyboard is in it: the focus would be lost.
  document.addEventListener("htmx:beforeSwap", ({ detail }) => {
    if (detail.target.getAttribute("hx-trigger")?.startsWith("every") && detail.target.querySelector(":focus")) {
      detail.shouldSwap = false;
    }
  });
  const watched = new WeakMap();
  document.addEventListener("htmx:beforeSend", ({ detail }) => watched.set(detail.xhr, watch()));
  document.addEventListener("htmx:beforeOnLoad", reached);
  document.addEventListener("htmx:afterRequest", ({ detail }) => clearTimeout(watched.get(detail.xhr)));
  document.addEventListener("htmx:sendError", unreachable);
  document.addEventListener("htmx:timeout", unreachable);

  // After an error, the person continues in the first wrong field; after an action, at the message
  // that says what was done: screen readers read it, and Tab goes on from there.
  const wrong = document.querySelector('main [aria-invalid="true"]');
  const outcome = document.querySelector("main :is(.note, .problem[role=alert], .once > .warning, .result > [role=status])");
  if (wrong) {
    wrong.focus();
  } else if (outcome && !document.querySelector("main [autofocus]")) {
    outcome.tabIndex = -1;
    outcome.focus();
  }

  // A picture that cannot be loaded, such as one without HTTPS, becomes a placeholder.
  const PLACEHOLDER = `data:image/svg+xml,${encodeURIComponent(
    '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40" viewBox="0 0 40 40" fill="none" stroke="#8b93a1" stroke-width="1.5" stroke-linejoin="round"><rect x="11" y="13" width="18" height="14" rx="2"/><path d="m12 25 5-5 3 3 4-4 5 5"/><path stroke-linecap="round" d="M16 17h.01"/></svg>',
  )}`;
  function replacePicture(picture) {
    if (picture instanceof HTMLImageElement && picture.src !== PLACEHOLDER) {
      picture.src = PLACEHOLDER;
      picture.style.objectFit = "scale-down"; // quiet in large places, too
    }
  }
  document.addEventListener("error", (event) => replacePicture(event.target), true);
  // those that failed before this script ran fail again
  [...document.images]
    .filter((picture) => picture.complete && picture.naturalWidth === 0)
    .forEach((picture) => picture.setAttribute("src", picture.src));

  // Where the navigation is longer than the screen, the present page is in sight.
  function showPresentPage() {
    const present = document.querySelector(".pages [aria-current]");
    if (present) {
      const pages = present.parentElement;
      pages.scrollLeft = present.offsetLeft - pages.offsetLeft - (pages.clientWidth - present.offsetWidth) / 2;
    }
  }
  showPresentPage();
  addEventListener("resize", showPresentPage);

  // Who may only read cannot use forms that write; the server rejects them, too.
  function lockForms() {
    document
      .querySelectorAll('main form[method="post" i]:not([data-while-read-only]) :is(button, select, textarea, input:not([type="hidden"]))')
      .forEach((control) => {
        control.disabled = true;
      });
  }
  if (document.body.dataset.readOnly) {
    lockForms();
    addEventListener("load", lockForms);
    document.addEventListener("htmx:afterSettle", lockForms);
  }

  document.addEventListener("click", (event) => {
    document.querySelectorAll("details.menu[open]").forEach((menu) => {
      if (!menu.contains(event.target)) {
        menu.open = false;
      }
    });
    if (event.target.closest?.("dialog .cancel")) {
      event.target.closest("dialog").close();
    }
  });

  // Relative times count on from the server's clock: the one of the device may be wrong.
  let serverClock = null;
  const { justNow } = document.documentElement.dataset;
  const numbers = new Intl.RelativeTimeFormat(document.documentElement.lang, { numeric: "always" });
  const UNITS = [["day", 86400, 7], ["hour", 3600, 24], ["minute", 60, 60]];

  function ago(time) {
    serverClock ??= Number(time.dataset.now) - performance.now();
    const seconds = Math.floor((serverClock + performance.now() - Date.parse(time.dateTime)) / 1000);
    if (seconds < 60) {
      return justNow;
    }
    const [unit, length] = UNITS.find(([, each]) => seconds >= each);
    const days = UNITS[0];
    // the server wrote the date of what is older
    return seconds >= days[1] * days[2] ? null : numbers.format(-Math.floor(seconds / length), unit).replace(/(\d)(?=[\u4e00-\u9fff])/, "$1 ");
  }

  function writeAgo(time) {
    const text = ago(time);
    time.textContent = text ?? time.title.slice(0, -3);
  }

  function writeAll() {
    if (!document.hidden) {
      document.querySelectorAll("time.ago").forEach((time) => time !== document.activeElement && writeAgo(time));
    }
  }
  document.querySelectorAll("time.ago").forEach(ago);
  setInterval(writeAll, 20000);

  // A title is for the mouse only: with the keyboard or a touch, the exact time takes its place.
  document.addEventListener("focusin", ({ target }) => {
    if (target.matches?.("time.ago")) {
      target.textContent = target.title;
    }
  });
  document.addEventListener("focusout", ({ target }) => {
    if (target.matches?.("time.ago")) {
      writeAgo(target);
    }
  });

  // Offers the time zone of the device where the person has chosen another one.
  const device = document.querySelector("[data-device-zone]");
  const zones = device?.form.elements.zone;
  const here = Intl.DateTimeFormat().resolvedOptions().timeZone;
  if (device && (zones.value || zones.dataset.server) !== here && [...zones.options].some((option) => option.value === here)) {
    device.textContent = device.dataset.text.replace("{0}", here);
    device.hidden = false;
    device.addEventListener("click", () => {
      zones.value = here;
      device.hidden = true;
      zones.focus();
    });
  }

  // Tab out of a menu closes it: it would cover what has the focus.
  document.addEventListener("focusout", ({ target, relatedTarget }) => {
    const menu = target.closest?.("details.menu[open]");
    if (menu && relatedTarget && !menu.contains(relatedTarget)) {
      menu.open = false;
    }
  });

  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || document.querySelector("dialog[open]")) {
      return;
    }
    const menu = document.querySelector("details.menu[open]");
    if (menu) {
      menu.open = false;
      menu.querySelector("summary").focus();
    } else {
      document.getElementById("messages").replaceChildren();
    }
  });
})();
