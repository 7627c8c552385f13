import * as z from "zod";
import { defineRoute } from "../../../kernel/route.ts";
import { encodeTicket } from "../formats/index.ts";
import type { TicketFormat } from "../model/limits.ts";
import { limits } from "../model/limits.ts";
import { fullDocument } from "../store/fact-columns.ts";
import { aboutTicket, oneTicket, revisionOf } from "./mappers.ts";
import { authorOf, type TicketRouteServices } from "./services.ts";

/** A request has 1 MiB; more tickets go in several. */
const maxImported = 100;

export const importRoute = defineRoute({
  method: "POST",
  path: "/api/tickets/import",
  summary: "Brings tickets in, all of them or none, in the shape of any generation of ticket servers.",
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
      .describe("Where they come from, for the history"),
  }),
  output: z.object({
    outcomes: z.array(
      z.object({
        id: z.string(),
        outcome: z.enum(["added", "replaced", "skipped", "unchanged"]),
        was: z.string().optional().describe("The id it came with, where it got another"),
      }),
    ),
  }),
  async run({ tickets }: TicketRouteServices, { body: { tickets: documents, onExisting, source } }, call) {
    const incoming = documents.map((document) => ({ document, source }));
    return { outcomes: await tickets.import(authorOf(call), incoming, onExisting) };
  },
});

export const historyRoute = defineRoute({
  method: "GET",
  path: "/api/tickets/:id/history",
  summary: "What happened to a ticket, oldest first; the latest where there is more.",
  scope: "tickets:read",
  effect: "read",
  names: "ticket",
  params: oneTicket,
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

const exported = z.object({ text: z.string(), filename: z.string(), revision: z.number() });

function exportRoute(format: TicketFormat, ending: string, mediaType: string) {
  return defineRoute({
    method: "GET",
    path: `/api/tickets/:id/export/${format}`,
    summary: `A ticket as a file (${mediaType}) that reads back as the same ticket.`,
    scope: "tickets:read",
    effect: "read",
    names: "ticket",
    params: oneTicket,
    query: z.object({}),
    output: exported,
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

/** Letters and digits of the title, for a file's name on any system. */
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
