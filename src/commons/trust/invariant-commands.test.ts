import { join } from "node:path";
import { expect, test } from "vitest";
import { link, trustSandbox } from "../../../test/harness/commons/trust.ts";

const policy = JSON.stringify({ invariants: [{ name: "size", command: ["wc", "-l"] }] });

test("the commands of invariants are those of the project's own file, not of one that a link leads to", async () => {
  const { repository, state } = trustSandbox();
  const own = repository("own", { "Forge/invariants.json": policy });
  expect((await state(own)).items).toMatchObject([{ id: "invariant:size" }]);
  const other = repository("other", { "README.md": "" });
  link(join(own, "Forge"), join(other, "Forge"));
  expect((await state(other)).items).toEqual([]);
});
