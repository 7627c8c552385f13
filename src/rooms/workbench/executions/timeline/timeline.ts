import { randomUUID } from "node:crypto";
import type { Updateable } from "kysely";
import type { CallRecord } from "../../../../kernel/call.ts";
import type { Principal } from "../../../../kernel/principal.ts";
import { newRecord } from "../../../../kernel/record.ts";
import { taskKey } from "../../board/model/ids.ts";
import type { Execution, ExecutionFile } from "../../model/execution-model.ts";
import type { Actor } from "../../model/services.ts";
import type { ExecutionTable } from "../../store/schema.ts";
import type { ExecutionDeps } from "../deps.ts";
import { unknownExecution } from "../errors.ts";
import type { NewEvent, Tx } from "../execution-store.ts";
import type { IntendedStep, Intent } from "../recovery/intents.ts";
import { type ExecutionRow, toExecution } from "../rows.ts";

/** What is to become of an execution. */
export type TimelineChange = {
  columns?: Updateable<ExecutionTable>;
  events?: Omit<NewEvent, "at">[];
  files?: Omit<ExecutionFile, "at">[];
  dropped?: string[];
};

type DecideChange = (row: ExecutionRow, tx: Tx) => Promise<TimelineChange | undefined> | TimelineChange | undefined;

/** The one way an execution changes: row, timeline, files and ledger entry in one transaction. */
export class Timeline {
  /** Tells the intents of this very object from those of one that ended. */
  readonly mark = randomUUID();
  readonly #parts: Pick<ExecutionDeps, "store" | "ledger" | "now">;

  constructor(parts: Pick<ExecutionDeps, "store" | "ledger" | "now">) {
    this.#parts = parts;
  }

  change(by: Actor, id: string, decide: DecideChange): Promise<Execution> {
    const { store, ledger } = this.#parts;
    return store.database.transaction(async (tx) => {
      const row = await store.find(tx, id);
      if (!row) throw unknownExecution(id, []);
      const change = await decide(row, tx);
      if (!change) return toExecution(row);
      const made = change.columns ? await store.update(tx, row, change.columns) : row;
      await this.#tell(tx, row.seq, change);
      nameInRecord(by.record, toExecution(row));
      await ledger.commit(tx, by.record);
      return toExecution(made);
    });
  }

  /** Before git is touched. */
  recordIntent(by: Actor, id: string, deed: IntendedStep, stage: string): Promise<Execution> {
    return this.change(by, id, () => ({ columns: { serializeIntent: this.intent(deed), stage } }));
  }

  intent(deed: IntendedStep): string {
    const intent: Intent = { pid: process.pid, mark: this.mark, deed };
    return JSON.stringify(intent);
  }

  async #tell(tx: Tx, seq: number, { events = [], files = [], dropped = [] }: TimelineChange): Promise<void> {
    const { store, now } = this.#parts;
    const at = now();
    await store.addEvents(
      tx,
      seq,
      events.map((event) => ({ at, ...event })),
    );
    await store.putFiles(
      tx,
      seq,
      files.map((file) => ({ at, ...file })),
    );
    await store.dropFiles(tx, seq, dropped);
  }
}

/** The ledger's entry is about the execution and its task, whatever else it is about. */
export function nameInRecord(
  record: CallRecord,
  { id, blockId, taskId }: Pick<Execution, "id" | "blockId" | "taskId">,
): void {
  const own = [executionReference(id), `task:${taskKey(blockId, taskId)}`];
  const others = record.about.filter((about) => !/^(?:execution|task):/.test(about));
  record.about = [...own, ...others];
}

export function executionReference(id: string): string {
  return `execution:${id}`;
}

/** What Forge does of its own accord, or after the call that began it was answered. */
export function createOwnActor(name: string, principal: Principal, at: number): Actor {
  const begun = { id: randomUUID(), at, kind: "command", name, effect: "act" } as const;
  return { principal, record: newRecord(principal, begun) };
}
