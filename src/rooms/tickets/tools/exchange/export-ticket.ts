import * as z from "zod";
import { defineTool } from "../../../../kernel/definitions/tool.ts";
import { formatLimits } from "../../formats/errors.ts";
import { aboutTicket } from "../../model/ids.ts";
import { limits, ticketFormats } from "../../model/limits.ts";
import { ticketId } from "../../model/ticket-fields.ts";
import type { TicketServices } from "../../service/tickets.ts";
import { fullDocument } from "../../store/fact-columns.ts";

export const exportTicket = defineTool({
  name: "export_ticket",
  title: "Export a ticket",
  description: "A ticket as text for a file. Importing it gives the same ticket.",
  effect: "read",
  surfaces: ["cli"],
  input: z.object({
    ticketId,
    format: z.enum(ticketFormats).describe("Default: by the name of --output, else json"),
  }),
  output: z.object({
    id: z.string().max(limits.line),
    slug: z.string().max(limits.line).describe("Words for a file name"),
    text: z.string().max(formatLimits.text),
    stale: z.string().max(40).optional(),
  }),
  about: aboutTicket,
  async run({ tickets }: TicketServices, { ticketId: given, format }) {
    const { encodeTicket } = await import("../../formats/index.ts");
    const ticket = await tickets.get(given);
    const { id, title, slug = title, stale } = ticket;
    return { id, slug, text: encodeTicket(fullDocument(ticket), format), ...(stale !== undefined && { stale }) };
  },
});
