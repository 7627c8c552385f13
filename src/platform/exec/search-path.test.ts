import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { expect, test } from "vitest";
import { faultFolder, testWith } from "../../../test/harness/faults/faults.ts";
import { findProgram, findPrograms, searchFolders } from "./search-path.ts";

function program(folder: string, mode = 0o755): string {
  mkdirSync(folder, { recursive: true });
  const path = join(folder, "tool");
  writeFileSync(path, "#!/bin/sh\n");
  chmodSync(path, mode);
  return path;
}

test("folders are read as a shell would, without relative ones", () => {
  const folder = faultFolder();
  const path = ["", ".", "bin", `"${folder}"`, join(folder, "b")].join(delimiter);
  expect(searchFolders({ PATH: path })).toEqual([folder, join(folder, "b")]);
  expect(searchFolders({ Path: folder })).toEqual([folder]);
  expect(searchFolders({})).toEqual([]);
});

testWith(["posix"], "every executable file of that name, the first on the path first", () => {
  const folder = faultFolder();
  const [a, b, c, d] = ["a", "b", "c", "d"].map((name) => join(folder, name));
  if (!a || !b || !c || !d) throw new Error("four folders");
  const real = program(b);
  program(a, 0o644);
  mkdirSync(join(c, "tool"), { recursive: true });
  mkdirSync(d);
  symlinkSync(real, join(d, "tool"));
  const environment = { PATH: [a, d, c, b, join(folder, "not-there")].join(delimiter) };
  expect(findPrograms("tool", environment)).toEqual([join(d, "tool"), real]);
  expect(findProgram("tool", environment)).toBe(join(d, "tool"));
  expect(findProgram("no-such-tool", environment)).toBeUndefined();
});
