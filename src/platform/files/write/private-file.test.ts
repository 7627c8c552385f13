import { execFileSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { faultFolder, testWith } from "../../../../test/harness/faults/faults.ts";
import { readPrivateFile, removePrivateFile, writePrivateFile } from "./private-file.ts";

const mode = (path: string) => lstatSync(path).mode & 0o777;

testWith(["posix"], "G01 a private file is its owner's alone, whatever the umask", async () => {
  const home = faultFolder();
  const umask = process.umask(0);
  try {
    await writePrivateFile(join(home, ".forge", "tokens.json"), "secret");
  } finally {
    process.umask(umask);
  }
  expect(mode(join(home, ".forge"))).toBe(0o700);
  expect(mode(join(home, ".forge", "tokens.json"))).toBe(0o600);
  expect(readdirSync(join(home, ".forge"))).toEqual(["tokens.json"]);
  expect((await readPrivateFile(join(home, ".forge", "tokens.json")))?.toString()).toBe("secret");
});

testWith(["strace"], "G01 a private file and its folder are never open to others, not for a moment", () => {
  const home = faultFolder();
  const program = join(home, "program.mts");
  const file = join(home, ".forge", "tokens.json");
  writeFileSync(
    program,
    `import { writePrivateFile } from ${JSON.stringify(join(import.meta.dirname, "private-file.ts"))};
     process.umask(0);
     await writePrivateFile(${JSON.stringify(file)}, "secret");`,
  );
  const log = join(home, "calls");
  const calls = "trace=open,openat,mkdir,mkdirat,chmod,fchmod,fchmodat,rename,renameat,renameat2";
  const tsx = import.meta.resolve("tsx");
  execFileSync("strace", ["-f", "-s", "512", "-e", calls, "-o", log, process.execPath, "--import", tsx, program]);
  const lines = readFileSync(log, "utf8").split("\n").slice(0, -1);
  const making = lines.filter(
    (line) => /O_CREAT|mkdir|chmod/.test(line) && /\.forge|\/proc\/self\/fd|fchmod\(/.test(line),
  );
  expect(making.length).toBeGreaterThanOrEqual(2);
  // The last number of each is the mode; group and others have no digit in any.
  const modes = making.map((line) => /(0[0-7]{3})\)?\s*(?:=|<unfinished)/.exec(line)?.[1]);
  expect(modes.filter((mode) => !mode?.endsWith("00"))).toEqual([]);
});

testWith(["posix"], "G01 permissions that are too wide are corrected by reading and by writing", async () => {
  const home = faultFolder();
  const file = join(home, ".forge", "tokens.json");
  mkdirSync(join(home, ".forge"));
  for (const use of [() => readPrivateFile(file), () => writePrivateFile(file, "new")]) {
    chmodSync(join(home, ".forge"), 0o777);
    writeFileSync(file, "old");
    chmodSync(file, 0o666);
    await use();
    expect([mode(join(home, ".forge")), mode(file)]).toEqual([0o700, 0o600]);
  }
});

testWith(["posix"], "G01 a link in the place of the file or its folder is refused", async () => {
  const home = faultFolder();
  mkdirSync(join(home, "elsewhere"), { mode: 0o700 });
  writeFileSync(join(home, "elsewhere", "f"), "theirs");
  mkdirSync(join(home, ".forge"), { mode: 0o700 });
  symlinkSync("../elsewhere/f", join(home, ".forge", "f"));
  symlinkSync("elsewhere", join(home, ".linked"));
  for (const path of [join(home, ".forge", "f"), join(home, ".linked", "f")]) {
    await expect(writePrivateFile(path, "x"), path).rejects.toMatchObject({ code: "PERMISSION_DENIED" });
    await expect(readPrivateFile(path), path).rejects.toMatchObject({ code: "PERMISSION_DENIED" });
  }
  expect(readFileSync(join(home, "elsewhere", "f"), "utf8")).toBe("theirs");
});

test("a private file that is not there is undefined", async () => {
  const home = faultFolder();
  expect(await readPrivateFile(join(home, ".forge", "f"))).toBeUndefined();
  await writePrivateFile(join(home, ".forge", "g"), "x");
  expect(await readPrivateFile(join(home, ".forge", "f"))).toBeUndefined();
});

testWith(["root"], "G01 a folder of another user is refused", async () => {
  const home = faultFolder();
  mkdirSync(join(home, ".forge"));
  chownSync(join(home, ".forge"), 65534, 65534);
  await expect(writePrivateFile(join(home, ".forge", "f"), "x")).rejects.toMatchObject({ code: "PERMISSION_DENIED" });
  expect(readdirSync(join(home, ".forge"))).toEqual([]);
});

testWith(["posix"], "G01 the folder above is made too where it is missing, and is its owner's alone", async () => {
  const home = faultFolder();
  const file = join(home, ".forge", "trust", "f");
  expect(await readPrivateFile(file)).toBeUndefined();
  expect(await removePrivateFile(file)).toBe(false);
  expect(readdirSync(home)).toEqual([]);
  await writePrivateFile(file, "x");
  expect([mode(join(home, ".forge")), mode(join(home, ".forge", "trust"))]).toEqual([0o700, 0o700]);
  expect((await readPrivateFile(file))?.toString()).toBe("x");
});

test("a private file that must be new does not replace another", async () => {
  const file = join(faultFolder(), ".forge", "key");
  const writes = Array.from({ length: 8 }, (_, n) => writePrivateFile(file, `${n}`, { mustBeNew: true }));
  const outcomes = await Promise.allSettled(writes);
  const winners = outcomes.flatMap(({ status }, n) => (status === "fulfilled" ? [`${n}`] : []));
  expect(winners).toEqual([readFileSync(file, "utf8")]);
  for (const outcome of outcomes) {
    if (outcome.status === "rejected") expect(outcome.reason).toMatchObject({ code: "CONFLICT_ERROR" });
  }
  expect(readdirSync(join(file, ".."))).toEqual(["key"]);
});

test("a private file is removed once", async () => {
  const file = join(faultFolder(), ".forge", "f");
  await writePrivateFile(file, "x");
  expect(await removePrivateFile(file)).toBe(true);
  expect(await removePrivateFile(file)).toBe(false);
});

testWith(
  ["posix"],
  "G01 removing takes a link away and not what it leads to, and goes through no linked folder",
  async () => {
    const home = faultFolder();
    mkdirSync(join(home, "elsewhere"), { mode: 0o700 });
    writeFileSync(join(home, "elsewhere", "f"), "theirs");
    mkdirSync(join(home, ".forge"), { mode: 0o700 });
    symlinkSync("../elsewhere/f", join(home, ".forge", "f"));
    symlinkSync("elsewhere", join(home, ".linked"));
    expect(await removePrivateFile(join(home, ".forge", "f"))).toBe(true);
    await expect(removePrivateFile(join(home, ".linked", "f"))).rejects.toMatchObject({ code: "PERMISSION_DENIED" });
    expect(readFileSync(join(home, "elsewhere", "f"), "utf8")).toBe("theirs");
  },
);
