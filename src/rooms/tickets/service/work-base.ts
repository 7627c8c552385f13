import type { Call } from "../../../kernel/calls/call.ts";
import { ForgeError } from "../../../kernel/errors.ts";
import { allows } from "../../../kernel/principal.ts";
import type { Repository } from "../../../platform/git/git.ts";
import type { ChangeRecord, Ticket, WorkBase } from "../model/ticket.ts";
import { workBaseOf } from "../model/transitions.ts";
import { unknownRevision } from "./errors.ts";
import type { RepositoryServices, Tickets } from "./tickets.ts";

const maxFiles = 500;

/** The current branch and commit; empty if there is no repository that can be read. */
export async function readWorkBase(services: RepositoryServices, signal: AbortSignal): Promise<WorkBase> {
  const repository = openRepository(services);
  return repository ? readPosition(repository, signal) : {};
}

type WorkServices = RepositoryServices & { tickets: Pick<Tickets, "start" | "history"> };

/**
 * Records that work on a ticket starts here. If that is not possible, the caller goes on without: the ticket may be claimed
 * by someone else, its server away, or the connection read-only.
 */
export async function recordStart(services: WorkServices, call: Call, ticket: Ticket): Promise<Ticket> {
  if (!allows(call.principal, "tickets:write")) return ticket;
  try {
    return await services.tickets.start(call, ticket.id, await readWorkBase(services, call.signal));
  } catch (error) {
    if (!(error instanceof ForgeError) || error.code === "CANCELLED") throw error;
    call.log("warning", `The start of work on ${ticket.id} was not recorded: ${error.message}`);
    return ticket;
  }
}

type WorkDone = Pick<ChangeRecord, "filesChanged" | "branch" | "commit" | "base">;

/** What changed since work on a ticket started, according to git. `since` is the user's own word on where that was. */
export async function readWorkDone(
  services: WorkServices,
  ticket: Ticket,
  since: string | undefined,
  signal: AbortSignal,
): Promise<WorkDone> {
  const repository = openRepository(services);
  if (!repository) return { filesChanged: [] };
  const now = await readPosition(repository, signal);
  const base =
    since === undefined
      ? ((await findBase(services, repository, ticket, signal)) ?? now.commit)
      : await repository.resolveCommit(since, signal);
  if (base === undefined && since !== undefined) throw unknownRevision(since);
  const filesChanged = base === undefined ? [] : await repository.changedSince(base, maxFiles, signal);
  return { filesChanged, ...now, ...(base !== undefined && { base }) };
}

/** The recorded commit; if there is none here, the commit at the time when the ticket's history says that work started. */
async function findBase(
  { tickets }: WorkServices,
  repository: Repository,
  ticket: Ticket,
  signal: AbortSignal,
): Promise<string | undefined> {
  const { commit } = workBaseOf(ticket);
  const recorded = commit === undefined ? undefined : await repository.resolveCommit(commit, signal);
  if (recorded !== undefined) return recorded;
  const started = await findStart(tickets, ticket.id);
  return started === undefined ? undefined : repository.commitBefore(started, signal);
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

/** Tickets work without git; only what git would know is missing then. */
function openRepository({ git, cwd }: RepositoryServices): Repository | undefined {
  try {
    return git.open(cwd);
  } catch (error) {
    if (error instanceof ForgeError) return undefined;
    throw error;
  }
}
