import { spawn } from "node:child_process";
import { once } from "node:events";
import { lstatSync, mkdirSync, readdirSync, readFileSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { faultFolder } from "../../../../test/harness/faults/faults.ts";
import { SafeRoot } from "../root/safe-root.ts";
import { Tree } from "../root/tree.ts";
import { type DurableWrite, writeDurably } from "./durable-write.ts";

async function write(folder: string, name: string, content: string, how?: DurableWrite): Promise<void> {
  const tree = Tree.at(folder);
  const opened = await tree.folder([]);
  try {
    await writeDurably({ opening: tree.opening, folder: opened, name }, Buffer.from(content), how);
  } finally {
    tree.close(opened);
  }
}

test("a link at the name is replaced and never followed", async () => {
  const folder = faultFolder();
  writeFileSync(join(folder, "target"), "theirs");
  symlinkSync("target", join(folder, "f"));
  await write(folder, "f", "ours");
  expect(lstatSync(join(folder, "f")).isSymbolicLink()).toBe(false);
  expect(readFileSync(join(folder, "target"), "utf8")).toBe("theirs");
});

test("what must be new does not replace, whatever is there", async () => {
  const folder = faultFolder();
  symlinkSync("nowhere", join(folder, "link"));
  writeFileSync(join(folder, "file"), "theirs");
  for (const name of ["link", "file"]) {
    await expect(write(folder, name, "ours", { mustBeNew: true })).rejects.toMatchObject({ code: "EEXIST" });
  }
  expect(readdirSync(folder).sort()).toEqual(["file", "link"]);
});

test("a refusal at the last moment keeps the old and leaves nothing", async () => {
  const folder = faultFolder();
  writeFileSync(join(folder, "f"), "old");
  const beforePlacing = () => {
    throw new Error("no");
  };
  await expect(write(folder, "f", "new", { beforePlacing })).rejects.toThrow("no");
  expect(readdirSync(folder)).toEqual(["f"]);
  expect(readFileSync(join(folder, "f"), "utf8")).toBe("old");
});

test("permissions are exact, whatever the umask, and set before anybody can look", async () => {
  const folder = faultFolder();
  const umask = process.umask(0o777);
  try {
    await write(folder, "f", "x", { mode: 0o640 });
  } finally {
    process.umask(umask);
  }
  expect(lstatSync(join(folder, "f")).mode & 0o777).toBe(0o640);
});

test("an old draft of a crashed writer is removed by the next, a young one and other files stay", async () => {
  const folder = faultFolder();
  const [old, young] = ["a", "b"].map((letter) => `.forge-draft-${letter.repeat(24)}.tmp`);
  for (const name of [old, young, "mine.tmp"]) writeFileSync(join(folder, name ?? ""), "half");
  for (const name of [old, "mine.tmp"]) utimesSync(join(folder, name ?? ""), 1000, 1000);
  await write(folder, "f", "new");
  expect(readdirSync(folder).sort()).toEqual([young, "f", "mine.tmp"].sort());
});

test("readers in another process see whole contents only, while the file is replaced", async () => {
  const folder = faultFolder();
  mkdirSync(join(folder, "root"));
  const root = SafeRoot.at(join(folder, "root"));
  const contents = ["a", "b"].map((letter) => letter.repeat(50_000));
  await root.write("f", contents[0] ?? "");
  const reader = spawn(process.execPath, ["-e", readerProgram, join(folder, "root/f")], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  await once(reader.stdout, "data");
  for (let round = 0; round < 100; round++) {
    await root.write("f", contents[round % 2] ?? "");
    expect(contents).toContain((await root.readText("f")).text);
  }
  reader.stdin.end();
  const [code] = await once(reader, "exit");
  expect(code).toBe(0);
});

/** Ends with 1 as soon as it sees anything but one letter over and over, in full length. */
const readerProgram = `
const { readFileSync } = require("node:fs");
const look = () => {
  const text = readFileSync(process.argv[1], "utf8");
  if (text.length !== 50000 || text !== text[0].repeat(50000)) process.exit(1);
};
look();
console.log("reading");
const again = setInterval(() => { for (let i = 0; i < 20; i++) look(); });
process.stdin.on("end", () => clearInterval(again)).resume();
`;
