import { holderOf, isHolder } from "../../../commons/claims/index.ts";
import type { Call } from "../../../kernel/calls/call.ts";
import type { ForgeError } from "../../../kernel/errors.ts";
import type { Principal } from "../../../kernel/principal.ts";
import { findClosest } from "../../../kernel/text/closest.ts";
import { entryAt } from "../../../platform/files/entry-at.ts";
import { SafeRoot } from "../../../platform/files/root/safe-root.ts";
import type { Execution, ExecutionOptions, Workspace } from "../model/execution-model.ts";
import { type ClaimKeeper, fallbackWorker } from "./claim-keeper.ts";
import { ambiguousExecution, endedExecution, executionBusy, noOpenExecution, unknownExecution } from "./errors.ts";
import { claimKey, type ExecutionDeps } from "./execution-deps.ts";
import { isOfThisProject, requireOwnFolder } from "./ownership/execution-folder.ts";
import { requireOnBranch, requireOwnPath } from "./ownership/writable-path.ts";
import type { ExecutionRecovery } from "./recovery/execution-recovery.ts";
import { type ExecutionRow, toExecution } from "./rows.ts";
import { nameInRecord } from "./timeline/timeline.ts";

const maxConnections = 1_000;
const maxSuggestionCandidates = 200;

/** Finds the execution that a call means, and the folder to work in. */
export class Workspaces {
  readonly #deps: ExecutionDeps;
  readonly #claimKeeper: ClaimKeeper;
  readonly #recovery: ExecutionRecovery;
  /** The executions that each connection has opened, latest last. */
  readonly #opened = new Map<string, string[]>();
  readonly #roots = new Map<string, SafeRoot>();

  constructor(deps: ExecutionDeps, claimKeeper: ClaimKeeper, recovery: ExecutionRecovery) {
    this.#deps = deps;
    this.#claimKeeper = claimKeeper;
    this.#recovery = recovery;
  }

  markOpened(principal: Principal, id: string): void {
    const connection = connectionKey(principal);
    if (connection === undefined) return;
    if (this.#opened.size >= maxConnections) this.#opened.clear();
    const others = (this.#opened.get(connection) ?? []).filter((known) => known !== id);
    this.#opened.set(connection, [...others, id]);
  }

  /** An open execution that the caller may work in; renews its claim. */
  async requireOwn(call: Call, id: string | undefined): Promise<Execution> {
    const row = await this.findMeant(call, id);
    try {
      return await this.#requireOwn(call, row);
    } catch (error) {
      await this.#noteNamed(call, [row]);
      throw error;
    }
  }

  async #requireOwn(call: Call, row: ExecutionRow): Promise<Execution> {
    if (row.status !== "running") throw endedExecution(toExecution(row));
    const execution = await this.#settle(row, call.signal);
    await this.requireTakeOver(call, execution);
    await this.#claimKeeper.renewClaim(execution, call);
    this.markOpened(call.principal, execution.id);
    nameInRecord(call.record, execution);
    return execution;
  }

  /** Asks before another session's execution is taken over, unless it cannot be because it is held. */
  async requireTakeOver(call: Call, execution: Execution, options?: Partial<ExecutionOptions>): Promise<void> {
    const { store, claims, guard } = this.#deps;
    if (this.#isOpenedBy(call.principal, execution)) return;
    await store.database.transaction((tx) => claims.endAbandoned(tx, claimKey(execution)));
    await store.database.read((db) => claims.requireFree(db, claimKey(execution), call.principal));
    await guard.requireTakeOver(call, execution, options);
  }

  async open(call: Call, id: string | undefined): Promise<Workspace> {
    const execution = await this.requireOwn(call, id);
    requireOwnFolder(this.#deps, execution);
    await requireOnBranch(this.#deps, execution, call.signal);
    return this.#openAt(execution.root, execution);
  }

  /** Anyone may look, also into someone else's execution; a holder's claim is renewed. */
  async openOrProject(call: Call, id: string | undefined): Promise<Workspace> {
    const { projectRoot } = this.#deps;
    const row = id === undefined ? await this.#findOwn(call) : await this.requireById(id);
    if (!row || (row.status !== "running" && row.root === projectRoot)) return this.#openAt(projectRoot, undefined);
    const execution = toExecution(row);
    if (id === undefined && !isOfThisProject(this.#deps, execution)) return this.#openAt(projectRoot, undefined);
    if (row.status !== "running" && !entryAt(row.root)) {
      await this.#noteNamed(call, [row]);
      throw endedExecution(execution);
    }
    requireOwnFolder(this.#deps, execution);
    this.#claimKeeper.markActive(execution, call);
    nameInRecord(call.record, execution);
    return this.#openAt(execution.root, execution);
  }

  /** Throws if the caller may not write this file. */
  async requireWritable({ execution }: Workspace, path: string, signal: AbortSignal): Promise<Execution> {
    if (!execution) throw noOpenExecution();
    if (execution.status !== "running") throw endedExecution(execution);
    await requireOwnPath(this.#deps, execution, path, signal);
    return execution;
  }

  /** The named execution, or the one that the caller works in; open or not. */
  async findMeant(call: Call, id: string | undefined): Promise<ExecutionRow> {
    const row = id === undefined ? await this.#findOwn(call) : await this.requireById(id);
    if (!row) throw await this.#describeNoneOpen(call);
    return row;
  }

  /** The open executions that the caller has started or taken over; not those that an earlier connection of it has left. */
  async listOpened(principal: Principal): Promise<Execution[]> {
    const open = (await this.#listOpen(principal)).map(toExecution);
    return open.filter((execution) => this.#isOpenedBy(principal, execution));
  }

  /** Open or not. */
  async requireById(id: string): Promise<ExecutionRow> {
    const { store } = this.#deps;
    return store.database.read(async (db) => {
      const row = await store.find(db, id);
      if (row) return row;
      const latest = await store.listPage(db, { before: undefined, limit: maxSuggestionCandidates });
      throw unknownExecution(
        id,
        findClosest(
          id,
          latest.map((known) => known.id),
        ),
      );
    });
  }

  /** Whether the caller started or took it over, on this connection. Commands without a terminal are one caller. */
  #isOpenedBy(principal: Principal, { id, holder }: Execution): boolean {
    const connection = connectionKey(principal);
    if (connection !== undefined) return this.#opened.get(connection)?.includes(id) ?? false;
    return holder === holderOf(principal, fallbackWorker(principal));
  }

  #openAt(path: string, execution: Execution | undefined): Workspace {
    const files = this.#roots.get(path) ?? SafeRoot.at(path, { notesInstalled: true });
    this.#roots.set(path, files);
    return { execution, path, files };
  }

  /** Settles what an interrupted call left unfinished, before anything else is done. */
  async #settle(row: ExecutionRow, signal: AbortSignal): Promise<Execution> {
    if (row.intent === null) return toExecution(row);
    if (!(await this.#recovery.settleAbandoned(row, signal))) return toExecution(row);
    const now = await this.requireById(row.id);
    if (now.intent !== null) throw executionBusy(toExecution(now));
    if (now.status !== "running") throw endedExecution(toExecution(now));
    return toExecution(now);
  }

  /** The connection's latest open execution, or the caller's only one. */
  async #findOwn(call: Call): Promise<ExecutionRow | undefined> {
    const { store } = this.#deps;
    const { principal } = call;
    const connection = connectionKey(principal);
    for (const id of connection === undefined ? [] : (this.#opened.get(connection) ?? []).toReversed()) {
      const row = await store.database.read((db) => store.find(db, id));
      if (row?.status === "running") return row;
    }
    const own = await this.#listOpen(principal);
    const here = own.filter((row) => isOfThisProject(this.#deps, toExecution(row)));
    if (here.length > 1) {
      await this.#noteNamed(call, here);
      throw ambiguousExecution(here.map(toExecution));
    }
    return here[0] ?? own[0];
  }

  /** Open executions of this user's assistant of this name that no other connection of it works in. */
  async #listOpen(principal: Principal): Promise<ExecutionRow[]> {
    return (await this.#listClaimed(principal)).flatMap(({ row, claim }) =>
      claim === undefined || isHolder(claim.holder, principal) ? [row] : [],
    );
  }

  /** Tells the caller about executions that the same assistant has open on another connection. */
  async #describeNoneOpen(call: Call): Promise<ForgeError> {
    const claimed = await this.#listClaimed(call.principal);
    await this.#noteNamed(
      call,
      claimed.map(({ row }) => row),
    );
    return noOpenExecution(
      claimed.flatMap(({ row, claim }) => (claim ? [{ execution: toExecution(row), ...claim }] : [])),
    );
  }

  /** An error names them by their tasks, and others may have named those. */
  #noteNamed(call: Call, rows: readonly ExecutionRow[]): Promise<void> {
    return this.#deps.guard.noteWorkRead(
      call,
      rows.map(({ id }) => id),
    );
  }

  /** Open executions that this user's assistant of this name started, with their claims. */
  #listClaimed({ id, agent }: Principal) {
    const { store, claims } = this.#deps;
    return store.database.read(async (db) => {
      const open = (await store.listOpen(db)).filter((row) => row.started_by === id && row.agent === (agent ?? null));
      const keys = open.map((row) => claimKey(toExecution(row)));
      const claimed = await claims.on(db, keys);
      return open.map((row) => ({ row, claim: claimed.get(claimKey(toExecution(row))) }));
    });
  }
}

function connectionKey({ id, instance }: Principal): string | undefined {
  return instance === undefined ? undefined : JSON.stringify([id, instance]);
}
