import { mkdirSync, mkdtempSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { writeOutputFile } from "./write-output-file.ts";

const keep = { force: false };

function folder(): string {
  return mkdtempSync(join(tmpdir(), "forge-output-"));
}

test("a new file, with the folders it needs", async () => {
  const path = join(folder(), "a", "b", "out.json");
  await writeOutputFile(path, "text\n", keep);
  expect(readFileSync(path, "utf8")).toBe("text\n");
});

test("what is there stays as it is, unless it may be replaced", async () => {
  const path = join(folder(), "out.json");
  writeFileSync(path, "precious");
  await expect(writeOutputFile(path, "text", keep)).rejects.toMatchObject({ code: "CONFLICT_ERROR" });
  expect(readFileSync(path, "utf8")).toBe("precious");
  await writeOutputFile(path, "text", { force: true });
  expect(readFileSync(path, "utf8")).toBe("text");
});

test("a link is not followed, and what it leads to is left alone", async () => {
  const place = folder();
  writeFileSync(join(place, "precious"), "precious");
  symlinkSync("precious", join(place, "out.json"));
  await expect(writeOutputFile(join(place, "out.json"), "text", { force: true })).rejects.toMatchObject({
    code: "PERMISSION_DENIED",
  });
  expect(readFileSync(join(place, "precious"), "utf8")).toBe("precious");
});

test("a folder's name is no file's, and a file is no folder", async () => {
  const place = folder();
  mkdirSync(join(place, "sub"));
  writeFileSync(join(place, "file"), "");
  for (const path of ["sub", "file/out.json"]) {
    await expect(writeOutputFile(join(place, path), "text", { force: true })).rejects.toMatchObject({
      code: "VALIDATION_ERROR",
    });
  }
  expect(readdirSync(place).sort()).toEqual(["file", "sub"]);
});
