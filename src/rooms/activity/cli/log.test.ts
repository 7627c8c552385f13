import { expect, test } from "vitest";
import { CapturedStream, CliProject, callRecord, withoutColours } from "../../../../test/harness/cli/cli.ts";
import { eventually } from "../../../../test/harness/cli/processes.ts";
import type { CallRecord } from "../../../kernel/calls/call.ts";

/** Puts calls into the project's ledger. */
function record(project: CliProject, ...records: CallRecord[]): Promise<void> {
  return project.inside(async (program) => {
    const { ledger } = await program.store();
    for (const entry of records) await ledger.close(entry);
    await ledger.flush();
  });
}

test("one line for each entry, oldest first", async () => {
  const project = new CliProject();
  const failed = callRecord({
    id: "call-2",
    outcome: "error",
    code: "NOT_FOUND",
    agent: undefined,
    evidence: ["commit:abc"],
  });
  await record(project, callRecord({ at: Date.now() }), { ...failed, at: Date.now() + 1 });
  const lines = (await project.do("log")).split("\n");
  expect(lines).toHaveLength(3);
  expect(lines[1]).toMatch(
    /^20\d\d-\d\d-\d\d \d\d:\d\d:\d\d {2}ok .* 12 ms {2}get_repository_context .*claude-code .*file:src\/main\.ts$/,
  );
  expect(lines[2]).toMatch(/error .* ada .*NOT_FOUND file:src\/main\.ts commit:abc$/);
});

test("no entries is said in words, and in JSON as an empty list", async () => {
  const project = new CliProject();
  expect((await project.run("log")).out).toBe("No entries.\n");
  expect((await project.run("log --json")).out).toBe("[]\n");
});

test("hostile text in an entry does nothing to the terminal", async () => {
  const project = new CliProject();
  const evil = callRecord({ at: Date.now(), name: "x\x1b[2J\ny", agent: "\u202eevil\x9b0m", about: ["file:a\rb"] });
  await record(project, evil);
  const stdout = new CapturedStream({ isTTY: true, columns: 200 });
  await project.run("log", { stdout });
  expect(stdout.text.trimEnd().split("\n")).toHaveLength(2);
  expect(withoutColours(stdout.text)).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}]/u);
  const json = (await project.run("log --json")).out;
  expect(json).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}]/u);
  expect(JSON.parse(json)[0].agent).toBe(evil.agent);
});

test("filters", async () => {
  const project = new CliProject();
  const now = Date.now();
  const hourMs = 3_600_000;
  await record(
    project,
    callRecord({ id: "old", at: now - 2 * hourMs }),
    callRecord({ id: "first", at: now - 3, name: "get_x", about: ["ticket:T-1"] }),
    callRecord({ id: "second", at: now - 2, name: "get_x", about: ["ticket:T-2"] }),
    callRecord({ id: "third", at: now - 1, about: ["ticket:T-1"] }),
  );
  const idsOf = async (line: string) =>
    (JSON.parse((await project.run(`log --json ${line}`)).out) as { id: string }[]).map(({ id }) => id);
  expect(await idsOf("")).toEqual(["old", "first", "second", "third"]);
  expect(await idsOf("--since 1h")).toEqual(["first", "second", "third"]);
  expect(await idsOf("--tool get_x")).toEqual(["first", "second"]);
  expect(await idsOf("--about ticket:T-1")).toEqual(["first", "third"]);
  expect(await idsOf("-n 1 --tool get_x")).toEqual(["second"]);
});

test("following shows what there is and what comes, each once, until it is stopped", async () => {
  const project = new CliProject();
  await record(project, callRecord({ id: "call-1", at: Date.now() }));
  const stop = new AbortController();
  const stdout = new CapturedStream();
  const following = project.run("log --follow --json", { stdout, signal: stop.signal });
  const ids = () =>
    stdout.text
      .trimEnd()
      .split("\n")
      .flatMap((line) => (line === "" ? [] : [(JSON.parse(line) as { id: string }).id]));
  await eventually("the first entry", () => ids().length === 1);
  await record(project, callRecord({ id: "call-2", at: Date.now() }), callRecord({ id: "call-3", at: Date.now() }));
  await eventually("the new entries", () => ids().length === 3);
  stop.abort();
  expect(await following).toMatchObject({ code: 0 });
  expect(ids().sort()).toEqual(["call-1", "call-2", "call-3"]);
});
