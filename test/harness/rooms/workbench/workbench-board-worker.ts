import { randomUUID } from "node:crypto";
import { Leases } from "../../../../src/commons/leases/index.ts";
import { Ledger } from "../../../../src/commons/ledger/index.ts";
import { ForgeError } from "../../../../src/kernel/errors.ts";
import { localPrincipal } from "../../../../src/kernel/principal.ts";
import { Redactor } from "../../../../src/kernel/text/redactor.ts";
import { openDatabase } from "../../../../src/platform/db/database.ts";
import type { Place } from "../../../../src/platform/db/types.ts";
import { Board } from "../../../../src/rooms/workbench/board/service/board.ts";
import { by } from "../../commons/caller.ts";
import { migrations } from "../../db/all-migrations.ts";

export type BoardJob =
  | { job: "open"; place: Place; folder: string | undefined }
  /** Tries to claim each of these; returns those it got. */
  | { job: "claim"; block: string; tasks: string[] }
  | { job: "look" };

let board: Board | undefined;
const principal = localPrincipal("ada", "assistant", randomUUID());

async function perform(job: BoardJob): Promise<unknown> {
  if (job.job === "open") {
    const database = openDatabase<unknown>(job.place, migrations);
    const ledger = new Ledger({ database, redactor: new Redactor(), log: () => undefined });
    const project = job.folder === undefined ? {} : { projectRoot: job.folder };
    board = new Board({ database, ledger, leases: new Leases(database), ...project });
    return "open";
  }
  if (!board) throw new Error("open comes first");
  if (job.job === "look") return (await board.tasks({})).total;
  const got: string[] = [];
  for (const task of job.tasks) {
    try {
      await board.claim(by(principal), job.block, task, { minutes: 60 });
      got.push(task);
    } catch (error) {
      if (!(error instanceof ForgeError) || error.code !== "CONFLICT_ERROR") throw error;
    }
  }
  return got;
}

process.on("message", (job: BoardJob) => {
  perform(job).then(
    (answer) => process.send?.({ answer }),
    (error: unknown) => process.send?.({ error: String(error) }),
  );
});
process.on("disconnect", () => process.exit());
process.send?.({ answer: "ready" });
