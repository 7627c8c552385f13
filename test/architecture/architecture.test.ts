import { readdirSync, readFileSync } from "node:fs";
import { join, sep } from "node:path";
import { describe, expect, test } from "vitest";
import { lint } from "./lint.ts";
import { breaches, type Source } from "./plan.ts";

const sources: Source[] = readdirSync("src", { recursive: true, encoding: "utf8" })
  .filter((file) => /\.tsx?$/.test(file) && !file.endsWith(".test.ts"))
  .map((file) => ({ path: file.split(sep).join("/"), text: readFileSync(join("src", file), "utf8") }));

test("the source keeps to the plan", () => {
  expect(sources.length).toBeGreaterThan(50);
  expect(breaches(sources)).toEqual([]);
});

describe("a planted breach is found", () => {
  test.each([
    ["a room imports another", "rooms/tickets/x.ts", 'import { y } from "../memory/y.ts";'],
    ["a type counts as well", "rooms/tickets/x.ts", 'import type { Y } from "../memory/y.ts";'],
    ["a type in passing", "rooms/tickets/x.ts", 'let y: import("../memory/y.ts").Y;'],
    ["a host imports another", "hosts/cli/x.ts", 'import { y } from "../mcp/y.ts";'],
    ["the platform looks up", "platform/x.ts", 'import { y } from "../commons/ledger/y.ts";'],
    ["a lazy import", "commons/x.ts", 'const y = await import("../rooms/tickets/y.ts");'],
    ["an import for its effects", "commons/x.ts", 'import "../rooms/tickets/y.ts";'],
    ["a re-export", "commons/x.ts", 'export { y } from "../hosts/cli/y.ts";'],
    ["a re-export of all", "commons/x.ts", 'export * from "../hosts/cli/y.ts";'],
    ["the browser's code reads a room", "web/tickets/x.ts", 'import { y } from "../../rooms/tickets/y.ts";'],
    ["a host reads the browser's code", "hosts/http/x.ts", 'import { y } from "../../web/y.ts";'],
    ["a host names a room", "hosts/cli/x.ts", 'import type { Y } from "../../rooms/tickets/y.ts";'],
    [
      "the HTTP host names another room than access",
      "hosts/http/x.ts",
      'import { y } from "../../rooms/tickets/y.ts";',
    ],
    ["the commons name a room", "commons/x.ts", 'import { y } from "../rooms/tickets/y.ts";'],
    ["a room reads the list of rooms", "rooms/tickets/x.ts", 'import { rooms } from "../../rooms.ts";'],
    ["a host reads the composition", "hosts/cli/x.ts", 'import { y } from "../../app/y.ts";'],
    ["a room reads the settings table", "rooms/tickets/x.ts", 'import { y } from "../../app/settings/config.ts";'],
  ])("between zones: %s", expectOneBreach);

  test.each([
    ["the SDK outside its host", "rooms/tickets/x.ts", 'import { Server } from "@modelcontextprotocol/server";'],
    ["Hono outside its host", "hosts/mcp/x.ts", 'import { Hono } from "hono";'],
    ["part of Hono outside its host", "hosts/mcp/x.ts", 'import { cors } from "hono/cors";'],
    ["the query builder in a host", "hosts/cli/x.ts", 'import { sql } from "kysely";'],
    ["PostgreSQL in a room", "rooms/tickets/x.ts", 'import pg from "pg";'],
    ["SQLite in a room", "rooms/tickets/x.ts", 'import { DatabaseSync } from "@photostructure/sqlite";'],
    ["a parser outside the set-up", "rooms/tickets/x.ts", 'import { parse } from "jsonc-parser";'],
    ["another parser", "platform/x.ts", 'import { parse } from "smol-toml";'],
    ["zod at the start", "hosts/cli/x.ts", 'import * as z from "zod";'],
    ["the browser's framework in a host", "hosts/http/x.ts", 'import { render } from "preact";'],
    ["a package nobody knows", "platform/x.ts", 'import x from "left-pad";'],
    ["a name only the run tells", "platform/x.ts", "const x = await import(name);"],
  ])("packages: %s", expectOneBreach);

  test.each([
    ["the kernel does I/O", "kernel/x.ts", 'import { homedir } from "node:os";'],
    ["even the harmless in the kernel", "kernel/x.ts", 'import { join } from "node:path";'],
    ["files", "rooms/tickets/x.ts", 'import { readFile } from "node:fs/promises";'],
    ["files under their old name", "commons/x.ts", "const fs = require('fs');"],
    ["files in a template", "commons/x.ts", "const fs = await import(`node:fs`);"],
    ["a process", "platform/git/x.ts", 'import { spawn } from "node:child_process";'],
    ["sockets", "rooms/tickets/x.ts", 'import { connect } from "node:net";'],
    ["TLS", "hosts/mcp/x.ts", 'import { connect } from "node:tls";'],
    ["names", "platform/git/x.ts", 'import { lookup } from "node:dns/promises";'],
    ["HTTP/2", "commons/x.ts", 'import { connect } from "node:http2";'],
    ["datagrams", "commons/x.ts", 'import { createSocket } from "node:dgram";'],
    ["the home folder", "rooms/tickets/x.ts", 'import { homedir } from "node:os";'],
    ["lines of stdin", "rooms/tickets/x.ts", 'import { createInterface } from "node:readline";'],
    ["streams", "rooms/tickets/x.ts", 'import { Readable } from "node:stream";'],
    ["contexts", "commons/x.ts", 'import { AsyncLocalStorage } from "node:async_hooks";'],
    ["compression", "rooms/tickets/x.ts", 'import { gunzipSync } from "node:zlib";'],
    ["Node's SQLite", "rooms/tickets/x.ts", 'import { DatabaseSync } from "node:sqlite";'],
    ["the process as a module", "rooms/tickets/x.ts", 'import { env } from "node:process";'],
    ["threads", "rooms/tickets/x.ts", 'import { Worker } from "node:worker_threads";'],
    ["another require", "rooms/tickets/x.ts", 'import { createRequire } from "node:module";'],
    ["virtual machines", "platform/x.ts", 'import { runInNewContext } from "node:vm";'],
  ])("Node's modules: %s", expectOneBreach);

  test.each([
    ["the network", "rooms/tickets/x.ts", "await fetch(url);"],
    ["the network by another name", "platform/fetch/x.ts", "const get = fetch;"],
    ["the network through all globals", "rooms/tickets/x.ts", "await globalThis.fetch(url);"],
    ["the network in a view", "web/tickets/x.ts", "await fetch(url);"],
    ["a web socket", "platform/x.ts", "new WebSocket(url);"],
    ["the environment", "hosts/cli/x.ts", "const home = process.env.HOME;"],
    ["the environment by its name", "hosts/cli/x.ts", 'const home = process["env"].HOME;'],
    ["the environment taken out", "hosts/cli/x.ts", "const { env } = process;"],
    ["the process under another name", "rooms/tickets/x.ts", "const me = process;"],
    ["all that is left of it", "platform/x.ts", "const { pid, ...others } = process;"],
    ["modules through the process", "platform/x.ts", 'process.getBuiltinModule("node:fs");'],
    ["the end of the process", "rooms/tickets/x.ts", "process.exit(1);"],
    ["facts in the kernel", "kernel/x.ts", "const id = process.pid;"],
    ["stdout", "rooms/tickets/x.ts", "process.stdout.write('x');"],
    ["stdin", "hosts/cli/x.ts", "process.stdin.on('data', read);"],
    ["stderr", "hosts/cli/x.ts", "process.stderr.write('x');"],
    ["console", "commons/x.ts", "console.log('x');"],
    ["code made of text", "platform/x.ts", "eval(text);"],
    ["a function made of text", "platform/x.ts", "new Function(text);"],
  ])("globals: %s", expectOneBreach);

  test.each([
    [
      "a room decides on trust",
      "rooms/tickets/x.ts",
      'import { TrustEditor } from "../../commons/trust/trust-editor.ts";',
    ],
    ["a host of assistants too", "hosts/mcp/x.ts", 'import { y } from "../../commons/trust/trust-editor.ts";'],
    ["a room approves", "rooms/tickets/x.ts", 'import { Approvals } from "../../commons/guard/approvals.ts";'],
    [
      "a room runs programs on the terminal",
      "rooms/tickets/x.ts",
      'import { runAttached } from "../../platform/terminal/run-attached.ts";',
    ],
    [
      "the MCP host opens an editor",
      "hosts/mcp/x.ts",
      'import { EditedFile } from "../../platform/terminal/edited-file.ts";',
    ],
    ["a room runs programs", "rooms/tickets/x.ts", 'import { run } from "../../platform/exec/run.ts";'],
    ["E29 git past its door", "platform/x.ts", 'await run("git", ["status"]);'],
    ["E29 git by another starter", "platform/exec/run.ts", "spawn(`git`, []);"],
  ])("what is guarded: %s", expectOneBreach);

  test.each([
    ["a token", "hosts/http/x.ts", "if (given === row.token) a();"],
    ["a hash of it", "rooms/access/x.ts", "const same = hash !== stored;"],
    ["loosely", "rooms/access/x.ts", "const same = csrf == sent;"],
  ])("K16 secrets compared with an operator: %s", expectOneBreach);

  function expectOneBreach(_name: string, path: string, text: string): void {
    expect(breaches([{ path, text }])).toHaveLength(1);
  }
});

test.each([
  ["a comment speaks of a door", "// process.env is read elsewhere\nconst a = 1; /* console.log */"],
  ["a text speaks of a door", 'const a = "console.log(process.env)";'],
  ["a method has a global's name", "class A { fetch() {} console = 1; }; a.process.b(); const o = { fetch: 1 };"],
  ["a type has a global's name", "let a: Function; let b: typeof process.stdout;"],
  ["plain modules are used", 'import { join } from "node:path"; import { y } from "../../commons/ledger/y.ts";'],
])("no breach: %s", (_name, text) => {
  expect(breaches([{ path: "rooms/tickets/x.ts", text }])).toEqual([]);
});

test("K16 no breach: a secret is there or is not, or is of some kind", () => {
  const text = 'if (token === undefined || secret.kind === "access" || typeof hash === "string" || token === "") a();';
  expect(breaches([{ path: "rooms/access/x.ts", text }])).toEqual([]);
});

describe("the linter holds the doors too", () => {
  const useOf = (module: string) => `import * as x from "${module}";\nx.y();\n`;
  const plants: [name: string, rule: string, folder: string, text: string][] = [
    ...["fs", "fs/promises", "child_process", "net", "tls", "dns", "dns/promises", "http", "https", "http2", "dgram"]
      .concat("sqlite", "process", "worker_threads", "module", "vm")
      .map((name): (typeof plants)[number] => [name, "noRestrictedImports", "rooms/tickets", useOf(`node:${name}`)]),
    ["pg", "noRestrictedImports", "rooms/tickets", useOf("pg")],
    ["fetch", "noRestrictedGlobals", "rooms/tickets", 'await fetch("x");\n'],
    ["WebSocket", "noRestrictedGlobals", "commons", 'export const x = new WebSocket("x");\n'],
    ["environment", "noProcessEnv", "hosts/cli", 'export const home = process.env["HOME"];\n'],
    ["console", "noConsole", "hosts/mcp", 'console.log("x");\n'],
    ["any", "noExplicitAny", "kernel", "export const x = (y: any) => y;\n"],
    ["not-null", "noNonNullAssertion", "kernel", "export const x = (y?: string) => y!;\n"],
    ["default", "noDefaultExport", "kernel", "export default 1;\n"],
    ["eval", "noGlobalEval", "rooms/tickets", 'eval("x");\n'],
  ];
  const pathOf = (name: string, folder: string) => `src/${folder}/${name.replace("/", "-")}.ts`;
  const clean = "src/rooms/tickets/clean.ts";
  const found = lint({
    ...Object.fromEntries(plants.map(([name, , folder, text]) => [pathOf(name, folder), text])),
    [clean]: 'import { join } from "node:path";\n\nexport const x = join("a", "b");\n',
  });

  test.each(plants)("%s: %s", (name, rule, folder) => {
    expect(found.get(pathOf(name, folder))).toContain(rule);
  });
  test("and nothing is said of what is clean", () => {
    expect(found.get(clean)).toEqual([]);
  });
});
