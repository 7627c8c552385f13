import { defineResource, matchUri } from "../../../kernel/definitions/resource.ts";
import { escapeContent } from "../../../kernel/text/escape-text.ts";
import { visible } from "../../../kernel/text/visible.ts";
import { localNumber } from "../model/ids.ts";
import { hasChosenId } from "../model/limits.ts";
import { presentContext, toContext } from "../reading/context.ts";
import { noteHistoryRead, type ReaderServices, readForCaller } from "../service/taint.ts";
import type { TicketServices } from "../service/tickets.ts";

type ResourceServices = Pick<TicketServices, "tickets"> & ReaderServices;

const maxTickets = 100;
const maxCompletions = 100;
const ticketUri = "forge://tickets/{id}";

const ticketList = defineResource<ResourceServices>({
  uri: "forge://tickets",
  name: "tickets",
  title: "Tickets",
  description: `The newest ${maxTickets} tickets that are not archived: id, title, status, assignee and dates. Use the tool list_tickets to filter, or to see more.`,
  mimeType: "application/json",
  async read({ tickets }, _variables, call) {
    const page = await tickets.list({ limit: maxTickets });
    const isByOthers = page.tickets.some(({ foreign, dependsOn = [] }) => foreign || hasChosenId(dependsOn));
    if (isByOthers) await call.noteUntrusted();
    const { nextCursor, stale, incomplete } = page;
    return json({
      tickets: page.tickets,
      ...(stale !== undefined && { stale, warning: "The server cannot be reached; this is the last known copy." }),
      ...(incomplete && { incomplete, missing: "Put together from earlier answers: tickets may be missing." }),
      ...(nextCursor && { nextCursor, more: "There are more: call list_tickets with this cursor." }),
    });
  },
  watch: ({ tickets }, _uri, changed) => tickets.watch(undefined, changed),
});

const ticket = defineResource<ResourceServices>({
  uri: ticketUri,
  name: "ticket",
  title: "Ticket",
  description: "One ticket in full, with its history: the latest 100 events, oldest first.",
  mimeType: "application/json",
  async read(services, { id = "" }, call) {
    const opened = await readForCaller(services, call, id);
    call.record.about = [`ticket:${opened.id}`];
    const history = services.tickets.history(opened.id);
    // An old copy of a ticket is worth reading without its history.
    const known = opened.stale === undefined ? await history : await history.catch(() => undefined);
    if (known) await noteHistoryRead(services, call, known);
    return json({ ...presentContext(toContext(opened)), ...(known && { history: known }) });
  },
  complete: {
    id: async ({ tickets }, typed, call) => {
      const found = await tickets.suggest(typed, maxCompletions);
      if (found.some(({ id, foreign }) => foreign && isNamed(id))) await call.noteUntrusted();
      return found.map(({ id }) => visible(id));
    },
  },
  watch: ({ tickets }, uri, changed) => tickets.watch(matchUri(ticketUri, uri)?.["id"], changed),
});

export const resources = [ticketList, ticket];

/** An imported ticket keeps its id, which can be words. Those that are counted here or on a server say nothing. */
function isNamed(id: string): boolean {
  return localNumber(id) === undefined;
}

function json(value: unknown): { text: string } {
  return { text: JSON.stringify(escapeContent(value).value) };
}
