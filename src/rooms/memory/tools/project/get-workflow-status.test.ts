import { expect, test } from "vitest";
import { startMemoryServer } from "../../../../../test/harness/rooms/memory/memory-server.ts";

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
          ...{ status: "in-progress", line: 4, retrospective: "optional" },
          stories: [
            { id: "1-1-login", line: 5 },
            { id: "1-2-logout", line: 6 },
          ],
        },
      ],
      source: "_bmad-output/impl/sprint-status.yaml",
    },
  });
});
