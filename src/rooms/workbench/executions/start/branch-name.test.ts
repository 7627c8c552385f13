import * as fc from "fast-check";
import { expect, test } from "vitest";
import { anyCharacter } from "../../../../../test/harness/commons/any-character.ts";
import { createBranchName, findFreeBranchName } from "./branch-name.ts";

test.each([
  ["Add user authentication", "task-id0001-add-user-authentication"],
  ["feature/x: ../../etc; rm -rf ~ && `id`", "task-id0001-feature-x-etc-rm-rf-id"],
  ["--force", "task-id0001-force"],
  ["Überprüfung der Größe 日本語", "task-id0001-uberprufung-der-grosse"],
  ["HEAD.lock", "task-id0001-head-lock"],
  ["\u0000\n@{upstream}", "task-id0001-upstream"],
  ["…", "task-id0001"],
  ["A name that goes on for so long that it has to be cut", "task-id0001-a-name-that-goes-on-for-so-long-that-it"],
])("%j", (name, branch) => {
  expect(createBranchName({ id: "id0001", name }, "exec_1")).toBe(branch);
});

test("whatever a task is called, its branch is plain, short and never an option", () => {
  const any = fc.string({ unit: anyCharacter, maxLength: 300 });
  fc.assert(
    fc.property(any, any, (id, name) => {
      const branch = createBranchName({ id, name }, "exec_1");
      expect(branch).toMatch(/^task-\w+(?:-\w+)*$/);
      expect(branch.length).toBeLessThanOrEqual(90);
    }),
  );
});

test("a name that is taken gets a number, and nobody tries for ever", async () => {
  const taken = new Set(["a", "a-2"]);
  expect(await findFreeBranchName("a", async (name) => taken.has(name))).toBe("a-3");
  expect(await findFreeBranchName("a", async () => true)).toBeUndefined();
});
