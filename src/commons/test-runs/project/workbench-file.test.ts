import { join } from "node:path";
import { expect, test } from "vitest";
import { link, put, trustSandbox } from "../../../../test/harness/commons/trust.ts";
import type { Runnable } from "../../trust/runnable.ts";
import { testCommands } from "../../trust/test-commands.ts";
import { runTrustedCommand } from "../run-command.ts";
import { readWorkbenchFile } from "./workbench-file.ts";

const file = ".forge/workbench.json";

test("what it says; nothing where there is none", () => {
  const { repository } = trustSandbox();
  const root = repository("shop");
  expect(readWorkbenchFile(root)).toEqual({});
  const said = { testCommand: ["make", "test"], setupCommand: ["npm", "ci"], finish: "branch", isolation: "worktree" };
  put(root, file, JSON.stringify(said));
  expect(readWorkbenchFile(root)).toEqual(said);
  expect(readWorkbenchFile(join(root, ".forge"))).toEqual(said);
});

test("a work tree has its repository's, whatever a branch brings", () => {
  const { repository, git, root: folder } = trustSandbox();
  const root = repository("shop", { [file]: '{"testCommand":["committed"]}' });
  const tree = join(folder, "tree");
  git(root, "worktree", "add", "--quiet", tree);
  put(root, file, '{"testCommand":["a-person-s"]}');
  expect(readWorkbenchFile(tree)).toEqual({ testCommand: ["a-person-s"] });
});

test.each([
  ["no JSON", "{", "is not valid JSON"],
  ["a line for a shell", '{"testCommand":"npm test"}', "testCommand: "],
  ["no words", '{"testCommand":[]}', "testCommand: "],
  ["a NUL", '{"testCommand":["a\\u0000b"]}', "NUL"],
  ["an unknown key", '{"testCommnd":["x"]}', "testCommnd"],
  ["an unknown value", '{"finish":"rebase"}', "finish: "],
  ["a list", "[]", "expected object"],
])("%s is refused with what was expected", (_name, text, part) => {
  const { repository } = trustSandbox();
  const root = repository("shop");
  put(root, file, text);
  expect(() => readWorkbenchFile(root)).toThrow(
    expect.objectContaining({
      code: "CONFIG_ERROR",
      message: expect.stringContaining(part),
      next: [expect.stringContaining("testCommand")],
    }),
  );
});

test("a link that leads out of the project is refused", () => {
  const { repository, root: folder } = trustSandbox();
  const root = repository("shop", { ".forge/x": "" });
  put(folder, "elsewhere.json", "{}");
  link(join(folder, "elsewhere.json"), join(root, file));
  expect(() => readWorkbenchFile(root)).toThrow(expect.objectContaining({ code: "CONFIG_ERROR" }));
});

test("a secret that the project asks for is allowed by a person before any command of it gets the secret", async () => {
  const { repository } = trustSandbox();
  const root = repository("shop", { "package.json": '{"scripts":{"lint":"env"}}' });
  put(root, file, '{"passEnvironment":["DEPLOY_TOKEN"]}');
  const asked: string[] = [];
  const require = async (_: string, runnables: readonly Runnable[]) => {
    asked.push(...runnables.map(({ id }) => id));
    throw new Error("not trusted");
  };
  const options = { signal: new AbortController().signal, deadlineMs: 1_000 };
  await expect(runTrustedCommand({ require }, root, ["npm", "run", "lint"], options)).rejects.toThrow("not trusted");
  expect(asked).toContain("workbench:passEnvironment");
  expect((await testCommands({ project: root, folders: [root] })).map(({ id }) => id)).toEqual([
    "workbench:passEnvironment",
  ]);
});
