import { afterEach, describe, expect, it } from "vitest";
import { type EvilRepository, evilKinds, makeEvilRepository } from "../../../test/harness/evil-repo.ts";
import { callRepositoryContext } from "../../../test/harness/git.ts";
import { Git } from "./git.ts";

const refusedKinds = [
  "git file that leads outside",
  "git folder as a symbolic link",
  "git folder that borrows another's",
];
const unreadableKinds = ["partial clone", "ext remote"];

const made: EvilRepository[] = [];
afterEach(() => {
  for (const evil of made.splice(0)) evil.sandbox.dispose();
});

function make(kind: (typeof evilKinds)[number]): EvilRepository {
  const evil = makeEvilRepository(kind);
  made.push(evil);
  return evil;
}

describe.skipIf(process.platform === "win32").each(evilKinds)("a hostile repository: %s", (kind) => {
  it("runs its program under plain git", () => {
    const evil = make(kind);
    evil.careless();
    expect(evil.marks()).not.toEqual([]);
  });

  it("runs nothing when an assistant looks at it", async () => {
    const evil = make(kind);
    const { environment } = evil.sandbox;
    const { outcome, records } = await callRepositoryContext({}, { cwd: evil.path, environment });
    expect(evil.marks()).toEqual([]);
    expect(outcome.kind).toBe([...refusedKinds, ...unreadableKinds].includes(kind) ? "error" : "value");
    expect(records).toHaveLength(1);
    if (refusedKinds.includes(kind)) expect(outcome).toMatchObject({ body: { code: "PERMISSION_DENIED" } });
  });
});

const openKinds = evilKinds.filter((kind) => !refusedKinds.includes(kind));

it.skipIf(process.platform === "win32").each(openKinds)("runs nothing under any command: %s", async (kind) => {
  const evil = make(kind);
  const repository = new Git({ environment: evil.sandbox.environment }).open(evil.path);
  const { signal } = new AbortController();
  await repository.run("status", [], { signal });
  await repository.run("diff", ["HEAD"], { signal });
  await repository.run("diff", [], { signal });
  await repository.run("log", ["--patch"], { signal });
  await repository.run("show", [], { signal });
  await repository.run("ls-tree", ["-r", "-l", "HEAD"], { signal });
  expect(evil.marks()).toEqual([]);
});

it.skipIf(process.platform === "win32")("lets filters work where the repository is trusted", async () => {
  const evil = make("clean filter");
  const git = new Git({ environment: evil.sandbox.environment, trust: "trusted" });
  await git.open(evil.path).status(10, new AbortController().signal);
  expect(evil.marks()).toEqual(["clean"]);
});
