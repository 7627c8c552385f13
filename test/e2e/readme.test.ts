import { execFileSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { PersonTerminal } from "../harness/cli/person-terminal.ts";
import { testWith } from "../harness/faults/faults.ts";

const root = resolve(import.meta.dirname, "..", "..");

test("the README's first screen has the two lines that begin everything", () => {
  const firstScreen = readFileSync(join(root, "README.md"), "utf8").split("\n").slice(0, 24);
  expect(firstScreen).toContainEqual(expect.stringMatching(/^npm ci && npm start( |$)/));
  expect(firstScreen).toContainEqual(expect.stringMatching(/^npm ci && npm test( |$)/));
});

/** What a clone would have, and the packages that `npm ci` would fetch. */
function cleanClone(): string {
  const clone = mkdtempSync(join(tmpdir(), "forge-clone-"));
  onTestFinished(() => rmSync(clone, { recursive: true, force: true }));
  const args = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];
  const files = execFileSync("git", args, { cwd: root, encoding: "utf8" }).split("\0");
  for (const file of files.filter((name) => name !== "" && existsSync(join(root, name)))) {
    mkdirSync(dirname(join(clone, file)), { recursive: true });
    copyFileSync(join(root, file), join(clone, file));
  }
  symlinkSync(join(root, "node_modules"), join(clone, "node_modules"), "junction");
  return clone;
}

testWith(["script"], "`npm start` in a clean clone serves at the address it prints, until Ctrl+C", async () => {
  const clone = cleanClone();
  const home = join(clone, "home");
  mkdirSync(home);
  const terminal = new PersonTerminal(["npm", "start"], {
    cwd: clone,
    env: { HOME: home, NO_COLOR: "1", npm_config_update_notifier: "false" },
    columns: 200,
  });
  await terminal.until("[y/N]");
  terminal.type("n\n");
  await terminal.until("Ctrl+C");
  const [url = ""] = /http:\/\/127\.0\.0\.1:\d+\/#\S+(?=\s)/.exec(terminal.output) ?? [];
  const [place = "", token = ""] = url.split("#");
  expect((await fetch(place)).status).toBe(401);
  const linked = await fetch(new URL("/link", place), { method: "POST", body: token });
  const [cookie = ""] = linked.headers.get("set-cookie")?.split(";") ?? [];
  const page = await fetch(place, { headers: { cookie } });
  expect(page.status).toBe(200);
  expect(await page.text()).toContain("Forge");
  terminal.type("\x03");
  await terminal.exitCode;
  await expect(fetch(url)).rejects.toThrow();
  expect(terminal.output).not.toMatch(/Something went wrong|\n\s+at /);
});
