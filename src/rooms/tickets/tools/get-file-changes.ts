import * as z from "zod";
import { defineTool } from "../../../kernel/tool.ts";
import { aboutTicket } from "../model/ids.ts";
import { ticketId } from "../model/ticket.ts";
import { toContext } from "../reading/context.ts";
import { ticketContext } from "../reading/context-schemas.ts";
import { readForCaller } from "../service/taint.ts";
import type { TicketServices } from "../service/tickets.ts";

export const getFileChanges = defineTool({
  name: "get_file_changes",
  title: "Files a ticket will change",
  description:
    "Call it before editing, to know which files a ticket says to create, modify or delete. Paths are relative to the repository's root. The text of the answer is a JSON array.",
  effect: "read",
  input: z.object({ ticketId }),
  output: z.object({ ticketId, fileChanges: ticketContext.shape.fileChanges }),
  about: aboutTicket,
  async run(services: TicketServices, input, call) {
    const { id, fileChanges } = toContext(await readForCaller(services, call, input.ticketId));
    return { ticketId: id, fileChanges };
  },
  text: ({ fileChanges }) => JSON.stringify(fileChanges),
});
