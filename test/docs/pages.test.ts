import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { expectCommandLine } from "../harness/cli/command-line.ts";
import { documentedPages } from "./blocks.ts";

const root = resolve(import.meta.dirname, "..", "..");
const folders = [join("src", "web"), join("src", "hosts", "http", "pages")];

/** Every `<code>forge …</code>` of a web page; what the page fills in is the reader's own word. */
const shown = folders.flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((file) => /(?<!\.test)\.tsx?$/.test(file))
    .flatMap((file) => commandsIn(readFileSync(join(root, folder, file), "utf8")).map((line) => ({ file, line }))),
);

function commandsIn(page: string): string[] {
  return [...page.matchAll(/<(code|pre)>forge ([^<]+)<\/\1>/g)].map(([, , line = ""]) =>
    line.replaceAll(/\$?\{[^}]*\}/g, "NAME"),
  );
}

test("the pages name commands", () => {
  expect(shown.length).toBeGreaterThan(8);
});

test("a word too many is not accepted, a reader's own word is", async () => {
  await expect(expectCommandLine("invite EMAIL")).rejects.toThrow("takes no arguments");
  await expectCommandLine("list --status STATUS");
});

test.each(shown)("the command line accepts what $file shows: forge $line", async ({ line }) => {
  await expectCommandLine(line);
});

const documented = documentedPages(root).flatMap(({ file, commands }) =>
  commands.flatMap(({ line }) => {
    const [, command] = /^forge ([^|&<>$;]+?)(?:\s+#.*)?$/.exec(line) ?? [];
    return command === undefined ? [] : [{ file, command }];
  }),
);

test.each(documented)("and what $file says to run: forge $command", async ({ command }) => {
  await expectCommandLine(command);
});
