import { expect, test } from "vitest";
import { openRoom, type Room } from "../../../../../test/harness/rooms/workbench/workbench-executions.ts";
import { forgeCommitChanges } from "../../tools/executions/forge-commit-changes.ts";
import { forgeExecuteTask } from "../../tools/executions/forge-execute-task.ts";

const key = "-----BEGIN OPENSSH PRIVATE KEY-----\nAAAA\n-----END OPENSSH PRIVATE KEY-----\n";

async function begin(files?: Record<string, string>): Promise<Room> {
  const room = openRoom(files && { files });
  const { blockId, id } = await room.task();
  await room.ok(forgeExecuteTask, { block_id: blockId, task_id: id });
  return room;
}

test("new files that look like secrets are committed only by their names, and if the user allows it", async () => {
  const room = await begin();
  const secrets = { ".env": "A=1\n", "app/.env.local": "B=2\n", id_rsa: "x\n", "tls/server.pem": "x\n", notes: key };
  room.put({ ...secrets, "new.txt": "new\n", ".env.example": "A=\n", "id_rsa.pub": "ssh-rsa AAAA\n" });
  const refusal = await room.refused(forgeCommitChanges, { message: "x" });
  expect(refusal).toMatchObject({ code: "CONFLICT_ERROR" });
  expect(new Set(refusal.details?.["paths"] as string[])).toEqual(new Set(Object.keys(secrets)));
  const files = [...Object.keys(secrets), "new.txt", ".env.example", "id_rsa.pub"];
  const named = { message: "x", files };
  expect(await room.refused(forgeCommitChanges, named)).toMatchObject({ code: "PERMISSION_DENIED" });
  for (const waiting of await room.approvals.listWaiting()) await room.approvals.decide(waiting, "approved", "ada");
  expect(await room.ok(forgeCommitChanges, named)).toMatchObject({ branch_merged: true });
  expect(room.git("show", "main:.env")).toBe("A=1");
});

test("what the repository holds already is changed and deleted like any other file", async () => {
  const room = await begin({ ".env": "A=1\n", "test/key.pem": key });
  room.put({ ".env": "A=2\n" });
  room.remove("test/key.pem");
  expect(await room.ok(forgeCommitChanges, { message: "x" })).toMatchObject({ branch_merged: true });
});
