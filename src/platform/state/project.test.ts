import { execFileSync } from "node:child_process";
import { chownSync, existsSync, mkdirSync, mkdtempSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { temporaryFolder } from "../../../test/harness/db/store.ts";
import { addCounter, countOf, openDemo } from "../../../test/harness/db/store-demo.ts";
import { testWith } from "../../../test/harness/faults/faults.ts";
import { findProject } from "./project.ts";

function git(cwd: string, ...args: string[]): void {
  const identity = ["-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "init.defaultBranch=main"];
  const env = { PATH: process.env["PATH"], HOME: cwd, GIT_CONFIG_NOSYSTEM: "1" };
  execFileSync("git", [...identity, ...args], { cwd, env, stdio: "pipe" });
}

describe("project", () => {
  const folder = temporaryFolder();
  const fresh = () => realpathSync(mkdtempSync(join(folder(), "p-")));
  function repository(): string {
    const root = fresh();
    git(root, "init", "-q");
    git(root, "commit", "-q", "--allow-empty", "-m", "first");
    return root;
  }
  const stateOf = (root: string) => ({
    stateDir: join(root, ".forge"),
    databaseFile: join(root, ".forge", "forge.db"),
  });

  test("in a repository it is the work tree, from any folder of it", () => {
    const root = repository();
    mkdirSync(join(root, "deep", "down"), { recursive: true });
    const expected = { root, ...stateOf(root), inGit: true };
    expect(findProject(root)).toEqual(expected);
    expect(findProject(join(root, "deep", "down"))).toEqual(expected);
    expect(existsSync(join(root, ".forge"))).toBe(false);
  });

  test("linked work trees share the main one's database", async () => {
    const root = repository();
    const linked = join(fresh(), "linked");
    git(root, "worktree", "add", "-q", linked);
    expect(findProject(linked)).toEqual({ root: linked, ...stateOf(root), inGit: true });
    const here = openDemo({ file: findProject(root).databaseFile });
    const there = openDemo({ file: findProject(linked).databaseFile });
    await addCounter(here, "seen");
    expect(await countOf(there, "seen")).toBe(0);
    await there.close();
    await here.close();
    expect(existsSync(join(linked, ".forge"))).toBe(false);
  });

  test("with a bare main repository the state is beside its objects", () => {
    const root = repository();
    const bare = join(fresh(), "bare.git");
    git(root, "clone", "-q", "--bare", root, bare);
    const linked = join(fresh(), "linked");
    git(bare, "worktree", "add", "-q", linked);
    const databaseFile = join(bare, "forge", "forge.db");
    expect(findProject(linked)).toEqual({ root: linked, stateDir: join(bare, "forge"), databaseFile, inGit: true });
    expect(findProject(bare)).toMatchObject({ root: bare, databaseFile });
  });

  test("a crafted .git does not lead to another project's database", () => {
    const victim = repository();
    const attacker = fresh();
    writeFileSync(join(attacker, ".git"), `gitdir: ${join(victim, ".git")}\n`);
    expect(findProject(attacker)).toEqual({ root: attacker, ...stateOf(attacker), inGit: false });
    const linked = fresh();
    symlinkSync(join(victim, ".git"), join(linked, ".git"));
    expect(findProject(linked)).toEqual({ root: linked, ...stateOf(linked), inGit: false });
  });

  test("outside git it is the nearest folder upwards that Forge was used in, else this one", () => {
    const root = fresh();
    const below = join(root, "a", "b");
    mkdirSync(below, { recursive: true });
    expect(findProject(below)).toEqual({ root: below, ...stateOf(below), inGit: false });
    mkdirSync(join(root, ".forge"));
    expect(findProject(below).root).toBe(below);
    writeFileSync(join(root, ".forge", "config.json"), "{}");
    expect(findProject(below)).toEqual({ root, ...stateOf(root), inGit: false });
    mkdirSync(join(root, "a", ".forge"));
    writeFileSync(join(root, "a", ".forge", "forge.db"), "");
    expect(findProject(below).root).toBe(join(root, "a"));
  });

  testWith(["root"], "another user's state upwards does not count", () => {
    const root = fresh();
    const below = join(root, "a");
    mkdirSync(below);
    mkdirSync(join(root, ".forge"));
    writeFileSync(join(root, ".forge", "forge.db"), "");
    chownSync(join(root, ".forge"), 65534, 65534);
    expect(findProject(below).root).toBe(below);
  });

  testWith(["root"], "another user's repository, upwards or as the main one, does not count", () => {
    const theirs = repository();
    const below = join(theirs, "a");
    mkdirSync(below);
    const linked = join(fresh(), "linked");
    git(theirs, "worktree", "add", "-q", linked);
    chownSync(join(theirs, ".git"), 65534, 65534);
    expect(findProject(below)).toEqual({ root: below, ...stateOf(below), inGit: false });
    expect(findProject(linked)).toEqual({ root: linked, ...stateOf(linked), inGit: false });
  });

  testWith(["root"], "in another user's folder it is their repository, and nothing is kept there", async () => {
    const theirs = repository();
    for (const path of [theirs, join(theirs, ".git")]) chownSync(path, 65534, 65534);
    const { databaseFile, ...found } = findProject(theirs);
    expect(found).toEqual({ root: theirs, stateDir: join(theirs, ".forge"), inGit: true });
    const refused = { code: "STORE_ERROR", message: expect.stringContaining("belongs to another user") };
    await expect(addCounter(openDemo({ file: databaseFile }), "c")).rejects.toMatchObject(refused);
    expect(existsSync(join(theirs, ".forge"))).toBe(false);
  });

  test("the home folder is a project only when Forge is started in it", () => {
    expect(findProject(homedir()).root).toBeTypeOf("string");
  });
});
