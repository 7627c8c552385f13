import { isDeepStrictEqual } from "node:util";
import { ForgeError } from "../../../kernel/errors.ts";
import type { Ticket, TicketDocument } from "../model/ticket.ts";
import { statuses } from "../model/status.ts";
import { isRecord } from "../reading/loose.ts";
import type { Author, ImportOutcome, Tickets } from "../service/tickets.ts";
import { fullDocument } from "../store/fact-columns.ts";

/** Where tickets go: a server, and the team there. */
type PushTarget = { server: string; team: string };

/** A ticket that is on the server now; `newId` is the one it has there. */
type PushedTicket = { id: string; newId: string };

export type PushReport = { moved: PushedTicket[]; before: PushedTicket[] };

export type Pushing = {
  local: Pick<Tickets, "list" | "get" | "replace">;
  remote: Pick<Tickets, "list" | "get" | "import">;
  by: Author;
  /** Tells this project's tickets from those of any other. */
  project: string;
  target: PushTarget;
  signal: AbortSignal;
  report(done: number, total: number): void;
};

const pageSize = 200;
const batchSize = 25;
const mostAlike = 50;
const notesTried = 5;

/**
 * Brings a project's tickets to a server and notes in each where it went; nothing is taken away here. Cut off anywhere, it
 * can be run again: a ticket on the server says which one it was, so that none is brought there twice.
 */
export async function pushTickets(pushing: Pushing): Promise<PushReport> {
  const { local, target, signal, report } = pushing;
  const ids = await allIds(local);
  const moved: PushedTicket[] = [];
  const before: PushedTicket[] = [];
  for (let at = 0; at < ids.length; at += batchSize) {
    if (signal.aborted) throw stopped(moved);
    report(at, ids.length);
    const tickets = await Promise.all(ids.slice(at, at + batchSize).map((id) => local.get(id)));
    const open: Ticket[] = [];
    for (const ticket of tickets) {
      const newId = placeOf(ticket, target);
      if (newId === undefined) open.push(ticket);
      else before.push({ id: ticket.id, newId });
    }
    try {
      const pushed = open.length === 0 ? { moved: [], before: [] } : await pushBatch(pushing, open);
      moved.push(...pushed.moved);
      before.push(...pushed.before);
    } catch (error) {
      throw withWhatWasMoved(error, moved);
    }
  }
  return { moved, before };
}

/** Oldest first, so that where numbers are given anew they keep their order. */
async function allIds(local: Pushing["local"]): Promise<string[]> {
  const ids: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await local.list({ status: [...statuses], limit: pageSize, ...(cursor !== undefined && { cursor }) });
    ids.push(...page.tickets.map(({ id }) => id));
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return ids.reverse();
}

async function pushBatch(pushing: Pushing, tickets: Ticket[]): Promise<PushReport> {
  const outcomes = await bringIn(pushing, tickets, "skip");
  const report: PushReport = { moved: [], before: [] };
  for (const [index, ticket] of tickets.entries()) {
    const wasAdded = outcomes[index]?.outcome === "added";
    const newId = wasAdded ? outcomes[index]?.id : await pushTaken(pushing, ticket);
    if (newId === undefined) throw new Error("a ticket was brought in without an outcome");
    const place = await note(pushing, ticket, newId);
    report[place === undefined ? "moved" : "before"].push({ id: ticket.id, newId: place ?? newId });
  }
  return report;
}

/** Its id is taken on the server: by itself, where an earlier run was cut off, or by another ticket. */
async function pushTaken(pushing: Pushing, ticket: Ticket): Promise<string | undefined> {
  return (await earlier(pushing, ticket)) ?? (await bringIn(pushing, [ticket], "new-id"))[0]?.id;
}

async function earlier({ remote, project }: Pushing, ticket: Ticket): Promise<string | undefined> {
  const { id, title } = ticket;
  const origin = originOf(ticket, project);
  const isOurs = ({ document }: Ticket) => isDeepStrictEqual(document["pushedFrom"], origin);
  const namesake = await remote.get(id);
  if (isOurs(namesake)) return namesake.id;
  const { tickets } = await remote.list({ text: title, status: [...statuses], limit: mostAlike });
  for (const alike of tickets.filter((summary) => summary.title === title)) {
    if (isOurs(await remote.get(alike.id))) return alike.id;
  }
  return undefined;
}

function bringIn({ remote, by, project }: Pushing, tickets: Ticket[], onExisting: "skip" | "new-id") {
  const incoming = tickets.map((ticket) => {
    const { pushedTo: _, ...document } = fullDocument(ticket);
    return { document: { ...document, pushedFrom: originOf(ticket, project) }, source: "forge push-local" };
  });
  return remote.import(by, incoming, onExisting) satisfies Promise<ImportOutcome[]>;
}

/** Folders of one name on two machines are told apart by when the ticket was made. */
function originOf({ id, createdAt }: Ticket, project: string) {
  return { project, id, createdAt };
}

/**
 * Notes in the ticket where it went. Somebody may be changing it meanwhile: then it is noted in what they made of it, or was
 * noted by another run, whose note is returned and stays.
 */
async function note({ local, by, target }: Pushing, ticket: Ticket, newId: string): Promise<string | undefined> {
  for (let current = ticket, tries = 1; ; tries++) {
    const noted = placeOf(current, target);
    if (noted !== undefined) return noted;
    const pushedTo = [...placesIn(current.document), { ...target, id: newId }];
    try {
      await local.replace(by, current.id, { ...fullDocument(current), pushedTo }, current.revision);
      return undefined;
    } catch (error) {
      const isChanged = error instanceof ForgeError && error.code === "CONFLICT_ERROR";
      if (!isChanged || tries === notesTried) throw error;
      current = await local.get(ticket.id);
    }
  }
}

function placeOf({ document }: Ticket, { server, team }: PushTarget): string | undefined {
  const place = placesIn(document).find((known) => known["server"] === server && known["team"] === team);
  const id = place?.["id"];
  return typeof id === "string" ? id : undefined;
}

function placesIn({ pushedTo }: TicketDocument): Record<string, unknown>[] {
  return Array.isArray(pushedTo) ? pushedTo.filter(isRecord) : [];
}

function stopped(moved: PushedTicket[]): ForgeError {
  return new ForgeError("CANCELLED", `Stopped after ${moved.length} tickets. They are on the server and noted here.`, {
    details: { moved },
    next: ["Run `forge push-local` again for the others."],
  });
}

function withWhatWasMoved(error: unknown, moved: PushedTicket[]): unknown {
  if (!(error instanceof ForgeError) || moved.length === 0) return error;
  return new ForgeError(error.code, `${moved.length} tickets were moved before this: ${error.message}`, {
    details: { ...error.details, moved },
    next: [...(error.next ?? []), "Run `forge push-local` again for the others; none is moved twice."],
    cause: error,
  });
}
