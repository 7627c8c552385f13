import { isHolder } from "../../../commons/claims/index.ts";
import type { Call } from "../../../kernel/call.ts";
import { closest } from "../../../kernel/closest.ts";
import type { Principal } from "../../../kernel/principal.ts";
import { entryAt } from "../../../platform/files/entry.ts";
import { SafeRoot } from "../../../platform/files/root/safe-root.ts";
import type { Execution, Workspace } from "../model/execution-model.ts";
import type { ClaimKeeper } from "./claim-keeper.ts";
import { claimKey, type ExecutionDeps } from "./deps.ts";
import { ambiguousExecution, endedExecution, executionBusy, noOpenExecution, unknownExecution } from "./errors.ts";
import { noneOpenFor } from "./none-open.ts";
import { isOfThisProject, requireOwnFolder } from "./ownership/execution-folder.ts";
import { requireOnBranch, requireOwnPath } from "./ownership/writable-path.ts";
import type { ExecutionRecovery } from "./recovery/recovery.ts";
import { type ExecutionRow, toExecution } from "./rows.ts";
import { nameInRecord } from "./timeline/timeline.ts";

const maxConnections = 1_000;
const maxSuggestionCandidates = 200;

/** Finds the execution that a call means. */
export class Workspaces {
  readonly #parts: ExecutionDeps;
  readonly #keeping: ClaimKeeper;
  readonly #recovering: ExecutionRecovery;
  /** The executions that each connection has opened, latest last. */
  readonly #opened = new Map<string, string[]>();
  readonly #roots = new Map<string, SafeRoot>();

  constructor(parts: ExecutionDeps, keeping: ClaimKeeper, recovering: ExecutionRecovery) {
    this.#parts = parts;
    this.#keeping = keeping;
    this.#recovering = recovering;
  }

  markOpened(principal: Principal, id: string): void {
    const connection = connectionKey(principal);
    if (connection === undefined) return;
    if (this.#opened.size >= maxConnections) this.#opened.clear();
    const others = (this.#opened.get(connection) ?? []).filter((known) => known !== id);
    this.#opened.set(connection, [...others, id]);
  }

  /** One that is open and the caller's to work in; its claim lasts anew. */
  async requireOwn(call: Call, id: string | undefined): Promise<Execution> {
    const row = id === undefined ? await this.#meant(call.principal) : await this.#find(id);
    if (!row) throw await noneOpenFor(this.#parts, call.principal);
    if (row.status !== "running") throw endedExecution(toExecution(row));
    const settled = await this.#settled(row, call.signal);
    await this.#keeping.renewClaim(settled, call);
    this.markOpened(call.principal, settled.id);
    nameInRecord(call.record, settled);
    return settled;
  }

  async open(call: Call, id: string | undefined): Promise<Workspace> {
    const execution = await this.requireOwn(call, id);
    requireOwnFolder(this.#parts, execution);
    await requireOnBranch(this.#parts, execution, call.signal);
    return this.#at(execution.root, execution);
  }

  /** Looking is anybody's, also into an execution of somebody else's; whose it is gets its claim renewed. */
  async openOrProject(call: Call, id: string | undefined): Promise<Workspace> {
    const { projectRoot } = this.#parts;
    const row = id === undefined ? await this.#meant(call.principal) : await this.#find(id);
    if (!row || (row.status !== "running" && row.root === projectRoot)) return this.#at(projectRoot, undefined);
    const execution = toExecution(row);
    if (id === undefined && !isOfThisProject(this.#parts, execution)) return this.#at(projectRoot, undefined);
    if (row.status !== "running" && !entryAt(row.root)) throw endedExecution(execution);
    requireOwnFolder(this.#parts, execution);
    this.#keeping.markActive(execution, call);
    nameInRecord(call.record, execution);
    return this.#at(execution.root, execution);
  }

  /** Whether the caller may write there, for tools that do. */
  async requireWritable({ execution }: Workspace, path: string, signal: AbortSignal): Promise<Execution> {
    if (!execution) throw noOpenExecution();
    if (execution.status !== "running") throw endedExecution(execution);
    await requireOwnPath(this.#parts, execution, path, signal);
    return execution;
  }

  /** By its id, open or not. */
  async requireById(id: string): Promise<ExecutionRow> {
    return this.#find(id);
  }

  /** The one named, else the one meant, open or not. */
  async findMeant(call: Call, id: string | undefined): Promise<ExecutionRow> {
    const row = id === undefined ? await this.#meant(call.principal) : await this.#find(id);
    if (!row) throw await noneOpenFor(this.#parts, call.principal);
    return row;
  }

  #at(path: string, execution: Execution | undefined): Workspace {
    const files = this.#roots.get(path) ?? SafeRoot.at(path);
    this.#roots.set(path, files);
    return { execution, path, files };
  }

  /** What a call that was cut off has left half done is seen to before anything else is done. */
  async #settled(row: ExecutionRow, signal: AbortSignal): Promise<Execution> {
    if (row.intent === null) return toExecution(row);
    if (!(await this.#recovering.settleAbandoned(row, signal))) return toExecution(row);
    const now = await this.#find(row.id);
    if (now.intent !== null) throw executionBusy(toExecution(now));
    if (now.status !== "running") throw endedExecution(toExecution(now));
    return toExecution(now);
  }

  async #meant(principal: Principal): Promise<ExecutionRow | undefined> {
    const { store } = this.#parts;
    const latest = connectionKey(principal);
    for (const id of latest === undefined ? [] : (this.#opened.get(latest) ?? []).toReversed()) {
      const row = await store.database.read((db) => store.find(db, id));
      if (row?.status === "running") return row;
    }
    const own = await this.#openOf(principal);
    const here = own.filter((row) => isOfThisProject(this.#parts, toExecution(row)));
    if (here.length > 1) throw ambiguousExecution(here.map(toExecution));
    return here[0] ?? own[0];
  }

  /** Those that this person's assistant of this name has open, and that no other of that name is at. */
  async #openOf(principal: Principal): Promise<ExecutionRow[]> {
    const { store, claims } = this.#parts;
    return store.database.read(async (db) => {
      const open = (await store.listOpen(db)).filter(
        ({ started_by, agent }) => started_by === principal.id && agent === (principal.agent ?? null),
      );
      const claimed = await claims.on(
        db,
        open.map((row) => claimKey(toExecution(row))),
      );
      return open.filter((row) => {
        const holder = claimed.get(claimKey(toExecution(row)))?.holder;
        return holder === undefined || isHolder(holder, principal);
      });
    });
  }

  async #find(id: string): Promise<ExecutionRow> {
    const { store } = this.#parts;
    return store.database.read(async (db) => {
      const row = await store.find(db, id);
      if (row) return row;
      const latest = await store.listPage(db, { before: undefined, limit: maxSuggestionCandidates });
      throw unknownExecution(
        id,
        closest(
          id,
          latest.map((known) => known.id),
        ).slice(0, 3),
      );
    });
  }
}

function connectionKey({ id, instance }: Principal): string | undefined {
  return instance === undefined ? undefined : JSON.stringify([id, instance]);
}
