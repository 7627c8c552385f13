import { expect, test } from "vitest";
import { ProofProject } from "../../../../test/harness/rooms/proof/proof-project.ts";

type Criterion = { id: string; state: string; why: string };

const rules = {
  invariants: [
    { name: "page_count", constraint: "non_zero", glob: "pages/*.html" },
    { name: "answer", constraint: "equal", value: 42, command: ["node", "answer.mjs"] },
  ],
};
const layers = { layers: [{ name: "code", glob: "src/**", forbidden: ["eval\\("] }] };

function openProject(more: Record<string, string> = {}) {
  return ProofProject.open({
    "Forge/invariants.json": JSON.stringify(rules),
    "Forge/Contracts/boundaries.json": JSON.stringify(layers),
    "answer.mjs": 'import { readFileSync } from "node:fs";\nconsole.log(readFileSync("answer.txt", "utf8"));\n',
    "answer.txt": "41",
    ...more,
  });
}

test("an invariant proves a criterion that it did not hold before, and the receipt says which invariants held", async () => {
  const project = await openProject();
  const id = await project.ticket("There is a page", "The answer is right", "The code stays clean");
  for (const [index, name] of ["page_count", "answer", "boundary:code"].entries())
    await project.do(["check", "add", id, `AC-${index + 1}`, "--invariant", name]);
  await project.change(id, { "pages/a.html": "<p>", "answer.txt": "42", "src/new.js": "eval('1');\n" });
  const criteria = (await project.json(["verify", id]))["criteria"] as unknown as Criterion[];
  expect(criteria.map(({ state }) => state)).toEqual(["proven", "proven", "failed"]);
  expect(criteria[0]?.why).toContain("page_count holds: It is 1. It fails without the change");
  expect(criteria[2]?.why).toContain("src/new.js:1");
  const receipt = (await project.do(["receipt", id])).replaceAll("\\", "");
  for (const line of ["page_count: held. It is 1.", "answer: held", "boundary:code: broken", "syntax_errors: held"])
    expect(receipt).toContain(line);
});

test("one that held before proves nothing, and work cannot loosen the rules that it is held to", async () => {
  const project = await openProject({ "pages/a.html": "<p>" });
  const id = await project.ticket("There is a page", "The answer is right");
  await project.do(["check", "add", id, "AC-1", "--invariant", "page_count"]);
  await project.do(["check", "add", id, "AC-2", "--invariant", "answer"]);
  const loose = { invariants: rules.invariants.map((one) => ({ ...one, ...("value" in one && { value: 41 }) })) };
  await project.do(["start", id]);
  project.write("Forge/invariants.json", JSON.stringify(loose));
  project.git("commit", "-qam", "Loosen");
  const criteria = (await project.json(["verify", id]))["criteria"] as unknown as Criterion[];
  expect(criteria.map(({ state, why }) => [state, why])).toEqual([
    ["unproven", "It also passes without the change, so it proves nothing."],
    ["failed", "answer: It is 41, must be 42."],
  ]);
});

test("one that cannot be measured without the change proves nothing; a command that fails there does", async () => {
  const project = await openProject();
  const id = await project.ticket("All tests pass", "There are files", "The answer is right");
  for (const [index, name] of ["backend_test_failures", "total_files", "answer"].entries())
    await project.do(["check", "add", id, `AC-${index + 1}`, "--invariant", name]);
  project.git("rm", "-q", "answer.txt");
  project.git("commit", "-qm", "No answer");
  await project.change(id, { "answer.txt": "42" });
  await project.tool("forge_run_tests", {});
  const criteria = (await project.json(["verify", id]))["criteria"] as unknown as Criterion[];
  expect(criteria.map(({ state, why }) => [state, why])).toEqual([
    ["unproven", expect.stringContaining("It had no result without the change")],
    ["unproven", expect.stringContaining("It had no result without the change")],
    ["proven", expect.stringContaining("ends with an error without the change")],
  ]);
}, 30_000);

test("a name that the project does not have is refused with the nearest", async () => {
  const project = await openProject();
  const id = await project.ticket();
  const error = await project.refused("forge_bind_check", { ticketId: id, criterion: "AC-1", invariant: "page_cont" });
  expect(error).toContain('no invariant "page_cont"');
  expect(error).toContain("page_count");
});
