import * as z from "zod";
import type { Call } from "../../../../kernel/calls/call.ts";
import { defineTool } from "../../../../kernel/definitions/tool.ts";
import { formatLimits } from "../../formats/errors.ts";
import { limits, ticketFormats } from "../../model/limits.ts";
import type { TicketDocument } from "../../model/ticket.ts";
import { readFacts } from "../../reading/facts.ts";
import { dropAdoption, requireAllowed } from "../../service/guard.ts";
import { findTicket, judgeImports } from "../../service/ports/judge-imports.ts";
import type { TicketServices } from "../../service/tickets.ts";

export const importTickets = defineTool({
  name: "import_tickets",
  title: "Import tickets",
  description: "Imports the tickets of one text, all of them or none.",
  effect: "set",
  surfaces: ["cli"],
  // Asks for each ticket that it replaces; new ones are text by others.
  asksFirst: false,
  deadlineMs: 120_000,
  input: z.object({
    text: z.string().max(formatLimits.text),
    source: z
      .string()
      .max(2 * limits.path)
      .describe("The file's name, for messages and the history"),
    format: z.enum(ticketFormats).optional().describe("Format of the files, if it cannot be detected"),
    onExisting: z
      .enum(["refuse", "skip", "replace", "new-id"])
      .default("refuse")
      .describe("What to do with a ticket whose id exists"),
  }),
  output: z.object({
    outcomes: z
      .array(
        z.object({
          id: z.string().max(limits.line),
          outcome: z.enum(["added", "replaced", "skipped", "unchanged"]),
          was: z.string().max(limits.line).optional(),
        }),
      )
      .max(formatLimits.parts),
    warnings: z.array(z.string().max(limits.line)).max(formatLimits.parts),
  }),
  async run(services: TicketServices, { text, source, format, onExisting }, call) {
    const { decodeTickets } = await import("../../formats/index.ts");
    const { documents, warnings } = decodeTickets(text, { format, source });
    const given = documents.map((document) => ({ document, source }));
    const incoming = await judgeImports(services, given, onExisting, call);
    if (onExisting === "replace") await requireReplaceable(services, documents, call);
    if (onExisting === "replace") await dropAdoptions(services, documents, call);
    const outcomes = await services.tickets.import(call, incoming, onExisting);
    return { outcomes, warnings: [...warnings, ...documents.flatMap((document) => readFacts(document).warnings)] };
  },
});

/** Before the text of others takes the place of what the user took over. */
async function dropAdoptions(services: TicketServices, documents: readonly TicketDocument[], call: Call) {
  for (const document of documents) {
    const existing = await findTicket(services, readFacts(document).id);
    if (existing) await dropAdoption(services, { ...call, foreign: true }, existing.id);
  }
}

/** A command without a terminal may follow text by others: it replaces what it works on, and is asked before anything else. */
async function requireReplaceable(services: TicketServices, documents: readonly TicketDocument[], call: Call) {
  if (call.principal.atKeyboard || !(await services.guard.hasReadUntrusted(call.principal))) return;
  for (const document of documents) {
    const existing = await findTicket(services, readFacts(document).id);
    if (!existing) continue;
    await requireAllowed(services, call, existing.id, (known) => ({
      summary: `Replace ${known} by a file`,
      content: document,
    }));
  }
}
