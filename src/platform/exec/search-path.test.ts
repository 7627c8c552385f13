import { chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { faultFolder, testWith } from "../../../test/harness/faults/faults.ts";
import { makeSandbox } from "../../../test/harness/git/git.ts";
import { Git } from "../git/git.ts";
import { userHome } from "../host/user-folder.ts";
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

testWith(
  ["posix"],
  "programs inside the project are never found, by their real place, in any of its work trees",
  () => {
    const sandbox = makeSandbox();
    onTestFinished(() => sandbox.dispose());
    const project = sandbox.repository("shop", { "a.txt": "a" });
    const tree = join(sandbox.root, "tree");
    sandbox.git(project, "worktree", "add", "--quiet", tree);
    const outside = program(join(sandbox.root, "tools"));
    program(join(project, "bin"));
    program(join(tree, "bin"));
    symlinkSync(join(project, "bin"), join(sandbox.root, "linked"));
    const folders = [
      join(project, "bin"),
      join(tree, "bin"),
      join(sandbox.root, "linked"),
      join(sandbox.root, "tools"),
    ];
    const environment = { PATH: folders.join(delimiter) };
    const inner = join(project, "inner");
    mkdirSync(inner);
    sandbox.git(inner, "init", "--quiet");
    for (const cwd of [project, tree, join(project, "bin"), inner])
      expect(findPrograms("tool", environment, cwd)).toEqual([outside]);
    expect(findPrograms("tool", environment, faultFolder())).toHaveLength(4);
  },
);

testWith(["posix"], "nor in a folder that is no repository, or a folder of one with Forge's files", () => {
  const project = faultFolder();
  program(join(project, "bin"));
  const environment = { PATH: join(project, "bin") };
  expect(findPrograms("tool", environment, project)).toEqual([]);
  mkdirSync(join(project, ".forge"));
  mkdirSync(join(project, "src"));
  expect(findPrograms("tool", environment, join(project, "src"))).toEqual([]);
});

testWith(["posix"], "nor in the project that Forge was started in, where another repository is looked at", () => {
  const own = join(process.cwd(), "bin");
  const elsewhere = program(join(faultFolder(), "tools"));
  const environment = { PATH: [own, dirname(elsewhere)].join(delimiter) };
  expect(findPrograms("forge.cjs", environment, faultFolder())).toEqual([]);
  expect(findPrograms("tool", environment, faultFolder())).toEqual([elsewhere]);
});

testWith(["posix"], "repositories in each other that list many work trees are each looked through once", () => {
  const top = faultFolder();
  const names = Array.from({ length: 400 }, (_, index) => `tree-${index}`);
  for (const name of names) mkdirSync(join(top, name));
  let inner = top;
  for (let depth = 0; depth < 10; depth++, inner = join(inner, "in")) {
    mkdirSync(join(inner, ".git", "refs"), { recursive: true });
    mkdirSync(join(inner, ".git", "objects"));
    writeFileSync(join(inner, ".git", "HEAD"), "ref: refs/heads/main\n");
    for (const name of names) {
      mkdirSync(join(inner, ".git", "worktrees", name), { recursive: true });
      writeFileSync(join(inner, ".git", "worktrees", name, "gitdir"), join(top, name, ".git\n"));
    }
    mkdirSync(join(inner, "in"));
  }
  expect(findPrograms("tool", { PATH: program(join(top, "bin")) }, inner)).toEqual([]);
});

testWith(["posix"], "programs in the user's home are found, also where the home is a project", () => {
  const home = userHome();
  program(join(home, "tools"));
  onTestFinished(() => rmSync(join(home, "tools"), { recursive: true }));
  mkdirSync(join(home, "shop"), { recursive: true });
  expect(findPrograms("tool", { PATH: join(home, "tools") }, join(home, "shop"))).toEqual([
    join(home, "tools", "tool"),
  ]);
});

testWith(["posix"], "nor is a git inside the main work tree, for one that is linked to it", () => {
  const sandbox = makeSandbox();
  onTestFinished(() => sandbox.dispose());
  const project = sandbox.repository("shop", { "a.txt": "a" });
  const tree = join(sandbox.root, "tree");
  sandbox.git(project, "worktree", "add", "--quiet", tree);
  const evil = join(project, "bin");
  mkdirSync(evil);
  writeFileSync(join(evil, "git"), "#!/bin/sh\nexit 7\n");
  chmodSync(join(evil, "git"), 0o755);
  const { PATH: path = "" } = sandbox.environment;
  const git = new Git({ environment: { ...sandbox.environment, PATH: `${evil}${delimiter}${path}` } });
  expect(() => git.open(tree)).not.toThrow();
  return expect(
    git.open(tree).run("rev-parse", ["HEAD"], { signal: new AbortController().signal }),
  ).resolves.toMatchObject({ code: 0 });
});
