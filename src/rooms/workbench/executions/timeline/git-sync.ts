import type { Call } from "../../../../kernel/call.ts";
import type { TreeChange } from "../../../../platform/git/work-model.ts";
import type { Execution, ExecutionFile } from "../../model/execution-model.ts";
import type { Actor } from "../../model/services.ts";
import { type ExecutionDeps, isInPlace } from "../deps.ts";
import type { Tx } from "../execution-store.ts";
import { isOfThisProject, requireOwnFolder } from "../ownership/execution-folder.ts";
import { readExecutionWork } from "../ownership/execution-work.ts";
import type { Timeline, TimelineChange } from "./timeline.ts";

/** A build that fills the tree with files nobody ignores does not fill the store. */
const maxFiles = 5_000;
const maxEvents = 50;
const maxComparedEvents = 1_000;

/** Learns from git what was changed past Forge's tools. */
export class GitSync {
  readonly #parts: ExecutionDeps;
  readonly #journal: Timeline;

  constructor(parts: ExecutionDeps, journal: Timeline) {
    this.#parts = parts;
    this.#journal = journal;
  }

  /**
   * Does nothing where an execution is over, and where its folder is on another branch by now, or in the middle of a merge: what
   * comes with that is not its work.
   */
  async recordGitChanges(by: Actor, execution: Execution, signal: AbortSignal): Promise<void> {
    if (execution.status !== "running" || !isOfThisProject(this.#parts, execution)) return;
    requireOwnFolder(this.#parts, execution);
    if (this.#parts.workFor(execution.root).underWay !== undefined) return;
    const seen = await this.#seen(execution, { principal: by.principal, signal });
    if (!seen) return;
    const known = await this.#known(execution.id);
    if (!compareFiles(seen, known)) return;
    await this.#journal.change(by, execution.id, async (row, tx) => {
      if (row.status !== "running") return undefined;
      const change = compareFiles(seen, await this.#parts.store.listFiles(tx, row.seq));
      return change && { ...change, events: await this.#untold(tx, row.seq, change.events) };
    });
  }

  /** Its commits, and what is changed since and is its alone: only that is sure to be its work. */
  async #seen(execution: Execution, asking: Pick<Call, "principal" | "signal">) {
    const { branch, tip, since, whose, persons } = await readExecutionWork(this.#parts, execution, asking);
    if (isInPlace(execution) && branch !== (execution.branch ?? execution.baseBranch)) return undefined;
    if (tip === since) return whose.own.slice(0, maxFiles);
    const aside = [...persons, ...whose.others, ...whose.mixed, ...whose.leftovers];
    const work = this.#parts.workFor(execution.root);
    return (await work.changes(since, maxFiles, asking.signal, aside)).changes;
  }

  /** Whose a change is may be seen in two ways in turn, by two who look; it is told once. */
  async #untold(tx: Tx, seq: number, events: NonNullable<TimelineChange["events"]> = []) {
    if (events.length === 0) return events;
    const told = await this.#parts.store.listEventsOfKinds(tx, seq, ["file"], maxComparedEvents);
    const latest = new Map(told.map(({ details }) => [details["path"], details["action"]]));
    return events.filter(({ details = {} }) => {
      const before = latest.get(details["path"]);
      return (
        before === undefined ||
        details["more"] !== undefined ||
        (before === "deleted") !== (details["action"] === "deleted")
      );
    });
  }

  async #known(id: string): Promise<ExecutionFile[]> {
    const { store } = this.#parts;
    return store.database.read(async (db) => {
      const row = await store.find(db, id);
      return row ? store.listFiles(db, row.seq) : [];
    });
  }
}

/** What git sees now against what is known: its line counts are those of the whole execution, so they win. */
function compareFiles(seen: readonly TreeChange[], known: readonly ExecutionFile[]): TimelineChange | undefined {
  const before = new Map(known.map((file) => [file.path, file]));
  const now = new Set(seen.map(({ path }) => path));
  const files: Omit<ExecutionFile, "at">[] = [];
  const news: TreeChange[] = [];
  for (const change of seen) {
    const file = before.get(change.path);
    const isSame =
      file?.action === change.action && file.linesAdded === change.additions && file.linesRemoved === change.deletions;
    if (isSame) continue;
    if (isNewChange(file, change)) news.push(change);
    const { path, action, additions: linesAdded, deletions: linesRemoved } = change;
    files.push({ path, action, linesAdded, linesRemoved, via: file?.via ?? "git" });
  }
  // What a tool wrote and git does not see is an ignored file: it was written all the same.
  const dropped = known.filter(({ path, via }) => via === "git" && !now.has(path)).map(({ path }) => path);
  if (files.length === 0 && dropped.length === 0) return undefined;
  return { files, dropped, events: createEvents(news) };
}

/** A file that was created and then written again is still new to git: nobody did anything past Forge. */
function isNewChange(known: ExecutionFile | undefined, { action }: TreeChange): boolean {
  return !known || (known.action === "deleted") !== (action === "deleted");
}

function createEvents(news: readonly TreeChange[]): NonNullable<TimelineChange["events"]> {
  const events = news.slice(0, maxEvents).map(({ path, action, additions, deletions }) => ({
    kind: "file" as const,
    message: `${action} ${path}`,
    details: { path, action, lines_added: additions, lines_removed: deletions, via: "git" },
  }));
  const more = news.length - events.length;
  if (more > 0) events.push({ ...summarizeRest(more), kind: "file" });
  return events;
}

function summarizeRest(more: number) {
  return {
    message: `and ${more} more files`,
    details: { path: "", action: "modified" as const, lines_added: 0, lines_removed: 0, via: "git", more },
  };
}
