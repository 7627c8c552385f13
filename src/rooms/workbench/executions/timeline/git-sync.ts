import type { Actor, Call } from "../../../../kernel/calls/call.ts";
import type { TreeChange } from "../../../../platform/git/work-model.ts";
import type { Execution, ExecutionFile } from "../../model/execution-model.ts";
import { type ExecutionDeps, isInPlace } from "../execution-deps.ts";
import type { Tx } from "../execution-store.ts";
import { isOfThisProject, requireOwnFolder } from "../ownership/execution-folder.ts";
import { readExecutionWork } from "../ownership/read-execution-work.ts";
import type { Timeline, TimelineChange } from "./timeline.ts";

/** A build that creates many files that are not ignored must not fill the store. */
const maxFiles = 5_000;
const maxEvents = 50;
const maxComparedEvents = 1_000;

/** Records changes that were made without Forge's tools, as git sees them. */
export class GitSync {
  readonly #deps: ExecutionDeps;
  readonly #timeline: Timeline;

  constructor(deps: ExecutionDeps, timeline: Timeline) {
    this.#deps = deps;
    this.#timeline = timeline;
  }

  /**
   * Does nothing if the execution has ended, or if its folder is on another branch or in the middle of a merge: changes that come
   * with these are not its work.
   */
  async recordGitChanges(by: Actor, execution: Execution, signal: AbortSignal): Promise<void> {
    if (execution.status !== "running" || !isOfThisProject(this.#deps, execution)) return;
    requireOwnFolder(this.#deps, execution);
    if (this.#deps.workFor(execution.root).underWay !== undefined) return;
    const seen = await this.#readChanges(execution, { principal: by.principal, signal });
    if (!seen) return;
    const known = await this.#listRecorded(execution.id);
    if (!compareFiles(seen, known)) return;
    await this.#timeline.change(by, execution.id, async (row, tx) => {
      if (row.status !== "running") return undefined;
      const change = compareFiles(seen, await this.#deps.store.listFiles(tx, row.seq));
      return change && { ...change, events: await this.#removeReported(tx, row.seq, change.events) };
    });
  }

  /** Its commits, and uncommitted changes that are only its own: everything else may not be its work. */
  async #readChanges(execution: Execution, caller: Pick<Call, "principal" | "signal">) {
    const { branch, tip, since, owned } = await readExecutionWork(this.#deps, execution, caller);
    if (isInPlace(execution) && branch !== (execution.branch ?? execution.baseBranch)) return undefined;
    if (tip === since) return owned.own.slice(0, maxFiles);
    const aside = [...owned.user, ...owned.others, ...owned.mixed, ...owned.leftovers];
    const work = this.#deps.workFor(execution.root);
    return (await work.changes.list({ since, limit: maxFiles, aside }, caller.signal)).changes;
  }

  /** Two callers may disagree on who owns a change; it is recorded once. */
  async #removeReported(tx: Tx, seq: number, events: NonNullable<TimelineChange["events"]> = []) {
    if (events.length === 0) return events;
    const reported = await this.#deps.store.listEventsOfKinds(tx, seq, ["file"], maxComparedEvents);
    const latest = new Map(reported.map(({ details }) => [details["path"], details["action"]]));
    return events.filter(({ details = {} }) => {
      const before = latest.get(details["path"]);
      return (
        before === undefined ||
        details["more"] !== undefined ||
        (before === "deleted") !== (details["action"] === "deleted")
      );
    });
  }

  async #listRecorded(id: string): Promise<ExecutionFile[]> {
    const { store } = this.#deps;
    return store.database.read(async (db) => {
      const row = await store.find(db, id);
      return row ? store.listFiles(db, row.seq) : [];
    });
  }
}

/** What git sees compared with what is recorded. Line counts of git are those of the entire execution, so they win. */
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
  // A file that a tool wrote and git does not see is ignored; it was written nevertheless.
  const dropped = known.filter(({ path, via }) => via === "git" && !now.has(path)).map(({ path }) => path);
  if (files.length === 0 && dropped.length === 0) return undefined;
  return { files, dropped, events: createEvents(news) };
}

/** A file that was created and then written again is still new to git: that is no other change. */
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
