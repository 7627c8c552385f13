import { randomUUID } from "node:crypto";
import type { Updateable } from "kysely";
import type { CallRecord } from "../../../../kernel/call.ts";
import type { Principal } from "../../../../kernel/principal.ts";
import { newRecord } from "../../../../kernel/record.ts";
import { taskKey } from "../../board/model/ids.ts";
import type { Execution, ExecutionFile } from "../../model/execution-model.ts";
import type { By } from "../../model/services.ts";
import type { ExecutionTable } from "../../store/schema.ts";
import type { Parts } from "../deps.ts";
import { noExecution } from "../errors.ts";
import type { NewEvent, Tx } from "../execution-store.ts";
import type { Deed, Intent } from "../recovery/intents.ts";
import { type ExecutionRow, executionFrom } from "../rows.ts";

/** What is to become of an execution. */
export type Change = {
  columns?: Updateable<ExecutionTable>;
  events?: Omit<NewEvent, "at">[];
  files?: Omit<ExecutionFile, "at">[];
  dropped?: string[];
};

type Decide = (row: ExecutionRow, tx: Tx) => Promise<Change | undefined> | Change | undefined;

/** The one way an execution changes: row, timeline, files and ledger entry in one transaction. */
export class Journal {
  /** Tells the intents of this very object from those of one that ended. */
  readonly mark = randomUUID();
  readonly #parts: Pick<Parts, "store" | "ledger" | "now">;

  constructor(parts: Pick<Parts, "store" | "ledger" | "now">) {
    this.#parts = parts;
  }

  change(by: By, id: string, decide: Decide): Promise<Execution> {
    const { store, ledger } = this.#parts;
    return store.database.transaction(async (tx) => {
      const row = await store.find(tx, id);
      if (!row) throw noExecution(id, []);
      const change = await decide(row, tx);
      if (!change) return executionFrom(row);
      const made = change.columns ? await store.update(tx, row, change.columns) : row;
      await this.#tell(tx, row.seq, change);
      nameIn(by.record, executionFrom(row));
      await ledger.commit(tx, by.record);
      return executionFrom(made);
    });
  }

  /** Before git is touched. */
  intend(by: By, id: string, deed: Deed, stage: string): Promise<Execution> {
    return this.change(by, id, () => ({ columns: { intent: this.intent(deed), stage } }));
  }

  intent(deed: Deed): string {
    const intent: Intent = { pid: process.pid, mark: this.mark, deed };
    return JSON.stringify(intent);
  }

  async #tell(tx: Tx, seq: number, { events = [], files = [], dropped = [] }: Change): Promise<void> {
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
export function nameIn(
  record: CallRecord,
  { id, blockId, taskId }: Pick<Execution, "id" | "blockId" | "taskId">,
): void {
  const own = [aboutExecution(id), `task:${taskKey(blockId, taskId)}`];
  const others = record.about.filter((about) => !/^(?:execution|task):/.test(about));
  record.about = [...own, ...others];
}

export function aboutExecution(id: string): string {
  return `execution:${id}`;
}

/** What Forge does of its own accord, or after the call that began it was answered. */
export function ownAccord(name: string, principal: Principal, at: number): By {
  const begun = { id: randomUUID(), at, kind: "command", name, effect: "act" } as const;
  return { principal, record: newRecord(principal, begun) };
}
