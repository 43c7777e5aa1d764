// Calls every operation with the generated client; says the same as Calls.java.
import { Configuration, ExtensionsApi, InterfaceApi, PublishResultResultEnum, ResponseError } from "./interface";

// what this program uses of Node.js
declare const process: { argv: string[] };
declare function require(name: string): any;

const [server, appid, secret, accesstoken, product] = process.argv.slice(2);
const pid = Number(product);

function signed(): Record<string, string> {
  const timestamp = String(Math.floor(Date.now() / 1000));
  const sign = require("node:crypto").createHash("md5").update(secret + timestamp).digest("hex").toUpperCase();
  return { appid, timestamp, sign, accesstoken };
}

const configuration = new Configuration({
  basePath: server,
  middleware: [{
    pre: async ({ url, init }) => ({ url, init: { ...init, headers: { ...init.headers as object, ...signed() } } }),
  }],
});
const stock = new InterfaceApi(configuration);
const extensions = new ExtensionsApi(configuration);
const say = (text: string) => console.log(text);

async function main() {
  const page = await stock.listProducts({ page: 1, stock: false });
  say("product " + page.data[0].artNo + " of " + page.totalPages);

  const none = await stock.listStockRaw({ productid: pid, acceptLanguage: "en" });
  const answer = await none.value();
  if (!answer.success) say("no stock: " + answer.msg);
  say("code " + none.raw.headers.get("x-error-code"));

  const created = await stock.createStock({
    colorGroup: [{
      color: "红",
      pid,
      param: [{ size: "36-37", stock: 5 }, { size: "38", stock: 0, barCode: "6901234567892" }],
    }],
  });
  say("created " + created.success + created.msg);
  const list = await stock.listStock({ productid: pid });
  if (list.success) {
    for (const entry of list.data) say(`entry ${entry.color} ${entry.size} ${entry.stock} ${entry.barCode}`);
  }

  const detail = await stock.fetchDetail({ pid });
  if (detail.success) say("detail " + detail.data.title + " " + (detail.data.price === 59) + " " + detail.data.skus[0].size);
  const missing = await stock.fetchDetail({ pid: 2147483647, acceptLanguage: "zh-CN" });
  if (!missing.success) say("no detail: " + missing.msg);

  const reported = await extensions.reportPublishResults({
    publishResult: [{ pid, result: PublishResultResultEnum.Published }],
  });
  say("published " + reported.accepted);

  const usage = (await extensions.ownUsage({ page: 1 })).data;
  const daily = usage.limits[0];
  say("usage " + daily.name + " " + daily.used + " of " + daily.limit);
  say("resets " + (daily.resetsAt instanceof Date));
  say("unpublished " + usage.unpublished.total);

  const changes = await extensions.readChanges({ limit: 1000 });
  say("changes " + changes.changes!.length + " " + changes.more);
  const last = changes.changes![changes.changes!.length - 1];
  say("last " + last.kind + " " + last.entries![0].after);
  const copy = await extensions.readSnapshot({ limit: 500 });
  say("snapshot " + copy.products.length + " next " + copy.next);
  const digest = await extensions.readDigest({});
  say("digest " + digest.entries + " " + digest.blocks.length);

  try {
    await stock.listStock({ productid: 0 });
  } catch (refused) {
    if (!(refused instanceof ResponseError)) throw refused;
    const body = await refused.response.json();
    say("refused " + refused.response.status + " " + (body.errors[0].at === "productid"));
  }
}

main();
