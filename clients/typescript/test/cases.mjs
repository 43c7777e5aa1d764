// Runs ../cases.json. Usage: node cases.mjs MODULE; reads STOCKROOM_* and the address of the faulty server, FAULTS.
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const { CASES, CODES, FAULTS, STOCKROOM_SERVER, STOCKROOM_APPID, STOCKROOM_SECRET, STOCKROOM_TOKEN } = process.env;
const stockroom = await import(pathToFileURL(process.argv[2]));
const cases = JSON.parse(readFileSync(CASES));
const access = { address: STOCKROOM_SERVER, appid: STOCKROOM_APPID, secret: STOCKROOM_SECRET, accesstoken: STOCKROOM_TOKEN };
let ran = 0, failed = 0;

/** Whether `actual` has everything of `expected`; "*" stands for anything. */
function fits(expected, actual) {
  if (expected === "*") return actual !== null && actual !== undefined;
  if (Array.isArray(expected)) {
    return Array.isArray(actual) && actual.length === expected.length && expected.every((one, i) => fits(one, actual[i]));
  }
  if (expected !== null && typeof expected === "object") {
    return actual !== null && typeof actual === "object" && Object.keys(expected).every((name) => fits(expected[name], actual[name]));
  }
  return expected === actual || (expected === null && actual === undefined);
}

function check(name, expected, actual) {
  ran++;
  if (fits(expected, actual)) return;
  failed++;
  console.log(`FAILED ${name}\n  expected ${JSON.stringify(expected)}\n  found    ${JSON.stringify(actual)}`);
}

const saved = {};
function resolve(value) {
  if (typeof value === "string" && value.startsWith("$")) return value.slice(1).split(".").reduce((at, name) => at[name], saved);
  if (Array.isArray(value)) return value.map(resolve);
  if (value !== null && typeof value === "object") return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, resolve(one)]));
  return value;
}

async function run({ call, arguments: given = [], key, first }, { clock = 0, ...settings }, waits) {
  try {
    const client = new stockroom.StockroomClient({
      ...access, ...settings, now: () => Date.now() + clock * 1000, sleep: async (seconds) => { waits.push(seconds); },
    });
    const [name, group] = call.split(".").reverse();
    const target = group ? client[group] : client;
    let result = await target[name](...given, ...(key ? [{ idempotencyKey: key }] : []));
    if (result?.[Symbol.asyncIterator]) {
      const all = [];
      for await (const one of result) {
        all.push(one);
        if (first) break;
      }
      result = first ? all[0] : all;
    }
    return { result };
  } catch (error) {
    const { code, status, requestId, problems, temporary, retryAfter, message, fix, name } = error;
    if (!(error instanceof stockroom.StockroomError)) console.log(error);
    return { error: { type: name.replace(/Error$/, ""), code, status, requestId, problems, temporary, retryAfter }, message, fix };
  }
}

for (const { secret, timestamp, sign } of cases.md5) check("md5", sign, stockroom.sign(secret, timestamp));
for (const { arguments: given, sign } of cases.hmac) check("hmac", sign, await stockroom.signHmac(...given));
const hook = cases.webhooks;
for (const { name, secrets = ["$secret"], age = 0, before = "", without, body = hook.body, reason = null } of hook.cases) {
  const headers = { "webhook-id": hook.id, "webhook-timestamp": String(hook.now), "webhook-signature": before + hook.signature };
  delete headers[without];
  const all = secrets.map((secret) => (secret === "$secret" ? hook.secret : secret));
  const outcome = await stockroom.verifyWebhook(headers, body, all, { now: hook.now + age })
    .then((message) => ({ reason: null, id: message.id }), (error) => ({ reason: error.reason, id: hook.id }));
  check(`webhook: ${name}`, { reason, id: hook.id }, outcome);
}
for (const { address, says } of cases.addresses) {
  const { error, message } = await run({ call: "digest" }, { address }, []);
  check(`address ${address}`, ["InvalidRequest", true], [error?.type, message?.includes(says)]);
}
for (const one of cases.invalid) {
  const { error } = await run(one, { address: FAULTS, language: one.language ?? "en" }, []);
  check(`invalid ${JSON.stringify(one.arguments)}`, { type: "InvalidRequest", status: null, code: one.problems[0].code, problems: one.problems }, error);
}
for (const [index, one] of cases.replies.entries()) {
  const waits = [];
  const outcome = await run(one, { address: `${FAULTS}/${index}`, ...one.settings }, waits);
  check(one.name, { result: one.result ?? null, error: one.error ?? null }, outcome);
  if (one.error) check(`${one.name}: what to do`, true, outcome.fix?.length > 0);
  if (one.says) check(`${one.name}: message`, true, outcome.message?.includes(one.says) || outcome.message);
  if (one.waits) check(`${one.name}: waits`, true, waits.length === one.waits.length && one.waits.every((wait, i) => waits[i] >= wait && waits[i] <= wait + 0.6));
}
for (const { code, status, type } of JSON.parse(readFileSync(CODES))) {
  const { error, fix } = await run({ call: "detail", arguments: [1] }, { address: `${FAULTS}/codes/${code}` }, []);
  check(`code ${code}`, { type, code, status }, error);
  check(`code ${code}: what to do`, true, fix !== undefined && fix !== "See the message.");
}
for (const one of cases.scenario) {
  const outcome = await run(resolve(one), one.settings ?? {}, []);
  if (one.save) saved[one.save] = outcome.result;
  check(`scenario ${one.call}`, resolve({ result: one.result ?? null, error: one.error ?? null }), outcome);
}
check("environment", [], await stockroom.StockroomClient.fromEnvironment().stock((saved.products[1].id)));
console.log(`${ran} checks, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
