import { afterAll, beforeAll, expect, test } from "vitest";
import { openRoom, type Room } from "../../../../../test/harness/rooms/workbench/workbench-executions.ts";
import { KillBench } from "../../../../../test/harness/rooms/workbench/workbench-kill.ts";
import type { WorkbenchTables } from "../../store/schema.ts";
import { forgeListExecutions } from "../../tools/executions/forge-list-executions.ts";

let bench: KillBench;
beforeAll(() => {
  bench = new KillBench();
});
afterAll(() => bench.dispose());

const making = "fs.writeFileSync('gen.txt', 'x'); fs.writeFileSync('a.txt', 'changed')";

async function prepared() {
  const room = openRoom();
  const { blockId, id: taskId } = await room.task();
  room.put({ ".forge/workbench.json": JSON.stringify({ setupCommand: ["node", "-e", making] }) });
  await room.trustAll();
  await room.close();
  return { room, step: { name: "execute", blockId, taskId, isolation: "worktree" } as const };
}

/** The room after the process was killed; `folder`: the work tree, where the set-up had run in it by then. */
async function killedAt(nth: number): Promise<{ room: Room; folder: string | undefined }> {
  const { room, step } = await prepared();
  expect((await bench.run(room, step, { nth, side: "before" })).wasKilled).toBe(true);
  const folder = /^worktree (.*exec_.*)$/m.exec(room.git("worktree", "list", "--porcelain"))?.[1];
  return { room, folder: folder !== undefined && room.has("gen.txt", folder) ? folder : undefined };
}

type Listed = { warnings?: string[]; executions: { status: string }[] };

async function whatIsLeft(room: Room) {
  const { warnings, executions } = await room.ok<Listed>(forgeListExecutions, {});
  const branches = room.git("branch", "--format=%(refname:short)").split("\n").length;
  const folders = room.git("worktree", "list", "--porcelain").match(/^worktree /gm)?.length;
  return {
    branches,
    folders,
    words: (warnings ?? []).join(" "),
    isStarted: executions.some(({ status }) => status === "running"),
  };
}

test("what a set-up had made when its process was killed keeps neither work tree nor branch", {
  timeout: 300_000,
}, async () => {
  const { room, step } = await prepared();
  const { count } = await bench.run(room, step);
  const ran: number[] = [];
  for (let nth = count; nth > count - 6; nth--) {
    const killed = await killedAt(nth);
    const left = await whatIsLeft(openRoom({ beside: killed.room }));
    // The last git commands run while the start is being stored: it may have been complete before the process was killed.
    if (left.isStarted) continue;
    if (killed.folder !== undefined) ran.push(nth);
    expect(left).toMatchObject({ branches: 1, folders: 1 });
  }
  expect(ran.length).toBeGreaterThan(0);

  const { room: later, folder = "" } = await killedAt(ran.at(-1) ?? count);
  later.put({ "gen.txt": "somebody's\n" }, folder);
  const next = openRoom({ beside: later });
  await next.database
    .forTables<WorkbenchTables>()
    .transaction((tx) => tx.updateTable("execution").set({ started_at: 1 }).execute());
  const left = await whatIsLeft(next);
  expect(left).toMatchObject({ branches: 2, folders: 2 });
  expect(left.words).toContain(`remove it with \`git worktree remove ${folder}\``);
  expect(next.text("gen.txt", folder)).toBe("somebody's\n");
});
