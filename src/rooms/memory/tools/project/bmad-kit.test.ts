import { expect, test } from "vitest";
import { startMemoryServer } from "../../../../../test/harness/memory-server.ts";

const kit = {
  "project-context.yaml":
    "project:\n  name: Demo Project\n  description: A shop\n  type: infra\n  stack:\n    - terraform\n    - proxmox\nsession_branch: feature/login\n",
  "_bmad/_config/custom/agent-base.md": "# base\n",
  "_bmad/_config/custom/agents/ops-engineer.md":
    "# Ops\n\nAGENT_TAG=forge | AGENT_NAME=Forge | LEARNINGS_FILE=infra-ops | DOMAIN=infra\n",
  "_bmad/_config/custom/agents/typescript-expert.md":
    "AGENT_TAG=pixel | AGENT_NAME=Pixel TS | LEARNINGS_FILE=frontend-ts.md\n",
  "_bmad/_config/custom/agents/frontend-specialist.md":
    "AGENT_TAG=pixel | AGENT_NAME=Pixel | LEARNINGS_FILE=frontend-ux\n",
  "_bmad/_config/custom/agents/custom-agent.tpl.md": "AGENT_TAG={{tag}}\n",
  "_bmad/_memory/shared-context.md":
    "# Shared\n\n## Projet\n- **Nom** : Demo\n- **Repo** : {{repo}}\n\n## Infrastructure\n- Proxmox 8, three nodes\n\n## Décisions\n- [2026-01-02] Use VLANs\n\n## Conventions\n- Tabs\n\n<!-- - hidden -->\n",
  "_bmad/_memory/decisions-log.md":
    "# Log\n\n## 2026-02-01\n- [ARCH] Use PostgreSQL 16\n\n- [2026-03-05] Rename the service\n",
  "_bmad/_memory/agent-learnings/ops-engineer.md":
    "# Learnings — ops\n\n- [2026-01-01] Ceph needs an odd number of monitors\n",
  "_bmad/_memory/agent-learnings/infra-ops.md":
    "\ufeff# Learnings\r\n- [2026-02-02] Reboot nodes one by one\r\n<<<<<<< HEAD\r\n- [2026-02-03] From a conflict\r\n=======\r\n>>>>>>> x\r\n",
  "_bmad/_memory/agent-learnings/frontend-ts.md": "- [2026-01-05] Strict mode finds errors\n",
  "_bmad/_memory/agent-learnings/frontend-ux.md": "- [2026-01-06] Buttons need labels\n",
};

type Context = {
  name: string;
  stack: Item[];
  decisions: Item[];
  architecture: Item[];
  agents: { id: string }[];
  problems: unknown[];
};
type Item = { text: string; source: string; date?: string };
type Learnings = { agents: string[]; learnings: { text: string; source: string; score?: number }[]; total: number };

test("the context of a kit project, each item with its file and line", async () => {
  const { ok } = await startMemoryServer({ files: kit });
  const context = await ok<Context>("get_project_context");
  expect(context).toMatchObject({ name: "Demo Project", description: "A shop", problems: [] });
  expect(context.stack).toEqual([
    { text: "terraform", source: "project-context.yaml:6" },
    { text: "proxmox", source: "project-context.yaml:7" },
  ]);
  expect(context.decisions.map(({ text, date, source }) => [text, date, source])).toEqual([
    ["[2026-03-05] Rename the service", "2026-03-05", "_bmad/_memory/decisions-log.md:6"],
    ["[ARCH] Use PostgreSQL 16", "2026-02-01", "_bmad/_memory/decisions-log.md:4"],
    ["[2026-01-02] Use VLANs", "2026-01-02", "_bmad/_memory/shared-context.md:11"],
  ]);
  expect(context.architecture.map(({ text }) => text)).toEqual(["[ARCH] Use PostgreSQL 16", "Proxmox 8, three nodes"]);
  expect(context.agents.map(({ id }) => id)).toEqual(["frontend-specialist", "ops-engineer", "typescript-expert"]);
  expect(JSON.stringify(context)).not.toMatch(/\{\{|hidden/);
  expect(Object.keys(await ok("get_project_context", { section: "stack" }))).not.toContain("decisions");
});

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

test("the successor's folders, and a project with none of them", async () => {
  const renamed = Object.fromEntries(
    Object.entries(kit).map(([path, text]) => [path.replace("_bmad", "_grimoire"), text]),
  );
  const { ok } = await startMemoryServer({ files: renamed });
  expect((await ok<Context>("get_project_context")).decisions).toHaveLength(3);
  const bare = await startMemoryServer({ name: "plain" });
  expect(await bare.ok("get_project_context")).toMatchObject({
    name: "plain",
    agents: [],
    decisions: [],
    installed: [],
  });
  expect(await bare.ok("get_workflow_status")).toEqual({ kind: "none", problems: [] });
  expect(await bare.ok("list_sessions")).toEqual({ sessions: [], problems: [] });
});

test("files that are broken, huge or not text are named and do not matter otherwise", async () => {
  const { ok, write } = await startMemoryServer({ files: kit });
  write("project-context.yaml", `a: &a [x]\nb: ${"[".repeat(500)}`);
  write("_bmad/_memory/decisions-log.md", Buffer.from([0xff, 0xfe, 0, 1]));
  write("_bmad/_memory/shared-context.md", Buffer.alloc(50 * 1_048_576, "x"));
  const context = await ok<Context & { problems: { file: string }[] }>("get_project_context");
  expect(new Set(context.problems.map(({ file }) => file))).toEqual(
    new Set(["project-context.yaml", "_bmad/_memory/decisions-log.md", "_bmad/_memory/shared-context.md"]),
  );
});

const state = (id: string, more: object = {}) =>
  JSON.stringify({
    run_id: id,
    status: "running",
    current_step: 2,
    total_steps: 5,
    steps_completed: [1],
    started_at: "2026-02-01T10:00:00Z",
    ...more,
  });

test("runs by branch and id; a half-written newest run is told with the last readable one", async () => {
  const { ok, fails } = await startMemoryServer({
    files: {
      "_bmad-output/.runs/main/branch.json": JSON.stringify({ branch: "main", status: "active" }),
      "_bmad-output/.runs/main/dev-20260101-100000/state.json": state("dev-20260101-100000", {
        started_at: "2026-01-01T10:00:00Z",
      }),
      "_bmad-output/.runs/main/dev-20260301-100000/state.json": '{"run_id": "dev-2026',
      "_bmad-output/.runs/feature/login/branch.json": JSON.stringify({
        branch: "feature/login",
        status: "merged",
        purpose: "Login",
      }),
      "_bmad-output/.runs/feature/login/r1/state.json": state("r1", { status: "completed" }),
      "_bmad-output/.runs/feature/login/r1/workflow-graph.yaml":
        "nodes:\n  - id: n1\n    label: Plan\n    status: completed\n    depends_on: []\n",
      "_bmad-output/.runs/broken/branch.json": "{",
      "_bmad-output/.runs/broken/r2/state.json": state("r2", { status: "failed" }),
      "_bmad-output/.runs/archive/old-20250101/branch.json": "{}",
      "_bmad-output/.runs/loose-20250101-000000/state.json": state("loose", { started_at: "2025-01-01T00:00:00Z" }),
    },
  });
  const newest = await ok("get_workflow_status");
  expect(newest).toMatchObject({
    kind: "run",
    run: { run_id: "dev-20260101-100000", branch: "main", current_step: 2 },
    unreadable: { run_id: "dev-20260301-100000" },
  });
  expect(await ok("get_workflow_status", { branch: "feature/login" })).toMatchObject({
    run: { run_id: "r1", status: "completed", nodes: [{ id: "n1", label: "Plan" }] },
  });
  expect(await ok("get_workflow_status", { run_id: "loose-20250101-000000" })).toMatchObject({
    run: { run_id: "loose" },
  });
  expect((await fails("get_workflow_status", { run_id: "nope" })).code).toBe("NOT_FOUND");
  for (const branch of ["../main", "/etc", "a\\b", "a/../b", "a//b"])
    expect((await fails("get_workflow_status", { branch })).code).toBe("VALIDATION_ERROR");
  expect((await fails("get_workflow_status", { run_id: "../main" })).code).toBe("VALIDATION_ERROR");
  const { sessions } = await ok<{ sessions: { branch: string; status: string; runs: number }[] }>("list_sessions");
  expect(sessions.map(({ branch, status, runs }) => [branch, status, runs])).toEqual([
    ["broken", "failed", 1],
    ["feature/login", "completed", 1],
    ["main", "active", 2],
  ]);
  expect((await ok<{ sessions: unknown[] }>("list_sessions", { status: "failed" })).sessions).toHaveLength(1);
});

test("the sprint's stories where there are no runs", async () => {
  const { ok } = await startMemoryServer({
    files: {
      "_bmad/bmm/config.yaml": 'project_name: Shop\nimplementation_artifacts: "{project-root}/_bmad-output/impl"\n',
      "_bmad-output/impl/sprint-status.yaml":
        "generated: 2026-01-01\nproject: Shop\ndevelopment_status:\n  epic-1: in-progress\n  1-1-login: done\n  1-2-logout: review\n  epic-1-retrospective: optional\n",
    },
  });
  expect(await ok("get_workflow_status")).toMatchObject({
    kind: "sprint",
    sprint: {
      counts: { done: 1, review: 1 },
      epics: [
        {
          id: "epic-1",
          status: "in-progress",
          retrospective: "optional",
          stories: [{ id: "1-1-login" }, { id: "1-2-logout" }],
        },
      ],
      source: "_bmad-output/impl/sprint-status.yaml",
    },
  });
});
