import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { faultFolder, testWith } from "../../../test/harness/faults/faults.ts";
import { makeStateFolder } from "../state/state-folder.ts";
import { createFileOnce, readSmallFile, replaceFile, withPlainFile } from "./small-file.ts";

test("a file is created once, with its whole content, and no draft is left", () => {
  const folder = faultFolder();
  const file = join(folder, "f");
  expect(createFileOnce(file, "first", 0o600)).toBe(true);
  expect(createFileOnce(file, "second", 0o600)).toBe(false);
  expect(readFileSync(file, "utf8")).toBe("first");
  expect(readdirSync(folder)).toEqual(["f"]);
});

test("of several processes that create it at once, one wins, and all see its whole content", async () => {
  const folder = faultFolder();
  const code = `
    const { createFileOnce } = await import(${JSON.stringify(import.meta.resolve("./small-file.ts"))});
    process.stdin.once("data", () => {
      process.stdout.write(String(createFileOnce(process.argv[1], process.argv[2].repeat(50_000), 0o600)));
      process.exit();
    });
    process.stdout.write("ready ");
  `;
  const args = ["--import", import.meta.resolve("tsx"), "--input-type=module", "--eval", code, join(folder, "f")];
  const children = ["a", "b", "c", "d"].map((letter) => spawn(process.execPath, [...args, letter]));
  const outputs = children.map(() => "");
  const ready = children.map((child, index) => {
    child.stdout.on("data", (chunk) => {
      outputs[index] += String(chunk);
    });
    return new Promise((resolve) => child.stdout.once("data", resolve));
  });
  const ended = children.map((child) => new Promise((resolve) => child.once("close", resolve)));
  await Promise.all(ready);
  for (const child of children) child.stdin.write("go");
  await Promise.all(ended);
  expect(outputs.toSorted()).toEqual(["ready false", "ready false", "ready false", "ready true"]);
  const winner = "abcd"[outputs.indexOf("ready true")] ?? "";
  expect(readFileSync(join(folder, "f"), "utf8")).toBe(winner.repeat(50_000));
  expect(readdirSync(folder)).toEqual(["f"]);
});

testWith(["posix"], "what is there is replaced as a whole; a link is replaced and not followed", () => {
  const folder = faultFolder();
  writeFileSync(join(folder, "theirs"), "theirs");
  symlinkSync("theirs", join(folder, "f"));
  expect(createFileOnce(join(folder, "f"), "ours", 0o600)).toBe(false);
  replaceFile(join(folder, "f"), "ours", 0o600);
  expect(readFileSync(join(folder, "theirs"), "utf8")).toBe("theirs");
  expect(readFileSync(join(folder, "f"), "utf8")).toBe("ours");
  expect(statSync(join(folder, "f")).mode & 0o777).toBe(0o600);
});

testWith(["posix"], "only plain files are opened", () => {
  const folder = faultFolder();
  mkdirSync(join(folder, "folder"));
  writeFileSync(join(folder, "file"), "text");
  symlinkSync("file", join(folder, "link"));
  symlinkSync("new", join(folder, "dead-link"));
  execFileSync("mkfifo", [join(folder, "pipe")]);
  for (const name of ["folder", "link", "dead-link", "pipe"]) {
    expect(readSmallFile(join(folder, name), 100), name).toBeUndefined();
    expect(
      withPlainFile(join(folder, name), "create", () => "opened"),
      name,
    ).toBeUndefined();
  }
  expect(readSmallFile(join(folder, "not-there"), 100)).toBeUndefined();
  expect(readSmallFile(join(folder, "file"), 3)).toBeUndefined();
  expect(readSmallFile(join(folder, "file"), 4)).toBe("text");
  expect(withPlainFile(join(folder, "created"), "create", () => "opened")).toBe("opened");
  expect(readdirSync(folder)).not.toContain("new");
});

test("what a dead writer left in the state folder is removed in time", () => {
  const folder = join(faultFolder(), ".forge");
  mkdirSync(folder);
  const [old, fresh] = [`.forge-draft-${"0".repeat(24)}.tmp`, `.forge-draft-${"1".repeat(24)}.tmp`];
  for (const name of [old, fresh]) writeFileSync(join(folder, name), "half");
  utimesSync(join(folder, old), new Date(0), new Date(0));
  makeStateFolder(folder);
  expect(readdirSync(folder).toSorted()).toEqual([fresh, ".gitignore"].toSorted());
});
