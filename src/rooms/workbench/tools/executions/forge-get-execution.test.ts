import { expect, test } from "vitest";
import {
  bob,
  brokenProject,
  openRoom,
  type Room,
} from "../../../../../test/harness/rooms/workbench/workbench-executions.ts";
import { forgeExecuteTask } from "./forge-execute-task.ts";
import { forgeGetExecution } from "./forge-get-execution.ts";
import { forgeRunTests } from "./forge-run-tests.ts";

type Seen = {
  files: Record<string, unknown>[];
  timeline: { kind: string; message: string; details: Record<string, unknown> }[];
};
type Summary = { issues: { message: string }[]; omitted: { files: number }; next: unknown };

async function begin(room: Room): Promise<string> {
  const task = await room.task();
  const input = { block_id: task.blockId, task_id: task.id };
  return String((await room.ok(forgeExecuteTask, input))["execution_id"]);
}

test("shows what was changed past Forge's tools, as git sees it", async () => {
  const room = openRoom();
  room.put({ "notes.txt": "mine\n" });
  const id = await begin(room);
  room.put({ "a.txt": "one\ntwo\n", "new.txt": "new\n" });
  const seen = await room.ok<Seen>(forgeGetExecution, { execution_id: id }, bob);
  expect(seen.files).toEqual([
    { path: "a.txt", action: "modified", lines_added: 1, lines_removed: 0, via: "git" },
    { path: "new.txt", action: "created", lines_added: 1, lines_removed: 0, via: "git" },
  ]);
  expect(seen.timeline.map(({ message }) => message)).toEqual([
    expect.stringMatching(/^started on task-/),
    "modified a.txt",
    "created new.txt",
  ]);
  room.git("checkout", "--quiet", "--", "a.txt");
  const after = await room.ok<Seen>(forgeGetExecution, { execution_id: id });
  expect(after.files.map(({ path }) => path)).toEqual(["new.txt"]);
});

test("without an id it is the caller's own; an unknown one is said, with the nearest", async () => {
  const room = openRoom();
  const id = await begin(room);
  expect(await room.ok(forgeGetExecution, {})).toMatchObject({ execution_id: id });
  expect((await room.refused(forgeGetExecution, {}, bob)).next).toContainEqual(
    expect.objectContaining({ tool: "forge_execute_task" }),
  );
  const refusal = await room.refused(forgeGetExecution, { execution_id: `${id.slice(0, -1)}x` });
  expect(refusal).toMatchObject({ code: "NOT_FOUND" });
  expect(JSON.stringify(refusal.next)).toContain(id);
});

test("a thousand files that nobody ignores do not fill the timeline", async () => {
  const room = openRoom();
  await begin(room);
  room.put(Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`out/${index}.txt`, "x\n"])));
  const seen = await room.ok<Seen>(forgeGetExecution, { full: true });
  expect(seen.files).toHaveLength(1_000);
  expect(seen.timeline.length).toBeLessThan(60);
  expect(seen.timeline.at(-1)?.message).toBe("and 950 more files");
});

test("fits into 8 KB by default: each failure once, dependency frames folded, and a way to the rest", async () => {
  const room = openRoom({ files: brokenProject(12) });
  await room.trustAll();
  const id = await begin(room);
  room.put(Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`out/${index}.txt`, "x\n"])));
  for (let run = 0; run < 2; run++) await room.ok(forgeRunTests, {});
  const seen = await room.ok<Seen & Summary>(forgeGetExecution, {});
  expect(Buffer.byteLength(JSON.stringify(seen))).toBeLessThanOrEqual(8_192);
  const failing = seen.issues.map(({ message }) => message.split("\n", 1)[0]);
  expect(new Set(failing).size).toBe(failing.length);
  expect(seen.issues.length).toBeGreaterThan(3);
  expect(JSON.stringify(seen)).not.toContain("node:internal");
  expect(
    seen.timeline.filter(({ kind }) => kind === "issue").every(({ details }) => Object.keys(details).length === 0),
  ).toBe(true);
  expect(seen.omitted.files).toBeGreaterThan(200);
  expect(seen.next).toEqual([
    { tool: "forge_get_execution", input: { execution_id: id, full: true }, why: expect.any(String) },
  ]);
  const full = await room.ok<Seen & Summary>(forgeGetExecution, { full: true });
  expect(full.files.length).toBe(seen.files.length + seen.omitted.files);
  expect(full.issues.length).toBe(24);
  expect(full).not.toHaveProperty("omitted");
});
