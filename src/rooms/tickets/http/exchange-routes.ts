import * as z from "zod";
import { defineRoute } from "../../../kernel/definitions/route.ts";
import { encodeTicket } from "../formats/index.ts";
import type { TicketFormat } from "../model/limits.ts";
import { limits } from "../model/limits.ts";
import { judgeImports } from "../service/ports/judge-imports.ts";
import { fullDocument } from "../store/fact-columns.ts";
import { aboutTicket, revisionOf } from "./mappers.ts";
import { ticketParams } from "./schemas.ts";
import { authorOf, type TicketRouteServices } from "./services.ts";

/** A request holds 1 MiB; more tickets need several requests. */
const maxImported = 100;

export const importRoute = defineRoute({
  method: "POST",
  operation: "import_tickets",
  path: "/api/tickets/import",
  summary: "Imports tickets, all of them or none, in current or legacy form.",
  scope: "tickets:write",
  effect: "add",
  names: "none",
  params: z.object({}),
  query: z.object({}),
  body: z.strictObject({
    tickets: z
      .array(z.record(z.string().max(limits.line), z.unknown()))
      .min(1)
      .max(maxImported),
    onExisting: z.enum(["refuse", "skip", "replace", "new-id"]).default("refuse"),
    source: z
      .string()
      .trim()
      .min(1)
      .max(limits.path)
      .default("a request")
      .describe("Where they come from; recorded in the history"),
  }),
  output: z.object({
    outcomes: z.array(
      z.object({
        id: z.string(),
        outcome: z.enum(["added", "replaced", "skipped", "unchanged"]),
        was: z.string().optional().describe("The original id, if the ticket got a new one"),
      }),
    ),
  }),
  async run(services: TicketRouteServices, { body: { tickets: documents, onExisting, source } }, call) {
    const given = documents.map((document) => ({ document, source }));
    const incoming = await judgeImports(services, given, onExisting, call);
    return { outcomes: await services.tickets.import(authorOf(call), incoming, onExisting) };
  },
});

export const historyRoute = defineRoute({
  method: "GET",
  path: "/api/tickets/:id/history",
  summary: "The history of a ticket: its latest events, oldest first.",
  scope: "tickets:read",
  effect: "read",
  names: "ticket",
  params: ticketParams,
  query: z.object({ limit: z.coerce.number().int().min(1).max(1_000).default(100) }),
  output: z.object({
    history: z.array(
      z.object({
        at: z.string(),
        by: z.string(),
        agent: z.string().optional(),
        kind: z.string(),
        details: z.record(z.string(), z.unknown()),
      }),
    ),
  }),
  about: aboutTicket,
  async run({ tickets }: TicketRouteServices, { params, query }) {
    return { history: await tickets.history(params.id, query.limit) };
  },
});

const exportedFile = z.object({ text: z.string(), filename: z.string(), revision: z.number() });

function exportRoute(format: TicketFormat, ending: string, mediaType: string) {
  return defineRoute({
    method: "GET",
    path: `/api/tickets/:id/export/${format}`,
    summary: `A ticket as a file (${mediaType}). Importing it gives the same ticket.`,
    scope: "tickets:read",
    effect: "read",
    names: "ticket",
    params: ticketParams,
    query: z.object({}),
    output: exportedFile,
    about: aboutTicket,
    async run({ tickets }: TicketRouteServices, { params }) {
      const ticket = await tickets.get(params.id);
      return {
        text: encodeTicket(fullDocument(ticket), format),
        filename: `${slugOf(ticket.title) || ticket.id}${ending}`,
        revision: ticket.revision,
      };
    },
    file: { mediaType, make: ({ text, filename }) => ({ text, filename }) },
    revision: revisionOf,
  });
}

export const exportRoutes = [
  exportRoute("markdown", "-spec.md", "text/markdown; charset=utf-8"),
  exportRoute("xml", "-aec.xml", "application/xml; charset=utf-8"),
  exportRoute("json", ".json", "application/json; charset=utf-8"),
];

/** Letters and digits of the title: a file name on any system. */
function slugOf(title: string): string {
  const words = title
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, " ")
    .split(" ");
  return words
    .filter((word) => word !== "")
    .join("-")
    .slice(0, 60);
}
