import { expect, test } from "vitest";
import { startMemoryServer } from "../../../../../test/harness/rooms/memory/memory-server.ts";
import { toAppId, uuid5 } from "../../model/ids.ts";

type Result = { id: string; text: string; type: string; agent: string; score: number; origin: string; derived?: true };
type Recalled = { results: Result[]; degraded: boolean };

const decision = {
  type: "decisions",
  agent: "architect",
  text: "Sessions are stored in Redis so that servers stay stateless.",
};

test("the id is the one that the kit's own vector gives, and the type is part of ours", async () => {
  expect(uuid5("6ba7b810-9dad-11d1-80b4-00c04fd430c8", "bmad-demo-project:dev:Utiliser Postgres 16")).toBe(
    "278daa92-ab0c-569e-ae32-69031705b846",
  );
  expect(toAppId("Demo Project")).toBe("bmad-demo-project");
  const { ok } = await startMemoryServer({ files: { "project-context.yaml": "project:\n  name: Demo Project\n" } });
  const memory = { agent: "dev", text: "Utiliser Postgres 16" };
  const first = await ok("remember_structured", { ...memory, type: "decisions" });
  const second = await ok("remember_structured", { ...memory, type: "stories" });
  expect(first).toMatchObject({ historic_id: "278daa92-ab0c-569e-ae32-69031705b846", created: true, degraded: false });
  expect(second["historic_id"]).toBe(first["historic_id"]);
  expect(second["id"]).not.toBe(first["id"]);
});

test("the same memory twice is one, with the tags of both", async () => {
  const { ok } = await startMemoryServer();
  const first = await ok("remember_structured", { ...decision, tags: ["redis"] });
  const again = await ok("remember_structured", { ...decision, text: `  ${decision.text}\n`, tags: ["session"] });
  expect(again).toMatchObject({ id: first["id"], created: false });
  const { results } = await ok<{ results: { tags: string[] }[] }>("recall_structured", {
    query: "where are sessions kept",
  });
  expect(results).toHaveLength(1);
  expect(results[0]?.tags).toEqual(["redis", "session"]);
});

test("text that was recalled and stored again is marked as derived, however often", async () => {
  const { ok } = await startMemoryServer();
  await ok("remember_structured", decision);
  for (let round = 0; round < 5; round++) await ok("remember_structured", { ...decision, agent: `echo-${round}` });
  const all = await Promise.all(
    [0, 1, 2, 3, 4].map((round) =>
      ok<Recalled>("recall_structured", { query: "redis sessions", agent: `echo-${round}` }),
    ),
  );
  expect(all.flatMap(({ results }) => results).every(({ derived }) => derived)).toBe(true);
  const { results } = await ok<Recalled>("recall_structured", { query: "redis sessions", agent: "architect" });
  expect(results[0]?.derived).toBeUndefined();
});

test.each([
  ["text", { text: "The key is ghp_0123456789abcdefghijABCDEFGHIJ012345" }],
  ["tags", { tags: ["AKIAIOSFODNN7EXAMPLE"] }],
])("a secret in the %s is refused, and nothing is stored", async (field, change) => {
  const { fails, ok } = await startMemoryServer();
  const error = await fails("remember_structured", { ...decision, ...change });
  expect(error).toMatchObject({ code: "VALIDATION_ERROR", details: { field } });
  expect(error.message).not.toContain("ghp_");
  expect((await ok<Recalled>("recall_structured", { query: "key redis sessions" })).results).toEqual([]);
});

test("a forgotten memory is gone, also for another process and after a restart", async () => {
  const first = await startMemoryServer();
  const second = await startMemoryServer({ root: first.cwd });
  const { id } = await first.ok<{ id: string }>("remember_structured", decision);
  const recall = { query: "redis sessions" };
  expect((await second.ok<Recalled>("recall_structured", recall)).results).toHaveLength(1);
  await second.command("forget_memories", { ids: [id] });
  expect((await first.ok<Recalled>("recall_structured", recall)).results).toEqual([]);
  const later = await startMemoryServer({ root: first.cwd });
  expect((await later.ok<Recalled>("recall_structured", recall)).results).toEqual([]);
  expect((await later.ok("remember_structured", decision))["created"]).toBe(true);
  expect((await first.ok<Recalled>("recall_structured", recall)).results).toHaveLength(1);
});

test("what only a person may do is unknown over MCP", async () => {
  const { client } = await startMemoryServer();
  for (const name of ["forget_memories", "import_memories", "export_memories", "list_memories", "embed_memories"])
    await expect(client.callTool({ name, arguments: {} })).rejects.toThrow(`Unknown tool: ${name}`);
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name).sort()).toEqual([
    "get_agent_memory",
    "get_failure_museum",
    "get_project_context",
    "get_workflow_status",
    "list_sessions",
    "recall_structured",
    "record_failure",
    "remember_structured",
    "run_completion_contract",
  ]);
  const tokens =
    JSON.stringify(tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }))).length / 4;
  expect(tokens).toBeLessThanOrEqual(1_200);
});
