import { join } from "node:path";
import { expect, test } from "vitest";
import { put, trustSandbox } from "../../../../test/harness/commons/trust.ts";
import { Git } from "../../../platform/git/git.ts";
import { openTrustedWork } from "./trusted-git.ts";

const never = new AbortController().signal;

async function silenced({ environment, trust }: ReturnType<typeof trustSandbox>, root: string): Promise<string[]> {
  const { silencedHooks } = await openTrustedWork({ git: new Git({ environment }), trust }, root, never);
  return silencedHooks;
}

test("a trusted repository's hooks are silent again once configuration among its files is changed", async () => {
  const sandbox = trustSandbox();
  const root = sandbox.repository("shop", { "tooling/gitconfig": "[pull]\n rebase = true\n" });
  put(join(root, ".git", "hooks"), "pre-commit", "#!/bin/sh\n", 0o755);
  sandbox.git(root, "config", "include.path", "../tooling/gitconfig");
  await sandbox.trustAll(root);
  expect(await silenced(sandbox, root)).toEqual([]);
  put(root, "tooling/gitconfig", "[commit]\n gpgSign = true\n");
  expect(await silenced(sandbox, root)).toEqual(["pre-commit"]);
});

test("and once its configuration has a part that counts only in other work trees", async () => {
  const sandbox = trustSandbox();
  const root = sandbox.repository("shop");
  put(join(root, ".git", "hooks"), "pre-commit", "#!/bin/sh\n", 0o755);
  await sandbox.trustAll(root);
  expect(await silenced(sandbox, root)).toEqual([]);
  sandbox.git(root, "config", "includeIf.gitdir:**/worktrees/**.path", "hidden");
  expect(await silenced(sandbox, root)).toEqual(["pre-commit"]);
});
