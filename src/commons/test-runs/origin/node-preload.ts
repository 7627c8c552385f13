import { join } from "node:path";
import { writePrivateFile } from "../../../platform/files/write/private-file.ts";
import { listReports, readReport } from "../reports/report-files.ts";
import type { RunOrder } from "../runner.ts";
import type { OriginEvidence } from "./judge-origin.ts";

/**
 * `modules`: what Node itself loads. `sources`: what a runner with a module system of its own (Jest) reads; `packages`: also
 * the package.json files by which it resolves (Vite). `runner`: of these, what fits the runner that a process belongs to; other
 * programs are not looked at, as a linter that reads the sources tests nothing.
 */
type Seen = "modules" | "sources" | "packages" | "runner";

/**
 * Runs before the tests in each of their processes, and writes down which files of the repository's work trees were loaded, each
 * once and at once: a process may be killed. It changes nothing about what is loaded.
 *
 * Before Node 22.15 hooks live in a thread of their own, which takes time to start in every process. Without a loader that
 * needs it anyway, what Node reads by URL is what it imports.
 */
const preload = `"use strict";
const fs = require("node:fs");
const path = require("node:path");
const nodeModule = require("node:module");
const { fileURLToPath, pathToFileURL } = require("node:url");
const { roots, out, ...given } = JSON.parse(fs.readFileSync(path.join(__dirname, "origin.json"), "utf8"));
function seenByRunner() {
  if (process.env.NODE_TEST_CONTEXT !== undefined || process.execArgv.includes("--test")) return "modules";
  try {
    const main = fs.realpathSync(process.argv[1]).split(path.sep);
    const name = main.slice(main.lastIndexOf("node_modules") + 1).join("/");
    if (/^(?:vitest|@vitest\\/[^/]+|tinypool)\\//.test(name)) return "packages";
    if (/^jest(?:-[a-z]+)?\\//.test(name)) return "sources";
    if (/^mocha\\//.test(name)) return "modules";
  } catch {}
}
const seen = given.seen === "runner" ? seenByRunner() : given.seen;
if (seen === undefined) return;
const { appendFileSync } = fs;
const known = new Set();
const isSource = /\\.(?:[cm]?[jt]sx?|vue|svelte|astro|mdx)$/;
function note(place) {
  try {
    let file = typeof place === "string" ? place : place instanceof URL ? fileURLToPath(place) : undefined;
    if (file === undefined || known.size > 20000) return;
    if (file.startsWith("file:")) file = fileURLToPath(file);
    file = file.split("?")[0];
    if (known.has(file) || !roots.some((root) => file.startsWith(root))) return;
    if (!isSource.test(file) && !(seen === "packages" && path.basename(file) === "package.json")) return;
    known.add(file);
    appendFileSync(out + "-" + process.pid, JSON.stringify(file) + "\\n");
  } catch {}
}
const { load } = nodeModule.prototype;
nodeModule.prototype.load = function (filename, ...rest) {
  note(filename);
  return load.call(this, filename, ...rest);
};
if (seen === "modules") {
  if (typeof nodeModule.registerHooks === "function")
    nodeModule.registerHooks({
      resolve(specifier, context, next) {
        const resolved = next(specifier, context);
        note(resolved.url);
        return resolved;
      },
    });
  else {
    noteReads((file) => file instanceof URL);
    if (typeof nodeModule.register === "function") followLoaders();
  }
} else noteReads(() => true);
nodeModule.syncBuiltinESMExports();
function noteReads(fits) {
  for (const [owner, name] of [[fs, "readFileSync"], [fs, "readFile"], [fs.promises, "readFile"]]) {
    const read = owner[name];
    owner[name] = Object.assign(function (file, ...rest) {
      if (fits(file)) note(file);
      return read.call(this, file, ...rest);
    }, read);
  }
}
function followLoaders() {
  const { register } = nodeModule;
  let isFollowing = false;
  const follow = () => {
    if (isFollowing) return;
    isFollowing = true;
    register(pathToFileURL(path.join(__dirname, "origin-hooks.mjs")));
  };
  nodeModule.register = function (...args) {
    follow();
    return register.apply(this, args);
  };
  if (/--(?:experimental-)?loader\\b/.test([...process.execArgv, process.env.NODE_OPTIONS].join(" "))) follow();
}
`;

/** The same beside a loader that a project has registered in that thread. */
const hooks = `import { appendFileSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
const { roots, out } = JSON.parse(readFileSync(new URL("origin.json", import.meta.url), "utf8"));
const known = new Set();
export async function resolve(specifier, context, next) {
  const resolved = await next(specifier, context);
  try {
    const file = resolved.url.startsWith("file:") ? fileURLToPath(resolved.url.split("?")[0]) : "";
    if (file !== "" && !known.has(file) && roots.some((root) => file.startsWith(root))) {
      known.add(file);
      appendFileSync(out + "-hooks-" + process.pid, JSON.stringify(file) + "\\n");
    }
  } catch {}
  return resolved;
}
`;

/** Writes the script, and returns the option that has Node run it first. */
export async function writeNodePreload({ trees, reports }: RunOrder, seen: Seen): Promise<string[]> {
  const roots = [trees.root, ...trees.others].map((root) => `${root}/`);
  await writePrivateFile(join(reports, "origin.json"), JSON.stringify({ roots, out: join(reports, "origin"), seen }));
  await writePrivateFile(join(reports, "origin-hooks.mjs"), hooks);
  await writePrivateFile(join(reports, "origin.cjs"), preload);
  return ["--require", join(reports, "origin.cjs")];
}

/** The same for a command that starts Node by itself, as a variable. */
export async function makeNodeVariables(order: RunOrder): Promise<Record<string, string>> {
  const { NODE_OPTIONS: given } = order.base;
  const [option = "", script = ""] = await writeNodePreload(order, "runner");
  const quoted = `"${script.replace(/[\\"]/g, "\\$&")}"`;
  return { NODE_OPTIONS: [...(given ? [given] : []), option, quoted].join(" ") };
}

/** What the processes of the run wrote down. */
export function readNodeOrigin({ reports }: RunOrder): OriginEvidence {
  const files = listReports(reports, /^origin-(?:hooks-)?\d+$/);
  const loaded = files.flatMap((path) => (readReport(path) ?? "").split("\n").flatMap(parseLine));
  return loaded.length === 0 ? { unknown: "no Node.js test runner recorded what it loaded" } : { loaded };
}

function parseLine(line: string): string[] {
  try {
    const parsed: unknown = JSON.parse(line);
    return typeof parsed === "string" ? [parsed] : [];
  } catch {
    return [];
  }
}
