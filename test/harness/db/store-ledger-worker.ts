import { randomUUID } from "node:crypto";
import { Ledger } from "../../../src/commons/ledger/ledger.ts";
import type { CallRecord } from "../../../src/kernel/calls/call.ts";
import { Redactor } from "../../../src/kernel/text/redactor.ts";
import { openDatabase } from "../../../src/platform/db/database.ts";
import type { Place } from "../../../src/platform/db/types.ts";
import { ledgerAlone } from "./migrations.ts";

/** A process that answers every `ping-N` in the ledger with a `pong-N`, or opens an entry and never closes it. */
export type LedgerJob = { place: Place; job: "answer" | "hang"; lease: number };

function call(name: string, outcome: CallRecord["outcome"]): CallRecord {
  return {
    id: randomUUID(),
    at: Date.now(),
    kind: "tool",
    name,
    effect: "act",
    principal: "local:worker",
    agent: undefined,
    about: [],
    outcome,
    code: undefined,
    durationMs: 0,
    evidence: [],
    committed: false,
  };
}

async function perform({ place, job, lease }: LedgerJob): Promise<void> {
  const database = openDatabase(place, ledgerAlone);
  const ledger = new Ledger({ database, redactor: new Redactor(), log: () => undefined, timing: { lease, poll: 50 } });
  if (job === "hang") {
    await ledger.open(call("hang", "open"));
    process.send?.({ opened: true });
    return;
  }
  for await (const entry of ledger.follow({ after: 0 }, new AbortController().signal)) {
    if (entry.name.startsWith("ping-")) await ledger.close(call(entry.name.replace("ping", "pong"), "ok"));
  }
}

process.on("message", (job: LedgerJob) => void perform(job));
process.on("disconnect", () => process.exit());
