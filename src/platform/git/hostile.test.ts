import { afterEach, describe, expect } from "vitest";
import { testWith } from "../../../test/harness/faults/faults.ts";
import {
  type EvilKind,
  type EvilRepository,
  evilKinds,
  makeEvilRepository,
} from "../../../test/harness/git/evil-repo.ts";
import { callRepositoryContext } from "../../../test/harness/git/git.ts";
import { Git } from "./git.ts";

const refusedKinds = [
  "git file that leads outside",
  "git folder as a symbolic link",
  "git folder that borrows another's",
];
const unreadableKinds = ["partial clone", "ext remote"];

/** Where the catalogue of attacks has each. */
const caseOf = {
  fsmonitor: "E01",
  hooks: "E02",
  "hooks path": "E03",
  "clean filter": "E04",
  "process filter": "E04",
  "smudge filter": "E04",
  "filter with = in its name": "E04",
  "filter with an empty name": "E04",
  "required filter": "E04",
  "filter by a private attributes file": "E04",
  "external diff": "E05",
  "diff command": "E05",
  textconv: "E05",
  gpg: "E06",
  "signed commits": "E06",
  "merge driver": "E05",
  "trailer command": "E07",
  include: "E08",
  "conditional include": "E08",
  "bare repository in a subfolder": "E09",
  "git file that leads outside": "E10",
  "git folder as a symbolic link": "E10",
  "git folder that borrows another's": "E10",
  "partial clone": "E15",
  "ext remote": "E15",
  submodule: "E16",
  "diff of a submodule": "E16",
} satisfies Record<EvilKind, string>;

const made: EvilRepository[] = [];
afterEach(() => {
  for (const evil of made.splice(0)) evil.sandbox.dispose();
});

function make(kind: EvilKind): EvilRepository {
  const evil = makeEvilRepository(kind);
  made.push(evil);
  return evil;
}

const { signal } = new AbortController();

describe.each(evilKinds.map((kind) => [caseOf[kind], kind] as const))("%s a hostile repository: %s", (_case, kind) => {
  testWith(["posix"], "runs its program under plain git", () => {
    const evil = make(kind);
    evil.careless();
    expect(evil.marks()).not.toEqual([]);
  });

  testWith(["posix"], "runs nothing when an assistant looks at it", async () => {
    const evil = make(kind);
    const { environment } = evil.sandbox;
    const { outcome, records } = await callRepositoryContext({}, { cwd: evil.path, environment });
    expect(evil.marks()).toEqual([]);
    expect(outcome.kind).toBe([...refusedKinds, ...unreadableKinds].includes(kind) ? "error" : "value");
    expect(records).toHaveLength(1);
    if (refusedKinds.includes(kind)) expect(outcome).toMatchObject({ body: { code: "PERMISSION_DENIED" } });
  });

  if (refusedKinds.includes(kind)) return;

  testWith(["posix"], "runs nothing under any command", async () => {
    const evil = make(kind);
    const repository = new Git({ environment: evil.sandbox.environment }).open(evil.path);
    await repository.run("status", [], { signal });
    await repository.run("diff", ["HEAD"], { signal });
    await repository.run("diff", [], { signal });
    await repository.run("log", ["--patch"], { signal });
    await repository.run("show", [], { signal });
    await repository.run("ls-tree", ["-r", "-l", "HEAD"], { signal });
    await repository.run("grep", ["--untracked", "-e", "a"], { signal });
    expect(evil.marks()).toEqual([]);
  });
});

describe("a repository that a person trusts", () => {
  const openTrusted = ({ sandbox, path }: EvilRepository) =>
    new Git({ environment: sandbox.environment, trust: "trusted" }).open(path);

  testWith(["posix"], "has its filters", async () => {
    const evil = make("clean filter");
    await openTrusted(evil).status(10, signal);
    expect(evil.marks()).toEqual(["clean"]);
  });

  testWith(["posix"], "has its monitor", async () => {
    const evil = make("fsmonitor");
    await openTrusted(evil).status(10, signal);
    expect(evil.marks()).toEqual(["fsmonitor"]);
  });

  testWith(["posix"], "has its hooks, which nobody else's repository has", async () => {
    const evil = make("hooks path");
    const untrusted = new Git({ environment: evil.sandbox.environment }).open(evil.path);
    const placeOf = async (repository: typeof untrusted) =>
      (await repository.run("rev-parse", ["--git-path", "hooks"], { signal })).stdout.toString().trim();
    expect(await placeOf(openTrusted(evil))).toBe("tools");
    expect(await placeOf(untrusted)).toBe("/dev/null");
    expect(evil.marks()).toEqual([]);
  });
});
