import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { PersonTerminal } from "../harness/cli/person-terminal.ts";
import { eventually } from "../harness/cli/processes.ts";
import { rightSum, sumTest } from "../harness/rooms/proof/proof-project.ts";
import { Assistant, forgeProgram, makeWorkbenchProject } from "../harness/rooms/workbench/workbench-program.ts";

const always = sumTest.replace("assert.equal(sum(2, 2), 4)", 'assert.equal(typeof sum, "function")');

test("an assistant that claims done three times wrongly is caught each time, and then proven", async () => {
  const project = makeWorkbenchProject({
    "package.json": '{"type":"module","scripts":{"test":"node --test"}}\n',
    "src/sum.js": "export const sum = (a, b) => a - b;\n",
    "test/sum.test.js": sumTest,
  });
  project.forge("trust", "--yes");
  mkdirSync(join(project.cwd, ".forge"), { recursive: true });
  writeFileSync(join(project.cwd, ".forge", "project.json"), '{"proof":"required"}');
  const id = project.forge("create", "Sums are right", "--criterion", "2 + 2 is 4", "--status", "ready").trim();
  const assistant = await Assistant.start(project, "modern", ["mcp", "--toolsets", "all"]);
  const claim = () => assistant.refused("update_ticket_status", { ticketId: id, status: "COMPLETE" });
  const work = async (files: Record<string, string>) => {
    const { execution_id } = await assistant.ok("forge_execute_task", { block_id: "tickets", task_id: id });
    for (const [path, text] of Object.entries(files)) writeFileSync(join(project.cwd, path), text);
    const done = await assistant.ok("forge_commit_changes", {
      message: "Sums",
      execution_id,
      files: Object.keys(files),
    });
    expect(done).toMatchObject({ branch_merged: true });
  };

  // First: nothing was run at all.
  await work({ "src/sum.js": "export const sum = (a, b) => b - a;\n" });
  expect(JSON.stringify(await claim())).toContain("No check is bound");
  await assistant.ok("forge_bind_check", { ticketId: id, criterion: "AC-1", test: "test/sum.test.js::adds" });
  expect(JSON.stringify(await claim())).toContain("has not been run");
  const wrong = await assistant.ok("forge_verify_ticket", { ticketId: id });
  expect(wrong).toMatchObject({ proven: false, criteria: [{ state: "failed" }] });

  // Second: a test that passes on the base, bound in addition.
  await work({ "test/always.test.js": always.replace("adds", "is there") });
  await assistant.ok("forge_bind_check", { ticketId: id, criterion: "AC-1", test: "test/always.test.js::is there" });
  const green = await assistant.ok("forge_verify_ticket", { ticketId: id });
  expect(JSON.stringify(green)).toContain("passes without the change");
  expect(JSON.stringify(await claim())).toContain("AC-1");

  // Third: the check itself is weakened.
  await work({ "test/sum.test.js": always });
  const weakened = await assistant.ok("forge_verify_ticket", { ticketId: id });
  expect(weakened).toMatchObject({ proven: false });
  expect(JSON.stringify(await claim())).toContain("AC-1");
  // It cannot exempt a check, choose what it is compared with, or take back the checks it has bound.
  const exempt = { ticketId: id, criterion: "AC-1", test: "test/always.test.js::x", expect_green: true };
  expect(await assistant.refused("forge_bind_check", exempt)).toMatchObject({ code: "PERMISSION_DENIED" });
  for (const more of [{ expect_green: true }, { base: "HEAD" }])
    expect(await assistant.refused("forge_verify_ticket", { ticketId: id, ...more })).toMatchObject({
      code: "PERMISSION_DENIED",
    });
  await expect(assistant.refused("unbind_check", { ticketId: id, check: "C-2" })).rejects.toThrow("Unknown tool");

  // Then the work is really done; a person removes the check that shows nothing.
  await work({ "src/sum.js": rightSum, "test/sum.test.js": sumTest });
  const place = { cwd: project.cwd, env: project.env };
  const person = new PersonTerminal([process.execPath, forgeProgram, "check", "remove", id, "C-2"], place);
  await person.until("Remove C-2");
  person.type("y\r");
  expect([await person.exitCode, person.output]).toEqual([0, expect.stringContaining("Removed")]);
  const proven = await assistant.ok("forge_verify_ticket", { ticketId: id });
  expect(proven).toMatchObject({ proven: true, criteria: [{ state: "proven" }] });
  expect(await assistant.ok("update_ticket_status", { ticketId: id, status: "COMPLETE" })).toMatchObject({
    newStatus: "COMPLETE",
  });
  const receipt = project.forge("receipt", id);
  expect(receipt).toContain("**PASSED**");
  // Which assistant did the work.
  expect(receipt).toMatch(/merged \w{12}; by [^/;]+ with \S+; files: src\/sum\.js/);
  for (const { steps, late } of assistant.progressOfCalls().filter(({ name }) => name === "forge_verify_ticket")) {
    expect(steps.length).toBeGreaterThan(0);
    expect(late).toEqual([]);
  }
  expect(JSON.parse(project.forge("report", "--json"))["rows"]).toMatchObject([
    { who: expect.stringMatching(/ with \S+$/), claimed: 1, proven: 1, firstTry: 0 },
  ]);
}, 240_000);

test("a verification that is killed proves nothing, and the next one does", async () => {
  const slow = sumTest
    .replace(
      'test("adds", () =>',
      'test("adds", async () => {\n  await new Promise((done) => setTimeout(done, 1500));\n ',
    )
    .replace("4));", "4);\n});");
  const project = makeWorkbenchProject({
    "package.json": '{"type":"module","scripts":{"test":"node --test"}}\n',
    "src/sum.js": "export const sum = (a, b) => a - b;\n",
  });
  project.forge("trust", "--yes");
  const id = project.forge("create", "Sums are right", "--criterion", "2 + 2 is 4", "--status", "ready").trim();
  project.forge("check", "add", id, "AC-1", "--test", "test/sum.test.js::adds");
  project.forge("start", id);
  mkdirSync(join(project.cwd, "test"), { recursive: true });
  writeFileSync(join(project.cwd, "src/sum.js"), rightSum);
  writeFileSync(join(project.cwd, "test/sum.test.js"), slow);
  project.forge("run", "commit", "-m", "Right sums");
  const killed = spawn(process.execPath, [forgeProgram, "verify", id], { cwd: project.cwd, env: project.env });
  await eventually("a work tree", () => project.workTrees().length > 1);
  killed.kill("SIGKILL");
  await once(killed, "close");
  const shown = spawnSync(process.execPath, [forgeProgram, "proof", id, "--json"], {
    cwd: project.cwd,
    env: project.env,
  });
  expect(JSON.parse(shown.stdout.toString())["criteria"]).toMatchObject([
    { state: "unproven", why: "It has not been run." },
  ]);
  expect(JSON.parse(project.forge("verify", id, "--json"))).toMatchObject({ proven: true });
  expect(project.workTrees()).toHaveLength(1);
});

test("a person waives a criterion on their own terminal; nobody else can", async () => {
  const project = makeWorkbenchProject({ "README.md": "# Hello\n" });
  writeFileSync(join(project.cwd, ".gitignore"), ".forge/\n");
  const id = project.forge("create", "Words", "--criterion", "They are clear", "--status", "ready").trim();
  const words = ["waive", id, "AC-1", "--reason", "Nobody can tell", "--until", "2099-01-01"];
  const piped = spawnSync(process.execPath, [forgeProgram, ...words], {
    cwd: project.cwd,
    env: project.env,
    input: "y\n",
  });
  expect([piped.status, piped.stderr.toString()]).toEqual([1, expect.stringContaining("Only a person")]);
  const person = new PersonTerminal([process.execPath, forgeProgram, ...words], { cwd: project.cwd, env: project.env });
  await person.until("[y/N]");
  person.type("y\r");
  expect([await person.exitCode, person.output]).toEqual([0, expect.stringContaining("Waived AC-1")]);
  expect(project.forge("proof", id)).toContain("Waived by");
});
