import * as z from "zod";
import { defineTool } from "../../../../kernel/definitions/tool.ts";
import { formatLimits } from "../../formats/errors.ts";
import { aboutTicket } from "../../model/ids.ts";
import { ticketId } from "../../model/ticket-fields.ts";
import type { TicketServices } from "../../service/tickets.ts";
import { fullDocument } from "../../store/fact-columns.ts";

export const getTicketText = defineTool({
  name: "get_ticket_text",
  title: "A ticket as text for an editor",
  description: "A ticket as Markdown, and the revision it was read at.",
  effect: "read",
  surfaces: ["cli"],
  input: z.object({ ticketId }),
  output: z.object({ text: z.string().max(formatLimits.text), revision: z.number() }),
  about: aboutTicket,
  async run({ tickets }: TicketServices, { ticketId: given }) {
    const { editableText } = await import("../../formats/index.ts");
    const ticket = await tickets.get(given);
    return { text: editableText(fullDocument(ticket)), revision: ticket.revision };
  },
});
