import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { testWith } from "../../../test/harness/faults/faults.ts";
import { openBrowser } from "./open-browser.ts";

/** A folder for PATH in which the opener writes down what it was given. */
function makeOpener(name: string) {
  const folder = mkdtempSync(join(tmpdir(), "forge-browser-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const [program, seen] = [join(folder, name), join(folder, "seen")];
  writeFileSync(program, `#!/bin/sh\nprintf '%s\\n' "$@" > ${seen}.part && mv ${seen}.part ${seen}\n`);
  chmodSync(program, 0o755);
  const read = () => vi.waitUntil(() => existsSync(seen) && readFileSync(seen, "utf8"), { timeout: 20_000 });
  return { path: `${folder}:/usr/bin:/bin`, folder, read };
}

testWith(["posix"], "gives the address to the system's own opener, as one word", async () => {
  const { path, read } = makeOpener("xdg-open");
  const address = "https://forge.example/device?code=ABCD-2345&x=$(touch%20/tmp/x);`id`";
  expect(openBrowser(address, { PATH: path, DISPLAY: ":0" }, "linux")).toBe(true);
  expect(await read()).toBe(`${new URL(address).href}\n`);
});

testWith(["posix"], "the opener finds no programs of the project", async () => {
  const { path, folder, read } = makeOpener("xdg-open");
  writeFileSync(
    join(folder, "xdg-open"),
    `#!/bin/sh\necho "$PATH" > ${folder}/seen.part && mv ${folder}/seen.part ${folder}/seen\n`,
  );
  const env = { PATH: `bin:${join(process.cwd(), "src")}:${path}`, DISPLAY: ":0" };
  expect(openBrowser("https://forge.example/", env, "linux")).toBe(true);
  expect(await read()).toBe(`${path}\n`);
});

testWith(["posix"], "asks macOS in its own way", async () => {
  const { path, read } = makeOpener("open");
  expect(openBrowser("https://forge.example/", { PATH: path }, "darwin")).toBe(true);
  expect(await read()).toBe("https://forge.example/\n");
});

test.each([
  ["over SSH", "https://forge.example/", { DISPLAY: ":0", SSH_CONNECTION: "192.0.2.1 1 192.0.2.2 22" }],
  ["without a screen", "https://forge.example/", {}],
  ["for what is no web page", "file:///etc/passwd", { DISPLAY: ":0" }],
])("opens none %s", (_when, address, env) => {
  const { path } = makeOpener("xdg-open");
  expect(openBrowser(address, { PATH: path, ...env }, "linux")).toBe(false);
});

test("opens none where the system has no opener", () => {
  expect(openBrowser("https://forge.example/", { PATH: "/nowhere", DISPLAY: ":0" }, "linux")).toBe(false);
});
