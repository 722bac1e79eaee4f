// The official SDK clients from npm against `pensieve mcp` and `/mcp`.
// Usage: node client.mjs PENSIEVE DATABASE URL

import assert from "node:assert/strict";
import * as current from "@modelcontextprotocol/client";
import { StdioClientTransport as CurrentStdio } from "@modelcontextprotocol/client/stdio";
import { Client as OldClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as OldStdio } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport as OldHttp } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

const [pensieve, database, url] = process.argv.slice(2);
const TEMPLATE = "pensieve://{corpus}/{+path}";
const info = { name: "mcp-test", version: "1" };
const stdio = { command: pensieve, args: ["mcp", database] };

// The older package takes a schema of the result before the options.
const options = (client, signal) => (client instanceof OldClient ? [undefined, { signal }] : [{ signal }]);

const pinned = () => new current.Client(info, { versionNegotiation: { mode: { pin: "2026-07-28" } } });
const legacy = () => new current.Client(info);
const old = () => new OldClient(info);
const cases = [
  ["client 2026-07-28 stdio", pinned, () => new CurrentStdio(stdio)],
  ["client 2026-07-28 http", pinned, () => new current.StreamableHTTPClientTransport(new URL(url))],
  ["client 2025-11-25 stdio", legacy, () => new CurrentStdio(stdio)],
  ["client 2025-11-25 http", legacy, () => new current.StreamableHTTPClientTransport(new URL(url))],
  ["sdk 2025-11-25 stdio", old, () => new OldStdio(stdio)],
  ["sdk 2025-11-25 http", old, () => new OldHttp(new URL(url))],
];

async function everything(client) {
  const call = async (name, args) => {
    const result = await client.callTool({ name, arguments: args });
    assert.ok(!result.isError, JSON.stringify(result));
    assert.ok(result.content[0].text && typeof result.structuredContent === "object");
    return result.structuredContent;
  };
  const { tools } = await client.listTools();
  assert.deepEqual(
    tools.map((tool) => tool.name),
    ["search", "fetch", "pack", "list_documents", "find_tables", "query_table", "corpus_info"],
  );
  assert.ok(tools.every((tool) => tool.annotations.readOnlyHint && tool.outputSchema));
  const found = await call("search", { query: "memory limit", limit: 3 });
  const { citation } = found.hits[0].sources[0];
  const fetched = await call("fetch", { citation });
  assert.equal(fetched.text, found.hits[0].content);
  const pack = await call("pack", { question: "memory limit", budget: 1500 });
  assert.ok(pack.tokens <= 1500 && pack.pieces.length > 0);
  const listed = await call("list_documents", { path: "*.md", limit: 2 });
  assert.equal(listed.documents.length, 2);
  assert.ok((await call("corpus_info", {})).corpora[0].documents > 0);
  const { resources } = await client.listResources();
  const read = await client.readResource({ uri: resources[0].uri });
  assert.ok(read.contents[0].text.length > 0);
  assert.equal((await client.listResourceTemplates()).resourceTemplates[0].uriTemplate, TEMPLATE);
  const ref = { type: "ref/resource", uri: TEMPLATE };
  const completed = await client.complete({ ref, argument: { name: "path", value: "s" } });
  assert.ok(completed.completion.values.every((path) => path.startsWith("s")));
  for (const args of [{}, { query: 1 }, { query: "x", limit: -1 }, { query: "x", corpus: "none" }]) {
    const wrong = await client.callTool({ name: "search", arguments: args });
    assert.ok(wrong.isError && wrong.content[0].text.length > 10);
  }
  await assert.rejects(client.callTool({ name: "none", arguments: {} }));
  await assert.rejects(client.readResource({ uri: "pensieve://none/none" }));
  const cancelled = new AbortController();
  const many = Array.from({ length: 400 }, (_, n) => `w${n}* OR t${n % 26}*`).join(" OR ");
  const slow = client.callTool({ name: "search", arguments: { query: many } }, ...options(client, cancelled.signal));
  cancelled.abort();
  await assert.rejects(slow);
  await call("search", { query: "after a cancelled request" });
}

for (const [name, make, transport] of cases) {
  const client = make();
  await client.connect(transport());
  await everything(client);
  await client.close();
  console.log(`ok: ${name}`);
}

const sixteen = Array.from({ length: 16 }, async (_, at) => {
  const [, make, transport] = cases[at % cases.length];
  const client = make();
  await client.connect(transport());
  for (let round = 0; round < 20; round += 1) {
    const result = await client.callTool({ name: "search", arguments: { query: "limit", limit: 3 } });
    assert.ok(!result.isError && result.structuredContent.total > 0, JSON.stringify(result));
  }
  await client.close();
});
await Promise.all(sixteen);
console.log("ok: sixteen clients at once");
