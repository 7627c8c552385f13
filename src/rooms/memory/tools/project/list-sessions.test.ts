import { expect, test } from "vitest";
import { startMemoryServer } from "../../../../../test/harness/rooms/memory/memory-server.ts";

test("a session's status: merged is completed, a failed latest run is failed, anything else is active", async () => {
  const run = (status: string) => JSON.stringify({ run_id: "r", status, started_at: "2026-01-01T00:00:00Z" });
  const { ok } = await startMemoryServer({
    files: {
      "_bmad-output/.runs/a/branch.json": JSON.stringify({ status: "merged" }),
      "_bmad-output/.runs/b/branch.json": JSON.stringify({ status: "active", purpose: "Try it", parent_branch: null }),
      "_bmad-output/.runs/b/r/state.json": run("failed"),
      "_bmad-output/.runs/c/r/state.json": run("running"),
    },
  });
  const { sessions } = await ok<{ sessions: { branch: string; status: string }[] }>("list_sessions");
  expect(sessions.map(({ branch, status }) => `${branch} ${status}`)).toEqual(["a completed", "b failed", "c active"]);
  expect(sessions[1]).toMatchObject({ purpose: "Try it", latest_run: { run_id: "r", status: "failed" } });
  const active = await ok<{ sessions: { branch: string }[] }>("list_sessions", { status: "active" });
  expect(active.sessions.map(({ branch }) => branch)).toEqual(["c"]);
});
