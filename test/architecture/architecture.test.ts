import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join, sep } from "node:path";
import { describe, expect, test } from "vitest";
import { breaches, type Source } from "./plan.ts";

const sources: Source[] = readdirSync("src", { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts"))
  .map((file) => ({ path: file.split(sep).join("/"), text: readFileSync(join("src", file), "utf8") }));

test("the source keeps to the plan", () => {
  expect(sources.length).toBeGreaterThan(50);
  expect(breaches(sources)).toEqual([]);
});

test.each([
  ["a room imports another", "rooms/tickets/x.ts", 'import { y } from "../memory/y.ts";'],
  ["a type counts as well", "rooms/tickets/x.ts", 'import type { Y } from "../memory/y.ts";'],
  ["a host imports another", "hosts/cli/x.ts", 'import { y } from "../mcp/y.ts";'],
  ["the platform looks up", "platform/x.ts", 'import { y } from "../commons/ledger/y.ts";'],
  ["a lazy import", "commons/x.ts", 'const y = await import("../rooms/tickets/y.ts");'],
  ["a re-export", "commons/x.ts", 'export { y } from "../hosts/cli/y.ts";'],
  ["the kernel does I/O", "kernel/x.ts", 'import { homedir } from "node:os";'],
  ["the SDK outside its host", "rooms/tickets/x.ts", 'import { Server } from "@modelcontextprotocol/server";'],
  ["Hono outside its host", "hosts/mcp/x.ts", 'import { Hono } from "hono";'],
  ["a package nobody knows", "platform/x.ts", 'import x from "left-pad";'],
  ["files past the door", "rooms/tickets/x.ts", 'import { readFile } from "node:fs/promises";'],
  ["files under their old name", "commons/x.ts", "const fs = require('fs');"],
  ["a process past the door", "platform/git/x.ts", 'import { spawn } from "node:child_process";'],
  ["the network past the door", "rooms/tickets/x.ts", "await fetch(url);"],
  ["the environment past the door", "hosts/cli/x.ts", "const home = process.env.HOME;"],
  ["stdout past the door", "rooms/tickets/x.ts", "process.stdout.write('x');"],
  ["console", "commons/x.ts", "console.log('x');"],
  ["code made of text", "platform/x.ts", "eval(text);"],
])("a planted breach is found: %s", (_name, path, text) => {
  expect(breaches([{ path, text }])).toHaveLength(1);
});

test("a comment may speak of a door", () => {
  expect(
    breaches([
      { path: "rooms/tickets/x.ts", text: "// process.env is read elsewhere\nconst a = 1; /* console.log */" },
    ]),
  ).toEqual([]);
});

describe("the linter holds the doors too", () => {
  test.each([
    ["files", "src/rooms/tickets/x.ts", 'import { readFileSync } from "node:fs";\nreadFileSync("x");\n'],
    ["processes", "src/commons/x.ts", 'import { spawn } from "node:child_process";\nspawn("x");\n'],
    ["network", "src/rooms/tickets/x.ts", 'import { connect } from "node:net";\nconnect(1);\n'],
    ["fetch", "src/rooms/tickets/x.ts", 'await fetch("x");\n'],
    ["environment", "src/hosts/cli/x.ts", 'export const home = process.env["HOME"];\n'],
    ["console", "src/hosts/mcp/x.ts", 'console.log("x");\n'],
    ["any", "src/kernel/x.ts", "export const x = (y: any) => y;\n"],
  ])("%s", (_name, path, text) => {
    const lint = () =>
      execFileSync("node_modules/.bin/biome", ["lint", `--stdin-file-path=${path}`], { input: text, stdio: "pipe" });
    expect(lint).toThrow();
  });
});
