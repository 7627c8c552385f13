/** Runs one step of an execution in a separate process, which its git may kill: `node worker STEP FOLDER`. */
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import type { Call } from "../../../../src/kernel/calls/call.ts";
import { newRecord } from "../../../../src/kernel/calls/new-record.ts";
import { localPrincipal } from "../../../../src/kernel/principal.ts";
import { openParts } from "./workbench-parts.ts";

const [step = "", root = "", shims = "", blockId = "", taskId = "", isolation = ""] = process.argv.slice(2);
const { PATH = "" } = process.env;
const environment = { PATH: `${shims}:${PATH}`, HOME: join(root, "home"), GIT_CONFIG_NOSYSTEM: "1" };
const parts = openParts({ project: join(root, "project"), home: join(root, "home"), environment });
const principal = localPrincipal("ada", "assistant", "connection-1");
const call: Call = {
  principal,
  signal: new AbortController().signal,
  record: newRecord(principal, { id: randomUUID(), at: Date.now(), kind: "tool", name: step, effect: "act" }),
  report: () => undefined,
  log: () => undefined,
  noteUntrusted: async () => undefined,
  canAsk: () => false,
  ask: async () => ({}),
};

async function work(): Promise<void> {
  const options = { isolation: isolation === "worktree" ? "worktree" : "none" } as const;
  if (step === "execute") await parts.executions.start(call, blockId, taskId, options);
  else if (step === "commit")
    await parts.executions.commit(call, undefined, { message: "The task", files: undefined, complete: true });
  else await parts.executions.cancel(call, undefined, undefined);
  await parts.close();
}

work().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
  process.exitCode = 1;
});
