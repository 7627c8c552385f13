import {
  type Author,
  authorOf,
  type Guard,
  type MarkedText,
  quoteName,
  sayWith,
} from "../../../commons/guard/index.ts";
import type { Call, TextOrigin } from "../../../kernel/calls/call.ts";
import type { Principal } from "../../../kernel/principal.ts";
import type { FoundSecret, Redactor } from "../../../kernel/text/redactor.ts";
import { needsPerson } from "../../../platform/files/protected-names.ts";
import type { TrackedLink } from "../../../platform/git/read/tracked-links.ts";
import type { ReviewedChange } from "../../../platform/git/work-model.ts";
import { taskKey, taskReference } from "../board/model/ids.ts";
import type { Execution, ExecutionOptions } from "../model/execution-model.ts";
import type { Task } from "../model/task-model.ts";
import { type TicketItem, ticketBlock } from "../model/ticket-items.ts";
import { ChangeReview } from "./change-review.ts";
import { type DeclaredFiles, isWithin, listDeclared, sayAny, sayListed } from "./declared-files.ts";
import { listOtherNames } from "./other-names.ts";
import {
  adoptionOf,
  foreignBlockMark,
  foreignExecutionMark,
  foreignMark,
  foreignTicketMark,
  hashTask,
  hasTextOf,
  listMarksOf,
  type ReadOfBoard,
  type TaskIds,
} from "./task-marks.ts";

export type WorkGuardDeps = {
  guard: Pick<Guard, "require" | "requirePerson" | "hasReadUntrusted" | "hasReadHere" | "marks">;
  redactor: Pick<Redactor, "find" | "text">;
  /** The links that git tracks in a folder. */
  links(root: string, signal: AbortSignal): Promise<TrackedLink[]>;
  /** The task as it is now. */
  task(blockId: string, taskId: string): Promise<Task>;
  /** Whether the ticket is one that the caller works on. */
  isActiveTicket(principal: Principal, ticketId: string): Promise<boolean>;
  /** Whether a person has taken over the ticket of the project's own. */
  isAdoptedTicket(ticketId: string): Promise<boolean>;
};

/** What is about to change of a task; with `null` it is of no ticket any more. */
type TaskChanges = { ticketId?: string | null | undefined };

/** A file that a call is about to write. */
type WriteIntent = { path: string; sha256: string };

/** What a commit or a merge is about to add to history. */
export type CommitIntent = { message: string; changes: readonly ReviewedChange[] };

/**
 * Holds the workbench to what the user wants. An assistant that has read text by others may change what its task declares; for
 * more it asks once per task. For files that instruct assistants or servers it asks each time. Whatever was read, only a person
 * lets protected paths and secrets into history.
 */
export class WorkGuard {
  readonly #deps: WorkGuardDeps;
  readonly #review: ChangeReview;

  constructor(deps: WorkGuardDeps) {
    this.#deps = deps;
    this.#review = new ChangeReview(deps);
  }

  /** What of a text only a person lets into history. */
  readonly findSecrets = (text: string): FoundSecret[] => this.#deps.redactor.find(text);

  /** A text that Forge itself puts into history: the name of a branch, the message of a merge. */
  readonly withoutSecrets = (text: string): string => this.#deps.redactor.text(text);

  async requireWrite(call: Call, execution: Execution, { path, sha256 }: WriteIntent): Promise<void> {
    if (!(await this.#isGuarded(call))) return;
    await this.#requireDeclared(call, execution, [path]);
    const names = [path, ...listOtherNames(path, await this.#deps.links(execution.root, call.signal))];
    if (!names.some(needsPerson)) return;
    const change = { summary: `Write ${path}`, touches: [`protected:${path}`], content: sha256 };
    await this.#deps.guard.require(call, change, { touches: [] });
  }

  /**
   * Before work on a task begins: it lets the caller change what the task lists, or any file if the user wrote it, and text by others
   * may have chosen the task. It is also recorded on the task's ticket. Not for a task of the ticket at hand, nor for one that gives no
   * permission and is of no ticket.
   */
  async requireStart(call: Call, task: Task, options: Partial<ExecutionOptions> = {}): Promise<void> {
    const { guard } = this.#deps;
    const { principal } = call;
    const tickets = await this.#listOtherTickets(principal, task);
    if (task.ticketId !== undefined && tickets.length === 0) return;
    // A command has no connection: what the user's assistants have read counts.
    const hasRead =
      principal.instance === undefined
        ? await guard.hasReadUntrusted(principal)
        : await guard.hasReadHere(principal, "others");
    const gives = hasRead && !(await this.#givesNothing(task));
    const touches = [...(gives ? [taskReference(task.blockId, task.id)] : []), ...tickets];
    if (touches.length === 0) return;
    // What it may change from then on is part of the question.
    const files = gives ? await listDeclared(this.#deps, task) : [];
    const what = `Start task ${taskKey(task.blockId, task.id)} ${quoteName(task.name)}${sayAny(files)}`;
    const summary = sayWith(what, { ...sayListed(files), ...sayOptions(options) });
    const content = { task: hashTask(task), options };
    const change = { summary, touches, content, quotes: await this.#originOf(task), lasts: files.length > 0 };
    await guard.require(call, change, { touches: [] });
  }

  /**
   * Before the caller works in an open execution that is not its own: it gets what that task may change, and the work of others
   * that is in it. Not for the execution of the ticket at hand.
   */
  async requireTakeOver(call: Call, execution: Execution, options: Partial<ExecutionOptions> = {}): Promise<void> {
    const { guard, isActiveTicket } = this.#deps;
    const { principal } = call;
    const isSameAgent = execution.startedBy === principal.id && execution.agent === principal.agent;
    // Who reconnects continues its own work; not what it turns to after reading text by others.
    if (isSameAgent && principal.instance !== undefined && !(await guard.hasReadHere(principal, "others"))) return;
    if (!(await this.#isGuarded(call))) return;
    const { blockId, taskId, taskName } = execution;
    const task = await this.#deps.task(blockId, taskId);
    if (task.ticketId !== undefined && (await isActiveTicket(principal, task.ticketId))) return;
    const files = await listDeclared(this.#deps, task);
    const work = `the open execution of task ${taskKey(blockId, taskId)} ${quoteName(taskName)}`;
    const permits = `Take over ${work}, and commit, merge or cancel it without asking${sayAny(files)}`;
    const summary = sayWith(permits, { ...sayListed(files), ...sayOptions(options) });
    const quotes = await this.#originOf({ blockId, id: taskId });
    const content = { execution: execution.id, options };
    const change = { summary, touches: [taskReference(blockId, taskId)], content, quotes, lasts: true };
    await guard.require(call, change, { touches: [] });
  }

  /** Before something is committed or merged, by whatever means it was written. */
  async requireCommit(call: Call, execution: Execution, intent: CommitIntent): Promise<void> {
    const isGuarded = await this.#isGuarded(call);
    const paths = intent.changes.map(({ path }) => path);
    if (isGuarded) await this.#requireDeclared(call, execution, paths);
    const links = await this.#deps.links(execution.root, call.signal);
    await this.#review.require(call, intent, { execution: execution.id, hasReadOthers: isGuarded, links });
  }

  /**
   * Before a task is changed: others than those that the caller works on need the user's approval. So do other tickets: work on a
   * task is recorded on its ticket.
   */
  async requireTask(
    call: Call,
    task: Task,
    { own, changes }: { own: readonly Execution[]; changes: TaskChanges },
  ): Promise<void> {
    const { principal } = call;
    if (principal.atKeyboard) return;
    const summary = sayWith(`Change task ${taskKey(task.blockId, task.id)} ${quoteName(task.name)}`, changes);
    const tickets = await this.#listOtherTickets(principal, changes);
    const what = { touches: [taskReference(task.blockId, task.id), ...tickets], content: changes };
    const action = { summary, ...what, quotes: await this.#originOf(task) };
    const touches = own.map(({ blockId, taskId }) => taskReference(blockId, taskId));
    await this.#deps.guard.require(call, action, { touches });
  }

  /** Before a task is added to a ticket: it is shown with that ticket, and is the next thing to do for it. */
  async requireLink(call: Call, { name, ...draft }: Pick<Task, "name"> & TaskChanges): Promise<void> {
    const touches = await this.#listOtherTickets(call.principal, draft);
    if (touches.length === 0) return;
    const summary = sayWith(`Add the task ${quoteName(name)} to ${draft.ticketId}`, draft);
    await this.#deps.guard.require(call, { summary, touches, content: { name, ...draft } }, { touches: [] });
  }

  /** After a task was written: whose text it is. `before`: as it was, if there was one. */
  async noteAuthor(call: Call, task: Task, before?: Task): Promise<void> {
    const { marks } = this.#deps.guard;
    if (!call.principal.atKeyboard) {
      if (await this.#isGuarded(call)) await marks.add(foreignMark(task), call.principal.name);
      return;
    }
    // Who only changes its status has not written it, nor need they have read it.
    if (before && hashTask(before) === hashTask(task)) return;
    await this.adopt(call.principal, task);
    // Who changes a part has not written the rest.
    if (before && !hasTextOf(task, before)) await marks.remove("foreign", foreignMark(task).subject);
  }

  /** The caller as the author of a task or block: one that may be others' is marked as it is stored. */
  authorOf(call: Call): Promise<Author> {
    return authorOf(this.#deps.guard, call);
  }

  /** A file of others has changed the block or its tasks. */
  async noteImportedBlock({ principal }: Call, blockId: string): Promise<void> {
    await this.#deps.guard.marks.add(foreignBlockMark(blockId), principal.name);
  }

  /** Before blocks and tasks are returned: what was written after reading text by others is text by others. */
  async noteRead(call: Call, read: ReadOfBoard): Promise<void> {
    if (await this.#hasAny(listMarksOf(read))) await call.noteUntrusted();
  }

  /** Whether others wrote the task, its block or the ticket that it is made of. A file that was imported wrote all of its block. */
  hasForeignText({ blockId, id }: TaskIds): Promise<boolean> {
    return this.#hasAny(listMarksOf({ tasks: [{ blockId, id }] }));
  }

  /** Before a task is made of a ticket: whose text it is. */
  async noteTicketText({ principal }: Call, { id, foreign }: Pick<TicketItem, "id" | "foreign">): Promise<void> {
    const { marks } = this.#deps.guard;
    const mark = foreignTicketMark({ blockId: ticketBlock, id });
    if (foreign) await marks.add(mark, principal.name);
    else await marks.remove(mark.kind, mark.subject);
  }

  /** What work on these tasks may change without asking. */
  async listFiles(tasks: readonly Task[]): Promise<DeclaredFiles> {
    const lists = await Promise.all(tasks.map((task) => listDeclared(this.#deps, task)));
    return lists.includes("any") ? "any" : [...new Set(lists.flat())];
  }

  #hasAny(marks: readonly MarkedText[]): Promise<boolean> {
    return this.#deps.guard.marks.hasForeign(marks.map(({ subject }) => subject));
  }

  /** Before the caller works on an execution, and says something of it. */
  async noteWork(call: Call, execution: string, task?: TaskIds): Promise<void> {
    // It has the name of its task, whoever starts it.
    if ((await this.#isGuarded(call)) || (task && (await this.hasForeignText(task))))
      await this.#deps.guard.marks.add(foreignExecutionMark(execution), call.principal.name);
  }

  /** Before executions are returned. */
  async noteWorkRead(call: Call, executions: readonly string[]): Promise<void> {
    const subjects = executions.map((id) => foreignExecutionMark(id).subject);
    if (await this.#deps.guard.marks.hasForeign(subjects)) await call.noteUntrusted();
  }

  /**
   * A person has seen the task and wants it done: everything but protected paths may change, until its text does. Whoever wrote
   * the text, it stays theirs.
   */
  async adopt(principal: Principal, task: Task): Promise<void> {
    await this.#deps.guard.marks.add(adoptionOf(task), principal.name);
  }

  /** Whose words the name of a task is, if not the user's. */
  async #originOf(task: TaskIds): Promise<TextOrigin | undefined> {
    return (await this.hasForeignText(task)) ? "others" : undefined;
  }

  /** The ticket that work is recorded on, as the guard knows it; none if it is one that the caller works on. */
  async #listOtherTickets(principal: Principal, { ticketId }: Pick<TaskChanges, "ticketId">): Promise<string[]> {
    if (ticketId === undefined || ticketId === null) return [];
    return (await this.#deps.isActiveTicket(principal, ticketId)) ? [] : [`ticket:${ticketId}`];
  }

  /** Whether to work on it permits no change: others wrote it, and no person has taken it over. */
  async #givesNothing(task: Task): Promise<boolean> {
    const { marks } = this.#deps.guard;
    return (await marks.has(foreignMark(task))) && !(await marks.has(adoptionOf(task)));
  }

  /** Whether the caller may be following what others wrote. A person at a terminal does not; a script may be an assistant's. */
  #isGuarded({ principal }: Call): Promise<boolean> {
    return this.#deps.guard.hasReadUntrusted(principal);
  }

  async #requireDeclared(call: Call, execution: Execution, paths: readonly string[]): Promise<void> {
    const ordinary = paths.filter((path) => !needsPerson(path));
    if (ordinary.length === 0) return;
    const task = await this.#deps.task(execution.blockId, execution.taskId);
    const declared = await listDeclared(this.#deps, task);
    if (declared === "any") return;
    const undeclared = ordinary.filter((path) => !declared.some((one) => isWithin(path, one)));
    if (undeclared.length > 0) await this.#askForMore(call, task, undeclared);
  }

  /** Once per task: the user who allows it takes the task over as it is. */
  async #askForMore(call: Call, task: Task, undeclared: readonly string[]): Promise<void> {
    const [first = ""] = undeclared;
    const more = undeclared.length > 1 ? ` and ${undeclared.length - 1} more` : "";
    const key = taskKey(task.blockId, task.id);
    const wanted = `change files that it does not list: ${first}${more}`;
    const summary = `Let task ${key} ${quoteName(task.name)} ${wanted}${sayAny("any")}`;
    const what = { touches: [taskReference(task.blockId, task.id)], content: hashTask(task), lasts: true };
    const change = { summary, ...what, quotes: await this.#originOf(task) };
    await this.#deps.guard.require(call, change, { touches: [] });
    await this.adopt(call.principal, task);
  }
}

function sayOptions(options: Partial<ExecutionOptions>): { options?: Partial<ExecutionOptions> } {
  return Object.keys(options).length > 0 ? { options } : {};
}
