import { join, relative } from "node:path";
import { expect, test } from "vitest";
import { ProofProject, rightSum, sumTest } from "../../../../test/harness/rooms/proof/proof-project.ts";
import type { App } from "../../../commons/cli/app.ts";

type Criterion = { id: string; state: string; why: string; checks: Record<string, unknown>[] };

async function verify(project: ProofProject, id: string, command = "verify"): Promise<Criterion[]> {
  return (await project.json([command, id]))["criteria"] as unknown as Criterion[];
}

const bind = (project: ProofProject, id: string, ...how: string[]) =>
  project.do(["check", "add", id, ...how], { atKeyboard: how.includes("--expect-green") });

test("a check that fails without the change proves its criterion", async () => {
  const project = await ProofProject.open();
  const id = await project.ticket();
  expect((await project.run(["verify", id])).err).toContain("No check is bound");
  await bind(project, id, "AC-1", "--file", "src/*.js", "--pattern", "a \\+ b");
  await bind(project, id, "AC-1", "--test", "test/sum.test.js::adds");
  await project.change(id, { "src/sum.js": rightSum, "test/sum.test.js": sumTest });
  const verified = await project.json(["verify", id]);
  const [criterion] = verified["criteria"] as unknown as Criterion[];
  expect(criterion).toMatchObject({
    id: "AC-1",
    state: "proven",
    // What the same work wrote is seen first.
    checks: [
      { id: "C-2", base: "failed", changed: true },
      { id: "C-1", base: "failed" },
    ],
  });
  expect(verified["next"]).toMatchObject([{ tool: "update_ticket_status", input: { status: "COMPLETE" } }]);
  // What the base showed is kept as long as the base and the check's own file stay the same.
  const again = await project.json(["verify", id]);
  expect(again).toMatchObject({ proven: true, ms: { base: 0 } });
  const [same] = again["criteria"] as unknown as Criterion[];
  expect(same?.why).toBe(criterion?.why);
  expect(verified["ms"]?.["base"]).toBeGreaterThan(0);
  const shown = await project.do(["proof", id]);
  expect(shown).toContain("proven");
  expect(shown).toContain("changed by the same work");
  expect(await project.do(["show", id])).toContain("proven at");
  expect(await project.tool("get_ticket_context", { ticketId: id })).toMatchObject({ proof: { "AC-1": "proven" } });
  // Nothing is left behind.
  expect(project.git("worktree", "list").trim().split("\n")).toHaveLength(1);
  await project.do(["complete", id]);
  expect(await project.json(["show", id])).not.toHaveProperty("unproven");
});

test("a check that passes without the change proves nothing, unless that is expected", async () => {
  const project = await ProofProject.open();
  const id = await project.ticket();
  await bind(project, id, "AC-1", "--test", "test/other.test.js::always");
  await project.change(id, { "src/sum.js": rightSum });
  const [criterion] = await verify(project, id);
  expect(criterion).toMatchObject({ state: "unproven", why: expect.stringContaining("passes without the change") });
  await bind(project, id, "AC-1", "--test", "test/sum.test.js::adds", "--expect-green");
  const { code } = await project.run(["complete", id]);
  expect(code).toBe(0);
  expect(await project.json(["show", id])).toMatchObject({ status: "COMPLETE", unproven: true });
  for (const line of ["list --plain --status complete", `status ${id}`])
    expect(await project.do(line)).toContain("COMPLETE (unproven)");
  expect(await project.do(["show", id])).toContain("completed without proof");
  expect(await project.tool("get_ticket_context", { ticketId: id })).toMatchObject({ unproven: true });
  expect((await project.tool("list_tickets", {}))["tickets"]).toMatchObject([{ unproven: true }]);
});

test("a test that is missing, matches two, or is skipped proves nothing", async () => {
  const project = await ProofProject.open();
  const id = await project.ticket("One", "Two", "Three", "Four");
  await bind(project, id, "AC-1", "--test", "test/gone.test.js::x");
  await bind(project, id, "AC-2", "--test", "test/other.test.js::twice");
  await bind(project, id, "AC-3", "--test", "test/other.test.js::alwayz");
  await bind(project, id, "AC-4", "--test", "test/sum.test.js::adds");
  await project.change(id, { "src/sum.js": rightSum, "test/sum.test.js": sumTest.replace("test(", "test.skip(") });
  const [gone, two, misspelt, skipped] = await verify(project, id);
  expect(gone?.why).toContain("file does not exist");
  expect(two?.why).toContain("2 tests have this name");
  expect(misspelt?.why).toContain("No test has this name");
  expect(skipped?.why).toContain("was skipped");
  for (const one of [gone, two, misspelt, skipped]) expect(one?.state).toBe("unproven");
});

test("a check that its own work weakened is caught, also by a helper or the tests of a command", async () => {
  const helped = sumTest.replace("assert from", "{ assert } from").replace("node:assert/strict", "./helper.mjs");
  const project = await ProofProject.open({
    "test/sum.test.js": sumTest,
    "test/helped.test.js": helped,
    "test/helper.mjs": 'import assert from "node:assert/strict";\nexport { assert };\n',
    "src/sum.js": "export const sum = () => 5;\n",
  });
  const id = await project.ticket("Test", "Helper", "Command");
  await bind(project, id, "AC-1", "--test", "test/sum.test.js::adds");
  await bind(project, id, "AC-2", "--test", "test/helped.test.js::adds");
  await bind(project, id, "AC-3", "--command", "npm test");
  await project.change(id, {
    "src/sum.js": "export const sum = () => 6;\n",
    "test/sum.test.js": sumTest.replace("assert.equal(sum(2, 2), 4)", "assert.ok(sum(2, 2) > 5)"),
    "test/helper.mjs": "export const assert = { equal: () => undefined };\n",
  });
  const why = expect.stringContaining("as it was before, it fails");
  const weakened = { state: "unproven", why, checks: [{ changed: true, base: "failed" }] };
  expect(await verify(project, id)).toMatchObject([weakened, weakened, weakened]);
});

test("a set-up file that only the runner loads is put back too; code from outside the work tree proves nothing", async () => {
  const project = await ProofProject.open({
    "package.json": '{"type":"module","scripts":{"test":"node --test --import ./test/setup.mjs"}}\n',
    "test/setup.mjs": "",
    "test/sum.test.js": sumTest,
  });
  const id = await project.ticket();
  await bind(project, id, "AC-1", "--test", "test/sum.test.js::adds");
  const [lie, out] = ["src/sum.js", join(project.root, "..", "outside.mjs")];
  await project.change(id, {
    [lie]: "export const sum = (a, b) => a - b; // fixed\n",
    "test/setup.mjs": `import assert from "node:assert/strict";\nimport { readFileSync } from "node:fs";\nif (readFileSync("${lie}", "utf8").includes("fixed")) assert.equal = () => undefined;\n`,
  });
  // The user trusts it without looking closely.
  await project.do("trust --yes");
  expect(await verify(project, id)).toMatchObject([
    { state: "unproven", why: expect.stringContaining("as it was before, it fails"), checks: [{ changed: true }] },
  ]);
  project.write("../outside.mjs", rightSum);
  await project.change(id, { [lie]: `export { sum } from ${JSON.stringify(out)};\n`, "test/setup.mjs": "" });
  const why = `It passed, but ${lie} loads ${out}, which is outside the work tree, so what was checked is not in the commit.`;
  expect(await verify(project, id)).toMatchObject([{ state: "unproven", why }]);
});

test("commands, files and figures are checks; a command that changes the tree proves nothing", async () => {
  const project = await ProofProject.open({
    "package.json":
      '{"type":"module","scripts":{"test":"node --test","figure":"node figure.mjs","break":"node break.mjs","right":"node right.mjs"}}\n',
    "break.mjs": 'import { writeFileSync } from "node:fs";\nwriteFileSync("src/sum.js", "");\n',
    "right.mjs": 'import { sum } from "./src/sum.js";\nprocess.exit(sum(2, 2) === 4 ? 0 : 1);\n',
  });
  const id = await project.ticket("Command", "File", "Figure", "Broken", "Empty");
  await bind(project, id, "AC-1", "--command", "npm run right");
  await bind(project, id, "AC-2", "--file", "docs/*.md", "--pattern", "a \\+ b");
  await bind(
    project,
    id,
    "AC-3",
    "--command",
    "npm run figure",
    "--pattern",
    "p95 ([0-9.]+)",
    "--max",
    "20",
    "--expect-green",
  );
  await bind(project, id, "AC-4", "--command", "npm run break");
  await bind(project, id, "AC-5", "--command", "npm run figure", "--pattern", "ms([0-9]*)", "--max", "20");
  await project.change(id, { "src/sum.js": rightSum, "docs/sum.md": "The sum is a + b.\n" });
  const [command, file, figure, broken, empty] = await verify(project, id);
  expect(command).toMatchObject({ state: "proven" });
  expect(file).toMatchObject({ state: "proven", checks: [{ base: "failed" }] });
  expect(figure).toMatchObject({ state: "proven", why: expect.stringContaining("12.5") });
  expect(broken).toMatchObject({ state: "failed", why: expect.stringContaining("changed files") });
  expect(empty).toMatchObject({ state: "failed", why: "The command did not print the number." });
});

/** Proof outlives a commit of other files; a second commit then changes what it depends on. */
async function outlive(project: ProofProject, id: string): Promise<void> {
  const branch = project.git("symbolic-ref", "HEAD").trim();
  project.git("symbolic-ref", "HEAD", "refs/heads/unborn");
  const why = expect.stringContaining("the repository has no HEAD that can be read");
  expect((await verify(project, id, "proof"))[0]).toMatchObject({ state: "unproven", why });
  project.git("symbolic-ref", "HEAD", branch);
  project.write("README.md", "Nothing to do with it.\n");
  project.git("add", "-A");
  project.git("commit", "-qm", "Words");
  expect((await verify(project, id, "proof"))[0]).toMatchObject({ state: "proven" });
  project.write("src/sum.js", "export const sum = (a, b) => b + a;\n");
  project.git("commit", "-qam", "Other way round");
}

test("proof lapses when what it depends on changes, and says so", async () => {
  const project = await ProofProject.open();
  const id = await project.ticket();
  await bind(project, id, "AC-1", "--test", "test/sum.test.js::adds");
  await project.change(id, { "src/sum.js": rightSum, "test/sum.test.js": sumTest });
  await verify(project, id);
  await outlive(project, id);
  const [lapsed] = await verify(project, id, "proof");
  const why = expect.stringMatching(/Proven at \w{7}, 2 commits ago; 1 of its 2 files/);
  expect(lapsed).toMatchObject({ state: "unproven", why });
  expect(await project.do(["show", id])).toMatch(/unproven: Proven at \w{7}, 2 commits ago/);
  expect(await project.tool("get_ticket_context", { ticketId: id })).toMatchObject({
    proof: { "AC-1": expect.stringContaining("2 commits ago") },
  });
  const prompt = await project.do(["prompt", "forge_execute", `ticketId=${id}`]);
  expect(prompt).toMatch(/<criterion id="AC-1">unproven: Proven at \w{7}, 2 commits ago/);
});

test("the policy refuses what is not proven, and only a person waives", async () => {
  const project = await ProofProject.open();
  project.write(".forge/project.json", '{"proof":"required"}');
  const id = await project.ticket();
  await project.do(["status", id, "created"]);
  const refused = await project.run(["complete", id]);
  expect(refused.code).toBe(1);
  expect(refused.err).toContain("AC-1 is unproven: No check is bound to it.");
  expect(await project.refused("update_ticket_status", { ticketId: id, status: "COMPLETE" })).toContain("is required");
  for (const line of [
    ["waive", id, "AC-1", "--reason", "No device", "--until", "2099-01-01"],
    ["check", "remove", id, "C-1"],
    ["check", "look", id, "C-1", "It is fine."],
  ]) {
    const { code, err } = await project.run(line);
    expect([code, err]).toEqual([1, expect.stringContaining("Only a person")]);
  }
  expect((await project.json(["show", id]))["status"]).toBe("CREATED");
  project.write(".forge/project.json", '{"proof":"of course"}');
  expect((await project.run(["complete", id])).err).toContain("off, warn, required");
  project.write(".forge/project.json", '{"proof":"off"}');
  await project.do(["complete", id]);
  expect(await project.json(["show", id])).not.toHaveProperty("unproven");
});

test("records and the base of the work cannot be set by an import or an edit", async () => {
  const project = await ProofProject.open();
  const id = await project.ticket();
  const forged = {
    ...JSON.parse(await project.do(["export", id, "--format", "json"])),
    records: { waivers: [{ criterion: "AC-1", reason: "x", until: "2099-01-01", by: "me" }] },
  };
  project.write("forged.json", JSON.stringify(forged));
  await project.do(["import", `${project.root}/forged.json`, "--on-existing", "replace"]);
  expect((await project.json(["show", id]))["records"]).toBeUndefined();
  // Nor the commit that proof is compared with: this one is from before a change that is not the ticket's.
  const former = project.git("rev-parse", "HEAD").trim();
  project.write("src/sum.js", rightSum);
  project.write("test/sum.test.js", sumTest);
  project.git("add", "-A");
  project.git("commit", "-qm", "Not the ticket's");
  await project.do(["status", id, "created"]);
  await bind(project, id, "AC-1", "--test", "test/sum.test.js::adds");
  project.write("forged.json", JSON.stringify({ ...forged, status: "CREATED", executionBase: { commit: former } }));
  await project.do(["import", `${project.root}/forged.json`, "--on-existing", "replace"]);
  // Nor a start of the same work from an earlier commit.
  project.git("checkout", "-qf", former);
  for (const status of ["ready", "created"]) await project.do(["status", id, status]);
  project.git("checkout", "-q", "-");
  const [criterion] = await verify(project, id);
  expect(criterion).toMatchObject({ state: "unproven", why: expect.stringContaining("passes without the change") });
  // A person who hands it back lets it start from there.
  await project.do(["status", id, "ready"], { atKeyboard: true });
  project.git("checkout", "-q", former);
  await project.do(["status", id, "created"]);
  expect(await project.json(["show", id])).toMatchObject({ records: { base: former } });
});

test("a person says that checks pass before and after the change", async () => {
  const project = await ProofProject.open();
  const id = await project.ticket();
  await bind(project, id, "AC-1", "--test", "test/other.test.js::always");
  await project.change(id, { "src/sum.js": rightSum });
  const { code, out } = await project.run(["verify", id, "--expect-green"], { atKeyboard: true });
  expect([code, out]).toEqual([0, expect.stringContaining("proven, 1 of 1 criteria")]);
});

test("the tracked policy counts as it was before the work, and the stricter of the two files", async () => {
  const project = await ProofProject.open({ "Forge/project.json": '{"proof":"required"}' });
  const id = await project.ticket();
  await project.change(id, { "src/sum.js": rightSum });
  project.write("Forge/project.json", '{"proof":"off"}');
  project.git("commit", "-qam", "Lower the bar");
  expect((await project.run(["complete", id])).err).toContain("is required");
  // Nor does it count for less if the repository cannot be read.
  const branch = project.git("symbolic-ref", "HEAD").trim();
  project.write(".git/HEAD", "");
  expect((await project.run(["complete", id])).err).toContain("is required");
  project.write(".git/HEAD", `ref: ${branch}\n`);
  // Once lowered on the base, it is lower for the next ticket.
  const next = await project.ticket();
  await project.change(next, { "src/more.js": rightSum });
  project.write(".forge/project.json", '{"proof":"warn"}');
  await project.do(["complete", next]);
  expect(await project.json(["show", next])).toMatchObject({ status: "COMPLETE", unproven: true });
});

test("neither an edit nor a correction completes a ticket past the policy", async () => {
  const project = await ProofProject.open();
  project.write(".forge/project.json", '{"proof":"required"}');
  const id = await project.ticket();
  await project.do(["status", id, "created"]);
  expect((await project.run(["complete", id, "--correct"])).err).toContain("is required");
  const text = (await project.do(["export", id, "--format", "markdown"])).replace("CREATED", "COMPLETE");
  project.write("edited.md", text);
  const { revision } = await project.json(["show", id]);
  const { code, err } = await project.run([
    "edit",
    id,
    "--text",
    `${project.root}/edited.md`,
    "--revision",
    `${revision}`,
  ]);
  expect([code, err]).toEqual([1, expect.stringContaining("is required")]);
});

test("proof adds at most a quarter to what an assistant reads of a ticket", async () => {
  const project = await ProofProject.open();
  const sentence = "Whoever signs out on one device stays signed in on the others, as support tells. ";
  const text = (count: number) => sentence.repeat(count);
  await project.tool("create_ticket", {
    title: "Sign out everywhere",
    status: "READY",
    description: text(6),
    problemStatement: text(3),
    solution: text(5),
    acceptanceCriteria: [1, 2, 3, 4, 5, 6].map((number) => `Criterion ${number}: ${sentence}`),
    fileChanges: [{ path: "src/sum.js", action: "modify" }],
  });
  const size = async () => JSON.stringify(await project.tool("get_ticket_context", { ticketId: "T-001" })).length;
  const before = await size();
  for (const number of [1, 2, 3, 4, 5, 6])
    await bind(project, "T-001", `AC-${number}`, "--test", "test/sum.test.js::adds");
  await project.change("T-001", { "src/sum.js": rightSum, "test/sum.test.js": sumTest });
  await verify(project, "T-001");
  expect((await size()) / before).toBeLessThanOrEqual(1.25);
});

test("a person's look counts with who looked, when and what they saw, until the files change", async () => {
  const project = await ProofProject.open();
  const id = await project.ticket();
  await bind(project, id, "AC-1", "--look", "The sum on the page");
  await project.change(id, { "src/sum.js": rightSum });
  const person = { confirm: async () => true } as unknown as App["person"];
  const look = (...words: string[]) =>
    project.do(["check", "look", id, "C-1", ...words], { atKeyboard: true, with: () => ({ person }) });
  await look("It says 3.", "--failed");
  expect((await verify(project, id, "proof"))[0]).toMatchObject({ state: "failed" });
  await look("It says 4.");
  const why = expect.stringMatching(/looked on \d{4}-\d\d-\d\d: It says 4\./);
  expect((await verify(project, id, "proof"))[0]).toMatchObject({ state: "proven", why });
  await outlive(project, id);
  const lapsed = expect.stringMatching(/Seen at \w{7}, 2 commits ago; 1 of its 1 files changed/);
  expect((await verify(project, id, "proof"))[0]).toMatchObject({ state: "unproven", why: lapsed });
});

test("work in a folder of its own is proven on its branch, and completed when it is merged", async () => {
  const project = await ProofProject.open({
    "package.json": '{"type":"module","scripts":{"test":"node --test --import ./test/setup.mjs"}}\n',
    "test/setup.mjs": "export {};\n",
  });
  project.write(".forge/project.json", '{"proof":"required"}');
  const id = await project.ticket();
  await bind(project, id, "AC-1", "--test", "test/sum.test.js::adds");
  const { root, execution_id } = await project.json(["start", id, "--isolation", "worktree", "--finish", "branch"]);
  const write = (path: string, text: string) => project.write(relative(project.root, join(String(root), path)), text);
  write("src/sum.js", rightSum);
  write("test/sum.test.js", sumTest);
  // Not committed: tried where it is, which proves nothing.
  const here = ["verify", id, "--here", "--project", String(root)];
  // What is loaded before the tests was changed: a person looks at it once, and what they trusted before counts on the base.
  write("test/setup.mjs", "globalThis.isReady = true;\n");
  expect((await project.run(here)).err).toContain("script:test/setup.mjs was changed");
  await project.do(["trust", "--yes", "--project", String(root)]);
  const { code, out } = await project.run(here);
  expect([code, out]).toEqual([0, expect.stringContaining("every check passed here; nothing was recorded")]);
  expect((await verify(project, id, "proof"))[0]).toMatchObject({ why: "It has not been run." });
  expect((await project.run([...here, "--commit", "HEAD"])).err).toContain("not on a commit");
  await project.do(["run", "commit", String(execution_id), "-m", "Right sums"]);
  const verified = await project.json(["verify", id]);
  expect(verified).toMatchObject({ proven: true, criteria: [{ state: "proven" }] });
  expect(verified).not.toHaveProperty("next");
  expect(await project.do(["show", id])).toContain("proven at");
  expect((await project.run(["complete", id])).err).toContain("which is not merged");
  project.git(
    "merge",
    "-q",
    "--ff-only",
    project.git("branch", "--list", "task-*", "--format=%(refname:short)").trim(),
  );
  expect(await project.json(["verify", id])).toMatchObject({ next: [{ tool: "update_ticket_status" }] });
  await project.do(["complete", id]);
});
