import { expect, test } from "vitest";
import { parseDefinition } from "../../src/rooms/registry/client/definitions/parse-definition.ts";
import { fractaryForgeAgentList } from "../../src/rooms/registry/tools/agent/fractary-forge-agent-list.ts";
import { trustSandbox } from "../harness/commons/trust.ts";
import { startMemoryServer } from "../harness/rooms/memory/memory-server.ts";
import { RegistryProject } from "../harness/rooms/registry.ts";

/** Each of these took a minute or more when its time grew with the square of the input. */
const soon = 5_000;

/** Of this process alone: however busy the machine is, it is the same. */
function timeOf(work: () => unknown): number {
  const { user } = process.cpuUsage();
  work();
  return process.cpuUsage().user / 1_000 - user / 1_000;
}

test("C08 front matter of a hundred thousand lines is read in time that grows with its length", () => {
  for (const line of ["- a", "more of it"]) {
    const text = `---\nname: a\ndescription: b\ntools: [\n${`${line}\n`.repeat(90_000)}---\nbody`;
    const time = timeOf(() => parseDefinition(text, { path: "a.md", kind: "agent" }));
    expect(time, line).toBeLessThan(soon);
  }
});

test("C08 front matter that is no YAML keeps a value's lines, lists and the last of two values", () => {
  const front =
    "name: a\ndescription: Use: >\n  when\n  it fits\ntools: x\n- one\n- 'two'\nmodel: |\n  big\nmodel: small\n";
  const { fields } = parseDefinition(`---\n${front}---\n`, { path: "a.md", kind: "agent" });
  expect(fields).toEqual({
    name: "a",
    description: "Use: > when it fits",
    tools: ["one", "two"],
    model: "small",
  });
});

test("B12 other calls have their turn while the definitions of a project are read", async () => {
  const values = Array.from({ length: 3_000 }, (_, index) => `  - {id: ${index}}\n`).join("");
  const files = Array.from({ length: 30 }, (_, index) => [
    `.fractary/tools/t${index}.yaml`,
    `name: t${index}\ndescription: x\nvalues:\n${values}`,
  ]);
  const project = new RegistryProject(Object.fromEntries(files));
  let [last, longest] = [performance.now(), 0];
  const turn = () => {
    longest = Math.max(longest, performance.now() - last);
    last = performance.now();
    timer = setImmediate(turn);
  };
  let timer = setImmediate(turn);
  const started = last;
  await project.call(fractaryForgeAgentList, {});
  const time = performance.now() - started;
  turn();
  clearImmediate(timer);
  expect(longest).toBeLessThan(time / 3);
});

test.each([
  ["a command", { ".forge/workbench.json": { testCommand: ["sh", "-c", ...Array(190).fill("make ".repeat(800))] } }],
  ["short words", { ".forge/workbench.json": { testCommand: ["npm", ...Array(190).fill("a ".repeat(2_000))] } }],
  [
    "patterns for scripts",
    {
      "package.json": {
        scripts: Object.fromEntries(Array.from({ length: 30_000 }, (_, at) => [`s${at}`, `npm run s${at}* x${at}*`])),
      },
    },
  ],
  ["settings of mypy", { "setup.py": "", "mypy.ini": "\n".repeat(1_000_000) }],
])("C08 what a command of a clone would run is found in time that grows with its length: %s", async (_what, files) => {
  const textOf = (content: unknown) => (typeof content === "string" ? content : JSON.stringify(content));
  const texts = Object.entries(files).map(([path, content]) => [path, textOf(content)]);
  const { state, repository } = trustSandbox();
  const root = repository("shop", Object.fromEntries(texts));
  const { user } = process.cpuUsage();
  const { items, refused } = await state(root);
  expect(items.length + refused.length).toBeGreaterThan(1);
  expect(process.cpuUsage().user / 1_000 - user / 1_000).toBeLessThan(soon);
});

test("C08 of the BMAD files of a project, only so much is read for one answer", async () => {
  const state = JSON.stringify({ run_id: "r", status: "running", more: "x".repeat(2_000_000) });
  const graph = `nodes:\n${Array.from({ length: 3_500 }, (_, index) => `  - {id: ${index}}\n`).join("")}`;
  const runs = Array.from({ length: 20 }, (_, index) => `_bmad-output/.runs/main/run-${index}`);
  const files = runs.flatMap((run) => [
    [`${run}/state.json`, state],
    [`${run}/workflow-graph.yaml`, graph],
  ]);
  const { ok } = await startMemoryServer({ files: Object.fromEntries(files) });
  const shown = await ok<{ run: { nodes: unknown[] }; problems: { why: string }[] }>("get_workflow_status");
  expect(shown.run.nodes).toHaveLength(200);
  expect(shown.problems.map(({ why }) => why)).toContain(
    "was not read: with it, these files are larger than 32 MB together",
  );
});
