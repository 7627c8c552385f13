import { join } from "node:path";
import { expect, test } from "vitest";
import { put, trustSandbox } from "../../../../test/harness/commons/trust.ts";

const hook = "#!/bin/sh\n";

async function found({ state }: ReturnType<typeof trustSandbox>, root: string): Promise<string[]> {
  const { items, refused } = await state(root);
  return [...items.map(({ id, runs }) => `${id} = ${runs}`), ...refused.map(({ id, why }) => `${id} ${why}`)];
}

test("hooks that git would run: not samples, not what is not executable", async () => {
  const sandbox = trustSandbox();
  const root = sandbox.repository("shop");
  const hooks = join(root, ".git", "hooks");
  put(hooks, "pre-commit", hook, 0o755);
  put(hooks, "commit-msg", hook, 0o644);
  put(hooks, "update.sample", hook, 0o755);
  expect(await found(sandbox, root)).toEqual([`hook:pre-commit = ${join(hooks, "pre-commit")}`]);
});

test("a hook that is changed, added or made executable asks again", async () => {
  const sandbox = trustSandbox();
  const root = sandbox.repository("shop");
  const hooks = join(root, ".git", "hooks");
  put(hooks, "pre-commit", hook, 0o755);
  put(hooks, "commit-msg", hook, 0o644);
  await sandbox.trustAll(root);
  expect(await sandbox.state(root)).toMatchObject({ trusted: true });
  put(hooks, "commit-msg", hook, 0o755);
  put(hooks, "pre-commit", `${hook}\n`, 0o755);
  expect((await sandbox.state(root)).items.map(({ id, status }) => `${id} ${status}`)).toEqual([
    "hook:commit-msg new",
    "hook:pre-commit changed",
  ]);
});

test("core.hooksPath, also hidden in an included file, and the work tree's own files below it", async () => {
  const sandbox = trustSandbox();
  const root = sandbox.repository("shop");
  put(root, "hooks/pre-push", hook, 0o755);
  put(root, ".git/more", "[core]\n hooksPath = hooks\n");
  sandbox.git(root, "config", "include.path", "more");
  expect(await found(sandbox, root)).toEqual([`hook:pre-push = ${join(root, "hooks/pre-push")}`]);
});

test("hooks elsewhere are refused where the repository names them, and the user's own where the user does", async () => {
  const sandbox = trustSandbox();
  const root = sandbox.repository("shop");
  const elsewhere = join(sandbox.root, "elsewhere");
  put(elsewhere, "pre-push", hook, 0o755);
  sandbox.git(root, "config", "--global", "core.hooksPath", elsewhere);
  expect(await found(sandbox, root)).toEqual([]);
  sandbox.git(root, "config", "core.hooksPath", elsewhere);
  expect(await found(sandbox, root)).toEqual(["hook:pre-push leads outside the project"]);
  sandbox.git(root, "config", "core.hooksPath", "/usr/bin");
  await expect(found(sandbox, root)).rejects.toMatchObject({ code: "PERMISSION_DENIED" });
});

test("programs that the repository's configuration names, by their words; not those that the user's names", async () => {
  const sandbox = trustSandbox();
  const root = sandbox.repository("shop");
  sandbox.git(root, "config", "--global", "core.editor", "vi");
  expect(await found(sandbox, root)).toEqual([]);
  sandbox.git(root, "config", "filter.lfs.clean", "git-lfs clean -- %f");
  sandbox.git(root, "config", "--add", "credential.helper", "a");
  sandbox.git(root, "config", "--add", "credential.helper", "b");
  sandbox.git(root, "config", "diff.odd name=x.textconv", "evil\nsecond line");
  expect(await found(sandbox, root)).toEqual([
    "git:filter.lfs.clean = git-lfs clean -- %f",
    "git:credential.helper = a b",
    "git:diff.odd name=x.textconv = evil\nsecond line",
  ]);
  await sandbox.trustAll(root);
  sandbox.git(root, "config", "filter.lfs.clean", "git-lfs clean -- %f; x");
  expect(await sandbox.state(root)).toMatchObject({ trusted: false });
});

test("the project's files that such a program is, or that its words name", async () => {
  const sandbox = trustSandbox();
  const root = sandbox.repository("shop", { "tools/clean": "cat\n", "tools/diff.py": "", Makefile: "diff:\n" });
  sandbox.git(root, "config", "filter.own.clean", "./tools/clean %f");
  sandbox.git(root, "config", "diff.own.textconv", "python3 tools/diff.py");
  sandbox.git(root, "config", "merge.own.driver", "make diff");
  expect(await found(sandbox, root)).toEqual([
    "git:filter.own.clean = ./tools/clean %f",
    "git:diff.own.textconv = python3 tools/diff.py",
    "git:merge.own.driver = make diff",
    "script:tools/clean = tools/clean",
    "script:tools/diff.py = tools/diff.py",
    "script:Makefile = Makefile",
  ]);
  await sandbox.trustAll(root);
  put(root, "tools/clean", "evil\n");
  expect(await sandbox.state(root)).toMatchObject({ trusted: false });
});

test("the program that says which key to sign with", async () => {
  const sandbox = trustSandbox();
  const root = sandbox.repository("shop");
  sandbox.git(root, "config", "gpg.ssh.defaultKeyCommand", "./key.sh");
  expect(await found(sandbox, root)).toEqual(["git:gpg.ssh.defaultkeycommand = ./key.sh"]);
});

test("configuration that lies among the project's files is trusted by its bytes, from every work tree alike", async () => {
  const sandbox = trustSandbox();
  const root = sandbox.repository("shop", { "tooling/gitconfig": "[pull]\n rebase = true\n" });
  sandbox.git(root, "config", "include.path", "../tooling/gitconfig");
  expect(await found(sandbox, root)).toEqual([`git-config:tooling/gitconfig = ${join(root, "tooling/gitconfig")}`]);
  await sandbox.trustAll(root);
  const tree = join(sandbox.root, "tree");
  sandbox.git(root, "worktree", "add", "--quiet", tree);
  expect(await sandbox.state(tree)).toMatchObject({ trusted: true, refused: [] });
  put(root, "tooling/gitconfig", "[pull]\n rebase = false\n");
  expect(await sandbox.state(root)).toMatchObject({ trusted: false });
  expect(await sandbox.state(tree)).toMatchObject({ trusted: false });
});

test("configuration that counts only now and then cannot be trusted, wherever it is included from", async () => {
  const sandbox = trustSandbox();
  const root = sandbox.repository("shop");
  put(root, ".git/more", '[includeIf "gitdir:**/worktrees/**"]\n path = later\n');
  sandbox.git(root, "config", "include.path", "more");
  const id = "git-config:includeif.gitdir:**/worktrees/**.path";
  expect(await found(sandbox, root)).toEqual([`${id} applies only to some branches or folders (includeIf)`]);
  await sandbox.trustAll(root);
  await expect(sandbox.trust.require(root, [{ id, unusable: "counts only now and then" }])).rejects.toMatchObject({
    code: "TRUST_REQUIRED",
  });
});
