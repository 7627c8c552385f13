import { createHash } from "node:crypto";
import type { Call } from "../../../kernel/calls/call.ts";
import { ForgeError } from "../../../kernel/errors.ts";
import { allows } from "../../../kernel/principal.ts";
import type { Repository } from "../../../platform/git/git.ts";
import { limits } from "../model/limits.ts";
import type { ChangeRecord, Ticket, WorkBase } from "../model/ticket.ts";
import { applyStart } from "../model/transitions.ts";
import { workBaseOf } from "../model/work-base.ts";
import { unknownRevision } from "./errors.ts";
import type { RepositoryServices, Tickets } from "./tickets.ts";

const maxFiles = 500;

/**
 * The current branch and commit, and what is changed already. Tickets work without git: empty if there is no repository that can
 * be read.
 */
export async function readWorkBase(services: RepositoryServices, signal: AbortSignal): Promise<WorkBase> {
  const repository = services.git.tryOpen(services.cwd);
  if (!repository) return {};
  const position = await readPosition(repository, signal);
  const markOf = openMarks(services);
  const changedBefore: string[] = [];
  for (const { path } of await repository.changedSince(position.commit, limits.changedBefore, signal)) {
    signal.throwIfAborted();
    const mark = await markOf(path);
    if (mark !== undefined) changedBefore.push(mark);
  }
  return { ...position, ...(changedBefore.length > 0 && { changedBefore }) };
}

/** Short and without names, as it is kept in the ticket, which others may read. */
function openMarks({ git, cwd }: RepositoryServices) {
  const { files } = git.work(cwd);
  return async (path: string): Promise<string | undefined> => {
    const print = await files.fingerprint(path);
    const hash = () => createHash("sha256").update(`${path}\0${print}`).digest("base64url");
    return print === undefined ? undefined : hash().slice(0, 16);
  };
}

type WorkServices = RepositoryServices & { tickets: Pick<Tickets, "start" | "history"> };

/**
 * Records that work on a ticket starts here. If that is not possible, the caller goes on without: the ticket may be claimed
 * by someone else, its server away, or the connection read-only.
 */
export async function recordStart(services: WorkServices, call: Call, ticket: Ticket): Promise<Ticket> {
  if (!allows(call.principal, "tickets:write")) return ticket;
  // It was started before: git need not be asked, and nothing would be written.
  if (applyStart(ticket, call.principal, {}) === undefined) return ticket;
  try {
    return await services.tickets.start(call, ticket.id, await readWorkBase(services, call.signal));
  } catch (error) {
    if (!(error instanceof ForgeError) || error.code === "CANCELLED") throw error;
    call.log("warning", `The start of work on ${ticket.id} was not recorded: ${error.message}`);
    return ticket;
  }
}

type WorkDone = Pick<ChangeRecord, "filesChanged" | "branch" | "commit" | "base">;

/**
 * What changed since work on a ticket started, according to git. `since` is the user's own word on where that was, and then
 * everything that differs counts.
 */
export async function readWorkDone(
  services: WorkServices,
  ticket: Ticket,
  since: string | undefined,
  signal: AbortSignal,
): Promise<WorkDone> {
  const repository = services.git.tryOpen(services.cwd);
  if (!repository) return { filesChanged: [] };
  const now = await readPosition(repository, signal);
  const recorded = since === undefined ? await findBase(services, repository, ticket, signal) : undefined;
  const base = since === undefined ? (recorded ?? now) : { commit: await repository.resolveCommit(since, signal) };
  if (since !== undefined && base.commit === undefined) throw unknownRevision(since);
  const filesChanged = recorded || base.commit ? await readChanges(services, repository, base, signal) : [];
  return { filesChanged, ...now, ...(base.commit !== undefined && { base: base.commit }) };
}

type Base = { commit?: string | undefined; changedBefore?: string[] };

async function readChanges(
  services: RepositoryServices,
  repository: Repository,
  { commit, changedBefore = [] }: Base,
  signal: AbortSignal,
): Promise<ChangeRecord["filesChanged"]> {
  const changed = await repository.changedSince(commit, maxFiles + changedBefore.length, signal);
  if (changedBefore.length === 0) return changed;
  const known = new Set(changedBefore);
  const markOf = openMarks(services);
  const counted: typeof changed = [];
  for (const file of changed) {
    signal.throwIfAborted();
    if (!known.has((await markOf(file.path)) ?? "")) counted.push(file);
  }
  return counted.slice(0, maxFiles);
}

/** What was recorded; if its commit is not known here, the commit at the time when the ticket's history says that work started. */
async function findBase(
  { tickets }: WorkServices,
  repository: Repository,
  ticket: Ticket,
  signal: AbortSignal,
): Promise<Base | undefined> {
  const { branch, ...recorded } = workBaseOf(ticket);
  // On a branch without a commit: it started before the first one.
  if (recorded.commit === undefined && branch !== undefined) return recorded;
  const commit = recorded.commit === undefined ? undefined : await repository.resolveCommit(recorded.commit, signal);
  if (commit !== undefined) return { ...recorded, commit };
  const started = await findStart(tickets, ticket.id);
  const before = started && (await repository.commitBefore(started, signal));
  return before === undefined ? undefined : { commit: before };
}

/** A server of another kind keeps no history. */
async function findStart(tickets: Pick<Tickets, "history">, id: string): Promise<Date | undefined> {
  const history = await tickets.history(id).catch((error) => {
    if (error instanceof ForgeError && error.code !== "CANCELLED") return [];
    throw error;
  });
  const isStart = ({ kind, details }: (typeof history)[number]) =>
    kind === "started" || (kind === "status" && details["to"] === "CREATED");
  const last = history.findLast(isStart);
  return last && new Date(last.at);
}

async function readPosition(repository: Repository, signal: AbortSignal): Promise<WorkBase> {
  const { branch } = await repository.status(0, signal);
  const commit = await repository.resolveCommit("HEAD", signal);
  return { ...(branch !== undefined && { branch }), ...(commit !== undefined && { commit }) };
}
