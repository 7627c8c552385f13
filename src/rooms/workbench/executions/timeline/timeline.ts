import { randomUUID } from "node:crypto";
import type { Updateable } from "kysely";
import type { Actor, Call, CallRecord } from "../../../../kernel/calls/call.ts";
import { newRecord } from "../../../../kernel/calls/new-record.ts";
import type { Principal } from "../../../../kernel/principal.ts";
import { visible } from "../../../../kernel/text/visible.ts";
import { taskKey } from "../../board/model/ids.ts";
import type { Execution, ExecutionFile, Issue, TimelineEvent } from "../../model/execution-model.ts";
import type { ExecutionTable } from "../../store/schema.ts";
import { unknownExecution } from "../errors.ts";
import type { ExecutionDeps } from "../execution-deps.ts";
import type { NewEvent, Tx } from "../execution-store.ts";
import type { IntendedStep, Intent } from "../recovery/intents.ts";
import { type ExecutionRow, toExecution } from "../rows.ts";

/** A change of an execution, with what its timeline records. */
export type TimelineChange = {
  columns?: Updateable<ExecutionTable>;
  events?: Omit<NewEvent, "at">[];
  files?: Omit<ExecutionFile, "at">[];
  dropped?: string[];
};

type DecideChange = (row: ExecutionRow, tx: Tx) => Promise<TimelineChange | undefined> | TimelineChange | undefined;

/** The only way an execution changes: row, timeline, files and ledger entry in one transaction. */
export class Timeline {
  /** Tells the intents of this process from those of one that has ended. */
  readonly mark = randomUUID();
  readonly #deps: Pick<ExecutionDeps, "store" | "ledger" | "now">;

  constructor(deps: Pick<ExecutionDeps, "store" | "ledger" | "now">) {
    this.#deps = deps;
  }

  change(by: Actor, id: string, decide: DecideChange): Promise<Execution> {
    const { store, ledger } = this.#deps;
    return store.database.transaction(async (tx) => {
      const row = await store.findForChange(tx, id);
      if (!row) throw unknownExecution(id);
      const change = await decide(row, tx);
      if (!change) return toExecution(row);
      const made = change.columns ? await store.update(tx, row, change.columns) : row;
      await this.#write(tx, row.seq, change);
      nameInRecord(by.record, toExecution(row));
      await ledger.commit(tx, by.record);
      return toExecution(made);
    });
  }

  /** Records what tools did, with the call's own ledger entry. */
  async append(call: Call, execution: Execution, events: readonly TimelineEvent[]): Promise<void> {
    await this.change(call, execution.id, () => ({
      events: events.map(toNewEvent),
      files: events.flatMap((event) => (event.kind === "file" ? [event.file] : [])),
    }));
    for (const event of events) {
      if (event.kind === "issue") call.log("warning", formatIssue(event.issue));
    }
  }

  /** Called before git is touched. */
  recordIntent(by: Actor, id: string, step: IntendedStep, stage: string): Promise<Execution> {
    return this.change(by, id, () => ({ columns: { intent: this.serializeIntent(step), stage } }));
  }

  serializeIntent(step: IntendedStep): string {
    const intent: Intent = { pid: process.pid, mark: this.mark, deed: step };
    return JSON.stringify(intent);
  }

  async #write(tx: Tx, seq: number, { events = [], files = [], dropped = [] }: TimelineChange): Promise<void> {
    const { store, now } = this.#deps;
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

function toNewEvent(event: TimelineEvent): Omit<NewEvent, "at"> {
  if (event.kind === "tests") {
    const { run, message, details } = event;
    return { kind: "tests", message, details: { run, ...details } };
  }
  if (event.kind === "issue") return { kind: "issue", message: formatIssue(event.issue), details: event.issue };
  const { path, action, linesAdded, linesRemoved, via } = event.file;
  const { purpose } = event;
  return {
    kind: "file",
    message: `${action} ${path}${purpose === undefined ? "" : `: ${purpose}`}`,
    details: {
      path,
      action,
      lines_added: linesAdded,
      lines_removed: linesRemoved,
      via,
      ...(purpose !== undefined && { purpose }),
    },
  };
}

function formatIssue({ type, file, line, message }: Issue): string {
  const where = file === undefined ? "" : ` ${file}${line === undefined ? "" : `:${line}`}`;
  return visible(`${type}${where}: ${message.split("\n", 1)[0] ?? ""}`).slice(0, 1_000);
}

/** The ledger entry names the execution and its task, besides anything else it is about. */
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

/** For what Forge does on its own, or after the call that began it was answered. */
export function createOwnActor(name: string, principal: Principal, at: number): Actor {
  const begun = { id: randomUUID(), at, kind: "command", name, effect: "act" } as const;
  return { principal, record: newRecord(principal, begun) };
}
