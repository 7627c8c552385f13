import { expect, test } from "vitest";
import { bmadKit as kit } from "../../../../../test/harness/rooms/memory/bmad-kit.ts";
import { startMemoryServer } from "../../../../../test/harness/rooms/memory/memory-server.ts";

type Learnings = { agents: string[]; learnings: { text: string; source: string; score?: number }[]; total: number };

test.each(["ops-engineer", "forge", "Forge", "infra-ops"])(
  "learnings of one agent by the name %s, from both of its files",
  async (agent) => {
    const { ok } = await startMemoryServer({ files: kit });
    await ok("remember_structured", { type: "agent-learnings", agent: "forge", text: "Snapshots before upgrades" });
    const { learnings, total } = await ok<Learnings>("get_agent_memory", { agent });
    expect(total).toBe(4);
    expect(learnings.map(({ source }) => source)).toEqual([
      expect.stringMatching(/^memory:/),
      "_bmad/_memory/agent-learnings/infra-ops.md:4",
      "_bmad/_memory/agent-learnings/infra-ops.md:2",
      "_bmad/_memory/agent-learnings/ops-engineer.md:3",
    ]);
    expect((await ok<Learnings>("get_agent_memory", { agent, last_n: 1 })).learnings).toHaveLength(1);
  },
);

test("a tag of two agents means both; a query ranks by meaning", async () => {
  const { ok } = await startMemoryServer({ files: kit });
  const both = await ok<Learnings>("get_agent_memory", { agent: "pixel" });
  expect(both.learnings.map(({ text }) => text).sort()).toEqual(["Buttons need labels", "Strict mode finds errors"]);
  const ranked = await ok<Learnings>("get_agent_memory", { agent: "pixel", query: "accessibility of controls" });
  expect(ranked.learnings[0]).toMatchObject({ text: "Buttons need labels", score: expect.any(Number) });
});

test("an agent without learnings is known, one that no file names is not, and a path is refused", async () => {
  const { ok, fails } = await startMemoryServer({
    files: { ...kit, "_bmad/_config/custom/agents/quiet.md": "AGENT_TAG=quiet\n" },
  });
  expect(await ok("get_agent_memory", { agent: "quiet" })).toMatchObject({ learnings: [] });
  expect(await fails("get_agent_memory", { agent: "nobody" })).toMatchObject({ code: "AGENT_NOT_FOUND" });
  for (const agent of ["../../etc/passwd", "a\\b", "/etc/passwd", "a\0b", ".."])
    expect((await fails("get_agent_memory", { agent })).code).toBe("VALIDATION_ERROR");
});
