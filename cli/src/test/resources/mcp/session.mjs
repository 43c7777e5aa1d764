// A session of a real MCP client: starts the program named by the arguments and prints what its tools say.
// Usage: node session.mjs PID COMMAND…     The first line printed is the list of tools.
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { createInterface } from 'node:readline';

const require = createRequire(`${process.cwd()}/`);
const load = async name => import(pathToFileURL(require.resolve(`@modelcontextprotocol/sdk/client/${name}.js`)));
const { Client } = await load('index');
const { StdioClientTransport } = await load('stdio');

const [pid, command, ...args] = process.argv.slice(2);
const client = new Client({ name: 'stockroom-test', version: '1' });
await client.connect(new StdioClientTransport({ command, args, env: process.env, stderr: 'inherit' }));

const say = value => console.log(JSON.stringify(value));
const call = async (name, given) => {
  const { content, structuredContent, isError } = await client.callTool({ name, arguments: given });
  return { name, isError: isError ?? false, text: content[0].text, data: structuredContent ?? null };
};
const change = { pid: Number(pid), color: '红', size: 36, change: -2 };

const { tools } = await client.listTools();
say(tools.map(tool => `${tool.name} ${tool.annotations.readOnlyHint ? 'reads' : 'writes'}`));
say(await call('find_products', { query: 't1' }));
say(await call('read_stock', { pid: Number(pid) }));
say(await call('explain_refusal', { code: 'create_rate' }));
say(await call('explain_refusal', { code: 'CREATE_RATES' }));
say(await call('apply_plan', {}));
say(await call('plan_stock_change', { changes: [{ ...change, change: -6 }] }));
say(await call('plan_stock_change', { changes: [change, change] }));
const stale = await call('plan_stock_change', { changes: [change] });
say(stale);
// the test changes the stock and then writes a line
await new Promise(resolve => createInterface({ input: process.stdin }).once('line', resolve));
const { plan, hash } = stale.data;
say(await call('apply_plan', { plan, hash }));
const fresh = (await call('plan_stock_change', { changes: [change] })).data;
say(await call('apply_plan', { plan: fresh.plan, hash }));
say(await call('apply_plan', { plan: fresh.plan, hash: fresh.hash }));
say(await call('apply_plan', { plan: fresh.plan, hash: fresh.hash }));
say(await call('read_stock', { pid: 2147483647 }));
// many replies at once: each of them arrives
const guides = await Promise.all(Array.from({ length: 200 }, () => call('explain_refusal', { code: 'CREATE_RATE' })));
say(guides.length);
await client.close();
process.exit(0);
