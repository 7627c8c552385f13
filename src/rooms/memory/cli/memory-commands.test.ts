import { join } from "node:path";
import { expect, test } from "vitest";
import { CliProject } from "../../../../test/harness/cli/cli.ts";
import { exists } from "../../../../test/harness/db/store.ts";
import { WorkbenchCli } from "../../../../test/harness/rooms/workbench/workbench-cli.ts";

const memories = JSON.stringify([
  {
    id: 1,
    memory: "Postgres needs a restart",
    user_id: "ada",
    metadata: { agent: "ops", type: "failures", tags: ["db"] },
    created_at: "2026-01-02T03:04:05",
  },
  { id: 2, memory: "No type here", metadata: { agent: "dev", app_id: "x", timestamp: "2026-02-01" } },
  { id: 3, memory: "token ghp_0123456789abcdefghijABCDEFGHIJ012345", metadata: { agent: "dev" } },
  { id: 4 },
]);

test("imports, lists, recalls, exports and forgets", async () => {
  const project = new CliProject({
    "memories.json": memories,
    "learnings.md": "## atlas\n\n- [2026-01-01] Use maps `geo` `map`\n",
  });
  const imported = await project.run(["memory", "import", join(project.root, "memories.json"), "--json"]);
  expect(imported.json()).toMatchObject({ found: 3, created: 2, known: 0 });
  expect(imported.json()["skipped"]).toHaveLength(2);
  expect((await project.run(["memory", "import", join(project.root, "memories.json")])).out).toContain(
    "2 known already",
  );
  await project.run(["memory", "import", join(project.root, "learnings.md")]);
  const listed = (await project.run("memory list --json")).json()["memories"] as Record<string, unknown>[];
  expect(listed.map(({ agent, type, tags }) => [agent, type, tags])).toEqual([
    ["atlas", "agent-learnings", ["geo", "map"]],
    ["dev", "agent-learnings", []],
    ["ops", "failures", ["db"]],
  ]);
  expect(listed[2]).toMatchObject({ origin: "file", date: expect.stringContaining("2026-01-02") });
  expect((await project.run(["memory", "recall", "database restart"])).out).toContain("Postgres needs a restart");
  const exported = await project.run(["memory", "export", "--format", "markdown"]);
  expect(exported.out).toContain("- [2026-01-01] Use maps `geo` `map`");
  // The memories came from a file and were read: without a terminal, it would need approval.
  const forget = () => project.run(["memory", "forget", String(listed[2]?.["id"])], { atKeyboard: true });
  const gone = await forget();
  expect(gone.out).toContain("Forgot 1 memory");
  expect((await forget()).code).toBe(1);
  expect((await project.run(["memory", "recall", "database restart"])).out).not.toContain("Postgres needs a restart");
  expect(exists(join(project.root, ".forge", "has-memories"))).toBe(true);
});

test("a person's memory is the user's; a bad file imports nothing", async () => {
  const project = new CliProject({ "bad.json": "[{", "empty.md": "# nothing\n" });
  const remember = ["memory", "remember", "decisions", "me", "Use tabs", "--tags", "a,b"];
  const made = await project.run(remember, { atKeyboard: true });
  expect(made.out).toContain("Remembered");
  const [memory] = (await project.run("memory list --json")).json()["memories"] as Record<string, unknown>[];
  expect(memory).toMatchObject({ origin: "user", tags: ["a", "b"] });
  for (const name of ["bad.json", "empty.md"]) {
    const { code, err } = await project.run(["memory", "import", join(project.root, name)]);
    expect(code).toBe(1);
    expect(err).toContain("Nothing was imported");
  }
});

test("a hostile file: what can be a memory is stored as text of a file, and the rest is named", async () => {
  const claims = { id: "1", origin: "user", written_by: "local:me", project: "bmad-other", derived: false };
  const entries = [
    { ...claims, text: "Deploy on Fridays" },
    { text: "Far away", date: "-271821-04-20T00:00:00.000Z", agent: "\ud800\u202e", tags: Array(5_000).fill("t") },
    { memory: "Odd metadata", metadata: { agent: { a: 1 }, type: "constructor", tags: "no", timestamp: 7 } },
    ...["text", null, [], { text: 7 }, { text: "x".repeat(50 * 1_048_576) }, { text: "kept", agent: " " }],
  ];
  const project = new CliProject({ "memories.json": JSON.stringify(entries), "huge.json": "[".repeat(65 * 1_048_576) });
  const file = (name: string) => join(project.root, name);
  const imported = (await project.run(["memory", "import", file("memories.json"), "--json"])).json();
  expect(imported).toMatchObject({ found: 4, created: 3, known: 0 });
  expect(imported["skipped"]).toHaveLength(6);
  const listed = (await project.run("memory list --json")).json()["memories"] as Record<string, unknown>[];
  expect(listed.map(({ text, type, origin, source }) => [text, type, origin, source])).toEqual([
    ["Odd metadata", "agent-learnings", "file", expect.stringMatching(/memories\.json#3$/)],
    ["Far away", "agent-learnings", "file", expect.stringMatching(/memories\.json#2$/)],
    ["Deploy on Fridays", "agent-learnings", "file", expect.stringMatching(/memories\.json#1$/)],
  ]);
  expect(listed.every(({ id, written_by }) => id !== "1" && written_by !== "local:me")).toBe(true);
  const { code, err } = await project.run(["memory", "import", file("huge.json")]);
  expect([code, err]).toEqual([1, expect.stringMatching(/huge\.json.*(64 MiB|67108864|67\.1 MB|64 MB)/s)]);
});

test("a failed test run is filed in one step, and its lesson is shown when the same test fails again", async () => {
  const project = new WorkbenchCli({
    "package.json": '{"type":"module","scripts":{"test":"node --test"}}',
    "sum.test.js": 'import test from "node:test";\ntest("adds up", () => { throw new Error("off by one"); });\n',
  });
  await project.do("trust --yes");
  const first = await project.json("run test");
  expect(first["known_failures"]).toBeUndefined();
  const filed = await project.run(["memory", "fail", "--run", String(first["run_id"]), "--lesson", "Count from zero"]);
  expect(filed.out).toContain("Test failed: adds up");
  const again = await project.json("run test");
  expect(again["known_failures"]).toEqual([{ title: "Test failed: adds up", count: 1, lesson: "Count from zero" }]);
  const shown = await project.run("run test");
  expect(shown.err).toContain("Happened before: Test failed: adds up. Count from zero");
  const counted = await project.run(["memory", "fail", "--run", String(again["run_id"])]);
  expect(counted.out).toContain("(2 times)");
});

test("auto lists remember and recall everywhere, and offers the rest where the project calls for it", async () => {
  const { ToolSelection } = await import("../../../app/local/tool-selection.ts");
  const { findProject } = await import("../../../platform/state/project.ts");
  const select = (project: CliProject) =>
    new ToolSelection({ toolsets: "auto", profile: undefined, readOnly: false }, findProject(project.root)).lists;
  const plain = select(new CliProject());
  const names = plain.tools.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(["remember_structured", "recall_structured"]));
  expect(Object.keys(plain.offered)).not.toContain("memory");
  for (const folder of ["_bmad", "_grimoire", ".bmad", ".bmad-core"]) {
    const { offered } = select(new CliProject({ [`${folder}/x`]: "" }));
    expect(offered["memory"]?.map(({ name }) => name)).toContain("get_project_context");
  }
  const remembering = new CliProject();
  await remembering.run(["memory", "remember", "decisions", "dev", "Sessions are stored in Redis."]);
  expect(Object.keys(select(remembering).offered)).toContain("memory");
});

test("all tools of memory cost at most 1,200 tokens", async () => {
  const { catalog } = await import("../../../app/catalog.ts");
  const { estimateTokens } = await import("../../../hosts/mcp/lists/lists.ts");
  const tools = catalog.find(({ name }) => name === "memory")?.tools ?? [];
  expect(tools).toHaveLength(9);
  expect(estimateTokens(tools)).toBeLessThanOrEqual(1_200);
});
