import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { expect, test } from "vitest";
import { commandSource } from "../../src/app/commands/command-source.ts";
import { toolsetNames } from "../../src/app/settings/profiles.ts";
import { commandNames, documentedPages, shellLines } from "./blocks.ts";

const root = resolve(import.meta.dirname, "..", "..");
const pages = documentedPages(root);

test("the pages speak only of commands that exist", () => {
  const words = commandSource.names.flatMap(({ name, aliases }) => [name, ...aliases]);
  const known = new Set([...words.map((word) => word.split(" ", 1)[0]), ...toolsetNames]);
  // A decision may speak of what was not done, or not yet.
  const guides = pages.filter(({ file }) => !file.startsWith(join("docs", "adr")));
  const unknown = guides.flatMap(({ file, text }) =>
    commandNames(text)
      .filter((name) => !known.has(name))
      .map((name) => `${file}: forge ${name}`),
  );
  expect(unknown).toEqual([]);
});

test("links between pages lead somewhere", () => {
  const broken = pages.flatMap(({ file, text }) =>
    [...text.matchAll(/\]\((?!https?:|#|mailto:)([^)#\s]+)/g)]
      .map(([, target = ""]) => target)
      .filter((target) => !existsSync(join(root, dirname(file), target)))
      .map((target) => `${file}: ${target}`),
  );
  expect(broken).toEqual([]);
});

test("links to a part of a page lead to a heading", () => {
  const broken = pages.flatMap(({ file, text }) =>
    [...text.matchAll(/\]\((?!https?:|mailto:)([^)#\s]*)#([^)\s]+)\)/g)]
      .filter(([, target = "", anchor = ""]) => {
        const page = target === "" ? file : join(dirname(file), target);
        return !anchorsOf(pages.find((one) => one.file === page)?.text ?? "").includes(anchor);
      })
      .map(([link]) => `${file}: ${link}`),
  );
  expect(broken).toEqual([]);
});

/** As GitHub names them: lower case, without punctuation, with dashes for spaces. */
function anchorsOf(markdown: string): string[] {
  const headings = [...markdown.matchAll(/^#+ (.+)$/gm)].map(([, title = ""]) =>
    title
      .toLowerCase()
      .replaceAll(/[^\w\s-]/g, "")
      .replaceAll(" ", "-"),
  );
  return [...headings, ...[...markdown.matchAll(/<a id="([^"]+)">/g)].map(([, id = ""]) => id)];
}

test("the messages that troubleshooting explains are those of the program", () => {
  const page = pages.find(({ file }) => file === join("docs", "troubleshooting.md"));
  const tables = [...(page?.text ?? "").matchAll(/^\| Message \| Meaning \|\n\|---\|---\|\n((?:\|.*\n)+)/gm)];
  const messages = tables.flatMap(([, rows = ""]) => rows.trim().split("\n")).map((row) => row.split(" | ")[0] ?? "");
  expect(messages.length).toBeGreaterThan(10);
  const sources = readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" })
    .filter((file) => /(?<!\.test)\.tsx?$/.test(file))
    .map((file) => readFileSync(join(root, "src", file), "utf8"));
  const unknown = messages.filter((message) => {
    const parts = message
      .replace(/^\| /, "")
      .split("…")
      .map((part) => part.trim());
    return !sources.some((text) => parts.every((part) => text.includes(part)));
  });
  expect(unknown).toEqual([]);
});

test("the generated pages name every type, and have no empty section", () => {
  for (const { file, text } of pages.filter((page) => page.text.includes("Generated from the"))) {
    expect(text, file).not.toMatch(/\bundefined\b/);
    expect(text, file).not.toMatch(/^(#+) .*\n+(?:\1 |$(?![\s\S]))/m);
  }
});

test("the convention itself", () => {
  const page = [
    "x",
    "```sh",
    "forge up # Ctrl+C",
    "# a remark",
    "forge a \\",
    "  b # exits 1",
    "```",
    "```json",
    "no",
    "```",
  ];
  expect(shellLines(page.join("\n"))).toEqual(["forge up # Ctrl+C", "forge a    b # exits 1"]);
  expect(commandNames("Run `forge frobnicate` or `cd x && forge log`.")).toEqual(["frobnicate", "log"]);
});
