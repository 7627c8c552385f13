import * as z from "zod";
import { defineTool } from "../../../kernel/definitions/tool.ts";
import { escapeContent } from "../../../kernel/text/escape-text.ts";
import { aboutTicket } from "../model/ids.ts";
import { ticketId } from "../model/ticket-fields.ts";
import { ticketContext } from "../reading/context-schemas.ts";
import { readForCaller } from "../service/taint.ts";
import type { TicketServices } from "../service/tickets.ts";

export const getFileChanges = defineTool({
  name: "get_file_changes",
  title: "Files a ticket will change",
  description: "Call before editing: lists the files that a ticket says to create, modify or delete.",
  effect: "read",
  input: z.object({ ticketId }),
  output: z.object({ ticketId, fileChanges: ticketContext.shape.fileChanges }),
  about: aboutTicket,
  async run(services: TicketServices, input, call) {
    const { id, fileChanges } = await readForCaller(services, call, input.ticketId);
    return { ticketId: id, fileChanges };
  },
  present: (output) => escapeContent(output).value,
  text: ({ fileChanges }) => JSON.stringify(fileChanges),
});
