import { existsSync } from "node:fs";
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
