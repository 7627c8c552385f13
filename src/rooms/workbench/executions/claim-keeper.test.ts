import { expect, test, vi } from "vitest";
import { ada, bob, openRoom, type Room } from "../../../../test/harness/rooms/workbench/workbench-executions.ts";
import { keeperHolder } from "../../../commons/claims/claim-keepers.ts";
import type { TestRun } from "../../../commons/test-runs/test-run.ts";
import { machineName } from "../../../platform/host/machine-name.ts";
import { forgeClaimTask } from "../tools/board/forge-claim-task.ts";
import { forgeCommitChanges } from "../tools/executions/forge-commit-changes.ts";
import { forgeExecuteTask } from "../tools/executions/forge-execute-task.ts";
import { forgeGetExecution } from "../tools/executions/forge-get-execution.ts";
import { forgeRunTests } from "../tools/executions/forge-run-tests.ts";

type LeaseTable = { lease: { name: string; holder: string | null; token: number; renewed_at: number } };
type Named = { block_id: string; task_id: string };

async function begin(room: Room): Promise<Named & { execution_id: string }> {
  const { blockId, id } = await room.task();
  const named = { block_id: blockId, task_id: id };
  const { execution_id } = await room.ok<{ execution_id: string }>(forgeExecuteTask, named);
  return { ...named, execution_id };
}

const leaseNameOf = ({ block_id, task_id }: Named) => `task:${block_id}/${task_id}`;

function leaseOf(room: Room, named: Named) {
  return room.database
    .forTables<LeaseTable>()
    .read((db) => db.selectFrom("lease").selectAll().where("name", "=", leaseNameOf(named)).executeTakeFirstOrThrow());
}

function setHolder(room: Room, name: string, holder: string): Promise<unknown> {
  return room.database
    .forTables<LeaseTable>()
    .transaction((tx) => tx.updateTable("lease").set({ holder }).where("name", "=", name).executeTakeFirstOrThrow());
}

/** As if another process of this machine kept the claim. */
async function keptBy(room: Room, named: Named, pid: number): Promise<void> {
  const lease = await leaseOf(room, named);
  await setHolder(room, `kept:${lease.name}`, keeperHolder(lease, pid, machineName()));
}

/** More than any process has. */
const deadPid = 4_194_305;

test("the claim of a connection whose process is gone keeps nobody waiting", async () => {
  const room = openRoom();
  const { execution_id, ...named } = await begin(room);
  await keptBy(room, named, process.ppid);
  const early = openRoom({ beside: room });
  expect(await early.refused(forgeExecuteTask, named, bob)).toMatchObject({ code: "CONFLICT_ERROR" });
  const refusal = await early.refused(forgeCommitChanges, { message: "x" }, bob);
  expect(refusal.message).toContain(`${execution_id} (${named.block_id}/${named.task_id}) is held by ada/`);
  await keptBy(room, named, deadPid);
  const next = openRoom({ beside: room });
  expect(await next.ok(forgeGetExecution, {}, bob)).toMatchObject({ execution_id });
  // Also for a server that was there before.
  expect(await early.ok(forgeExecuteTask, named, bob)).toMatchObject({ resumed: true, execution_id });
});

test("a worker's name is not enough while the process that keeps its claim lives, and enough when it is gone", async () => {
  const room = openRoom();
  const { blockId, id } = await room.task();
  const named = { block_id: blockId, task_id: id };
  await room.ok(forgeClaimTask, { ...named, worker: "w" });
  const { execution_id } = await room.ok<{ execution_id: string }>(forgeExecuteTask, named);
  const other = openRoom({ beside: room });
  await keptBy(room, named, process.ppid);
  expect(await other.refused(forgeClaimTask, { ...named, worker: "w" }, bob)).toMatchObject({
    code: "CONFLICT_ERROR",
    message: expect.stringContaining("claimed by ada/assistant:w"),
  });
  await room.ok(forgeClaimTask, { ...named, worker: "w" });
  await keptBy(room, named, deadPid);
  await other.ok(forgeClaimTask, { ...named, worker: "w" }, bob);
  expect(await other.ok(forgeExecuteTask, named, bob)).toMatchObject({ resumed: true, execution_id });
});

test("a call finds out that its claim was lost a moment ago", async () => {
  const room = openRoom();
  const named = await begin(room);
  room.put({ "new.txt": "new\n" });
  await setHolder(room, leaseNameOf(named), "bob/other#0123456789ab");
  expect(await room.refused(forgeCommitChanges, { message: "x" })).toMatchObject({
    code: "CONFLICT_ERROR",
    message: expect.stringContaining("bob/other"),
  });
  expect((await leaseOf(room, named)).holder).toBe("bob/other#0123456789ab");
});

test("a claim is kept for as long as a call of its holder runs", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  try {
    let ahead = 0;
    let end: (() => void) | undefined;
    const runTests = () =>
      new Promise<TestRun>((_done, fail) => {
        end = () => fail(new Error("over"));
      });
    const room = openRoom({ now: () => Date.now() + ahead, runTests });
    const named = await begin(room);
    const running = room.call(forgeRunTests, {}, ada);
    await expect.poll(() => end, { timeout: 5_000 }).toBeDefined();
    ahead = 31 * 60_000;
    const { renewed_at: before } = await leaseOf(room, named);
    await vi.advanceTimersByTimeAsync(30_000);
    await expect.poll(async () => (await leaseOf(room, named)).renewed_at, { timeout: 5_000 }).toBeGreaterThan(before);
    end?.();
    await running;
  } finally {
    vi.useRealTimers();
  }
});
