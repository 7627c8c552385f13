import { isDeepStrictEqual } from "node:util";
import { ForgeError } from "../../../kernel/errors.ts";
import { isRecord } from "../../../kernel/json.ts";
import { statuses } from "../model/status.ts";
import type { Ticket, TicketDocument } from "../model/ticket.ts";
import type { Author, Tickets } from "../service/tickets.ts";
import { fullDocument } from "../store/fact-columns.ts";
import { partlyPushed, pushStopped } from "./errors.ts";

/** Where tickets go. */
type PushTarget = { server: string; team: string };

/** A ticket that is on the server; `newId` is its id there. */
type PushedTicket = { id: string; newId: string };

export type PushReport = { moved: PushedTicket[]; before: PushedTicket[] };

export type PushOptions = {
  local: Pick<Tickets, "list" | "get" | "replace">;
  remote: Pick<Tickets, "list" | "get" | "import">;
  by: Author;
  /** Distinguishes this project's tickets from those of other projects. */
  project: string;
  target: PushTarget;
  signal: AbortSignal;
  report(done: number, total: number): void;
};

const pageSize = 200;
const batchSize = 25;
const maxCandidates = 50;
const maxNoteTries = 5;

/**
 * Copies a project's tickets to a server and notes in each where it went. It can be stopped anywhere and run again: a ticket
 * on the server says which local one it was, so none is copied twice.
 */
export async function pushTickets(options: PushOptions): Promise<PushReport> {
  const { local, target, signal, report } = options;
  const ids = await allIds(local);
  const moved: PushedTicket[] = [];
  const before: PushedTicket[] = [];
  for (let at = 0; at < ids.length; at += batchSize) {
    if (signal.aborted) throw pushStopped(moved);
    report(at, ids.length);
    const tickets = await Promise.all(ids.slice(at, at + batchSize).map((id) => local.get(id)));
    const open: Ticket[] = [];
    for (const ticket of tickets) {
      const newId = notedId(ticket, target);
      if (newId === undefined) open.push(ticket);
      else before.push({ id: ticket.id, newId });
    }
    try {
      const pushed = open.length === 0 ? { moved: [], before: [] } : await pushBatch(options, open);
      moved.push(...pushed.moved);
      before.push(...pushed.before);
    } catch (error) {
      throw error instanceof ForgeError && moved.length > 0 ? partlyPushed(error, moved) : error;
    }
  }
  return { moved, before };
}

/** Oldest first, so that new numbers keep the order. */
async function allIds(local: PushOptions["local"]): Promise<string[]> {
  const ids: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await local.list({ status: [...statuses], limit: pageSize, ...(cursor !== undefined && { cursor }) });
    ids.push(...page.tickets.map(({ id }) => id));
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return ids.reverse();
}

async function pushBatch(options: PushOptions, tickets: Ticket[]): Promise<PushReport> {
  const outcomes = await importAll(options, tickets, "skip");
  const report: PushReport = { moved: [], before: [] };
  for (const [index, ticket] of tickets.entries()) {
    const wasAdded = outcomes[index]?.outcome === "added";
    const newId = wasAdded ? outcomes[index]?.id : await pushTaken(options, ticket);
    if (newId === undefined) throw new Error("a ticket was imported without an outcome");
    const place = await noteTarget(options, ticket, newId);
    report[place === undefined ? "moved" : "before"].push({ id: ticket.id, newId: place ?? newId });
  }
  return report;
}

/** Its id is taken on the server: by itself, if an earlier run was interrupted, or by another ticket. */
async function pushTaken(options: PushOptions, ticket: Ticket): Promise<string | undefined> {
  return (await findEarlier(options, ticket)) ?? (await importAll(options, [ticket], "new-id"))[0]?.id;
}

async function findEarlier({ remote, project }: PushOptions, ticket: Ticket): Promise<string | undefined> {
  const { id, title } = ticket;
  const origin = originOf(ticket, project);
  const isSame = ({ document }: Ticket) => isDeepStrictEqual(document["pushedFrom"], origin);
  const namesake = await remote.get(id);
  if (isSame(namesake)) return namesake.id;
  const { tickets } = await remote.list({ text: title, status: [...statuses], limit: maxCandidates });
  for (const alike of tickets.filter((summary) => summary.title === title)) {
    if (isSame(await remote.get(alike.id))) return alike.id;
  }
  return undefined;
}

function importAll({ remote, by, project }: PushOptions, tickets: Ticket[], onExisting: "skip" | "new-id") {
  const incoming = tickets.map((ticket) => {
    const { pushedTo: _, ...document } = fullDocument(ticket);
    return { document: { ...document, pushedFrom: originOf(ticket, project) }, source: "forge push-local" };
  });
  return remote.import(by, incoming, onExisting);
}

/** The creation time distinguishes folders of the same name on two machines. */
function originOf({ id, createdAt }: Ticket, project: string) {
  return { project, id, createdAt };
}

/**
 * Notes in the ticket where it went. If it was changed in the meantime, the note goes into the changed ticket. If another
 * run has noted a place already, that one stays and is returned.
 */
async function noteTarget(
  { local, by, target }: PushOptions,
  ticket: Ticket,
  newId: string,
): Promise<string | undefined> {
  for (let current = ticket, tries = 1; ; tries++) {
    const noted = notedId(current, target);
    if (noted !== undefined) return noted;
    const pushedTo = [...placesIn(current.document), { ...target, id: newId }];
    try {
      await local.replace(by, current.id, { ...fullDocument(current), pushedTo }, current.revision);
      return undefined;
    } catch (error) {
      const isChanged = error instanceof ForgeError && error.code === "CONFLICT_ERROR";
      if (!isChanged || tries === maxNoteTries) throw error;
      current = await local.get(ticket.id);
    }
  }
}

function notedId({ document }: Ticket, { server, team }: PushTarget): string | undefined {
  const place = placesIn(document).find((known) => known["server"] === server && known["team"] === team);
  const id = place?.["id"];
  return typeof id === "string" ? id : undefined;
}

function placesIn({ pushedTo }: TicketDocument): Record<string, unknown>[] {
  return Array.isArray(pushedTo) ? pushedTo.filter(isRecord) : [];
}
