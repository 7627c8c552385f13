import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { PersonTerminal } from "../harness/cli/person-terminal.ts";
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
  writeFileSync(join(project.cwd, ".forge", "project.json"), '{"proof":"required"}');
  const id = project.forge("create", "Sums are right", "--criterion", "2 + 2 is 4", "--status", "ready").trim();
  const assistant = await Assistant.start(project, "modern", ["mcp", "--toolsets", "all"]);
  const claim = () => assistant.refused("update_ticket_status", { ticketId: id, status: "COMPLETE" });
  const work = async (files: Record<string, string>) => {
    const { execution_id } = await assistant.ok("forge_execute_task", { block_id: "tickets", task_id: id });
    for (const [path, text] of Object.entries(files)) writeFileSync(join(project.cwd, path), text);
    const done = await assistant.ok("forge_commit_changes", { message: "Sums", execution_id });
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
  // It cannot take back the checks it has bound.
  expect(await assistant.refused("unbind_check", { ticketId: id, check: "C-2" })).toMatchObject({
    code: "TOOL_NOT_FOUND",
  });

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
  expect(project.forge("receipt", id)).toContain("**PASSED**");
  for (const { steps, late } of assistant.progressOfCalls().filter(({ name }) => name === "forge_verify_ticket")) {
    expect(steps.length).toBeGreaterThan(0);
    expect(late).toEqual([]);
  }
  expect(JSON.parse(project.forge("report", "--json"))["rows"]).toMatchObject([{ claimed: 1, proven: 1, firstTry: 0 }]);
}, 240_000);
