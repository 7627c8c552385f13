import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { faultFolder } from "../../../test/harness/faults/faults.ts";
import { isFreePlace } from "./free-place.ts";

test("a place is free where there is nothing, or an empty folder, and no link that leads to one", () => {
  const folder = faultFolder();
  for (const name of ["empty", "full"]) mkdirSync(join(folder, name));
  writeFileSync(join(folder, "full", "a"), "");
  symlinkSync("empty", join(folder, "link"));
  symlinkSync("absent", join(folder, "broken"));
  const names = ["absent", "empty", "full", "full/a", "link", "broken"];
  expect(names.filter((name) => isFreePlace(join(folder, name)))).toEqual(["absent", "empty"]);
});
