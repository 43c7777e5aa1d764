// Shows what a call was answered, and what that means.
const byId = (id) => document.getElementById(id);

function means(status, success, said) {
  if (status === 200) {
    return said(success ? "means.done" : "means.impossible");
  }
  const known = { 400: "means.400", 404: "means.404", 405: "means.404", 429: "means.429", 503: "means.503" };
  return said(known[status] ?? "means.500");
}

export function drawAnswer(result, said) {
  let parsed = null;
  try {
    parsed = JSON.parse(result.body);
  } catch {
    // shown as it came
  }
  const success = parsed?.success === true;
  byId("nothing").hidden = true;
  byId("answer").hidden = false;
  byId("status").textContent = `${result.status === 200 && success ? "✓" : "✗"} ${result.status}`;
  byId("status").className = `tag ${result.status === 200 && success ? "good" : "bad"}`;
  const code = parsed?.errors?.[0]?.code ?? result.headers["x-error-code"] ?? "";
  byId("code").textContent = code;
  byId("millis").textContent = said("millis", result.millis);
  byId("means").textContent = means(result.status, success, said);
  if (code === "CREDENTIALS_WRONG" || code.startsWith("SIGN") || code.startsWith("TIMESTAMP")) {
    const link = document.createElement("a");
    link.href = "/console/explorer/check";
    link.textContent = said("check-it");
    byId("means").append(" ", link);
  }
  byId("headers").replaceChildren(
    ...Object.entries(result.headers).map(([name, value]) => {
      const row = document.createElement("div");
      const term = document.createElement("dt");
      term.textContent = name;
      const detail = document.createElement("dd");
      detail.textContent = value;
      row.append(term, detail);
      return row;
    }),
  );
  byId("answer-body").textContent = parsed ? JSON.stringify(parsed, null, 2) : result.body;
}
