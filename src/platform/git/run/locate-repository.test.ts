import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { makeSandbox, type Sandbox, writeFiles } from "../../../../test/harness/git/git.ts";
import { locateRepository } from "./locate-repository.ts";

let sandbox: Sandbox;
beforeEach(() => {
  sandbox = makeSandbox();
});
afterEach(() => sandbox.dispose());

const refused = expect.objectContaining({ code: "PERMISSION_DENIED" });

function folder(...parts: string[]): string {
  const path = join(sandbox.root, ...parts);
  mkdirSync(path, { recursive: true });
  return path;
}

describe("locateRepository finds", () => {
  it("a repository, from any folder in it", () => {
    const project = sandbox.repository("project", { "a/b/c.txt": "" });
    const gitDir = join(project, ".git");
    const location = { workTree: project, gitDir, commonDir: gitDir, mainWorkTree: project };
    expect(locateRepository(project)).toEqual(location);
    expect(locateRepository(join(project, "a", "b"))).toEqual(location);
  });

  it("nothing outside a repository, or where there is no folder", () => {
    expect(locateRepository(folder("plain"))).toBeUndefined();
    expect(locateRepository(join(sandbox.root, "absent"))).toBeUndefined();
  });

  it("the repository around a folder that only looks like one", () => {
    const project = sandbox.repository("project", { "a.txt": "" });
    mkdirSync(join(project, "sub", ".git"), { recursive: true });
    expect(locateRepository(join(project, "sub"))?.workTree).toBe(project);
  });

  it("a linked work tree and its main one", () => {
    const project = sandbox.repository("project", { "a.txt": "" });
    const linked = join(sandbox.root, "linked");
    sandbox.git(project, "worktree", "add", "--quiet", linked);
    expect(locateRepository(linked)).toEqual({
      workTree: linked,
      gitDir: join(project, ".git", "worktrees", "linked"),
      commonDir: join(project, ".git"),
      mainWorkTree: project,
    });
  });

  it("a linked work tree with relative links, as newer gits write them", () => {
    const project = sandbox.repository("project", { "a.txt": "" });
    const linked = join(sandbox.root, "linked");
    sandbox.git(project, "worktree", "add", "--quiet", linked);
    writeFileSync(join(linked, ".git"), "gitdir: ../project/.git/worktrees/linked\n");
    writeFileSync(join(project, ".git", "worktrees", "linked", "gitdir"), "../../../../linked/.git\n");
    expect(locateRepository(linked)?.mainWorkTree).toBe(project);
  });

  it("a linked work tree of a bare repository, which has no main one", () => {
    const project = sandbox.repository("project", { "a.txt": "" });
    sandbox.git(sandbox.root, "clone", "--quiet", "--bare", project, "bare");
    const linked = join(sandbox.root, "linked");
    sandbox.git(join(sandbox.root, "bare"), "worktree", "add", "--quiet", linked);
    expect(locateRepository(linked)).toMatchObject({ commonDir: join(sandbox.root, "bare"), mainWorkTree: undefined });
  });

  it("a submodule, also in a linked work tree", () => {
    const inner = sandbox.repository("inner", { "a.txt": "" });
    const project = sandbox.repository("project", { "b.txt": "" });
    sandbox.git(project, "submodule", "--quiet", "add", inner, "sub");
    sandbox.git(project, "commit", "--quiet", "--message", "sub");
    const gitDir = join(project, ".git", "modules", "sub");
    const workTree = join(project, "sub");
    expect(locateRepository(workTree)).toEqual({ workTree, gitDir, commonDir: gitDir, mainWorkTree: workTree });
    const linked = join(sandbox.root, "linked");
    sandbox.git(project, "worktree", "add", "--quiet", linked);
    sandbox.git(linked, "submodule", "--quiet", "update", "--init");
    expect(locateRepository(join(linked, "sub"))?.workTree).toBe(join(linked, "sub"));
  });
});

describe("locateRepository refuses", () => {
  it("a git file that claims another folder's work tree entry", () => {
    const victim = sandbox.repository("victim", { "a.txt": "" });
    sandbox.git(victim, "worktree", "add", "--quiet", join(sandbox.root, "linked"));
    const evil = folder("evil");
    writeFileSync(join(evil, ".git"), readFileSync(join(sandbox.root, "linked", ".git")));
    expect(() => locateRepository(evil)).toThrow(refused);
  });

  it("a made-up work tree entry with another project's common directory", () => {
    const victim = sandbox.repository("victim", { "a.txt": "" });
    const evil = folder("evil");
    writeFiles(evil, {
      ".git": "gitdir: fake/worktrees/x\n",
      "fake/worktrees/x/commondir": `${join(victim, ".git")}\n`,
      "fake/worktrees/x/gitdir": `${join(evil, ".git")}\n`,
      "fake/worktrees/x/HEAD": "ref: refs/heads/main\n",
    });
    expect(() => locateRepository(evil)).toThrow(refused);
  });

  it("a git file that names another project's git directory, or none", () => {
    const victim = sandbox.repository("victim", { "a.txt": "" });
    const evil = folder("evil");
    for (const content of [
      `gitdir: ${join(victim, ".git")}\n`,
      "gitdir: absent\n",
      "gitdir: \n",
      "",
      "x".repeat(100_000),
    ]) {
      writeFileSync(join(evil, ".git"), content);
      expect(() => locateRepository(evil)).toThrow(refused);
    }
  });

  it("a moved work tree, and says how it is mended", () => {
    const project = sandbox.repository("project", { "a.txt": "" });
    sandbox.git(project, "worktree", "add", "--quiet", join(sandbox.root, "linked"));
    renameSync(join(sandbox.root, "linked"), join(sandbox.root, "moved"));
    expect(() => locateRepository(join(sandbox.root, "moved"))).toThrow(
      expect.objectContaining({ next: expect.arrayContaining([expect.stringContaining("worktree repair")]) }),
    );
  });

  it("a submodule's git file outside its superproject", () => {
    const inner = sandbox.repository("inner", { "a.txt": "" });
    const project = sandbox.repository("project", { "b.txt": "" });
    sandbox.git(project, "submodule", "--quiet", "add", inner, "sub");
    const evil = folder("evil");
    writeFileSync(join(evil, ".git"), `gitdir: ${join(project, ".git", "modules", "sub")}\n`);
    expect(() => locateRepository(evil)).toThrow(refused);
  });
});
