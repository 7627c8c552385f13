import * as z from "zod";
import { defineTool } from "../../../kernel/definitions/tool.ts";
import { nothingToChange } from "../model/errors.ts";
import { aboutTicket } from "../model/ids.ts";
import { ticketChanges } from "../model/ticket.ts";
import { status, ticketId } from "../model/ticket-fields.ts";
import { authorOf, dropAdoption, requireAllowed } from "../service/guard.ts";
import { resolveAssignee } from "../service/resolve-assignee.ts";
import { noteTicketRead } from "../service/taint.ts";
import type { TicketServices } from "../service/tickets.ts";

export const updateTicket = defineTool({
  name: "update_ticket",
  title: "Change a ticket",
  description:
    "Call to record what was learned, or before changing a file that the ticket does not name. Only given fields change: lists are replaced, an empty value clears a field.",
  effect: "set",
  core: true,
  input: ticketChanges.extend({
    ticketId,
    expectedRevision: z.number().int().min(1).optional().describe("Fail if it has changed since"),
  }),
  output: z.object({
    ticketId,
    status,
    revision: z.number(),
    assignee: z.string().max(1_000).optional(),
    acceptanceCriteriaIds: z.array(z.string().max(100)).max(10_000),
  }),
  about: aboutTicket,
  async run(services: TicketServices, { ticketId: given, expectedRevision, ...fields }, call) {
    const changes = resolveAssignee(fields, call.principal);
    const names = Object.keys(changes);
    if (names.length === 0) throw nothingToChange(Object.keys(ticketChanges.shape));
    const id = await requireAllowed(services, call, given, (known) => ({
      summary: `Change ${names.join(", ")} of ${known}`,
      content: changes,
      // The files of a ticket are what its work can change: text by others must not extend them.
      touches: names.includes("fileChanges") ? [`ticket-files:${known}`] : [],
    }));
    const by = await authorOf(services, call);
    await dropAdoption(services, by, id);
    const before = await services.tickets.get(id);
    // Who it is assigned to can be the word of others, and what a conflict shows is their text.
    if (before.foreign && (before.assignee ?? expectedRevision) !== undefined)
      await noteTicketRead(services, call, before);
    const ticket = await services.tickets.update(by, id, changes, expectedRevision);
    return {
      ticketId: ticket.id,
      status: ticket.status,
      revision: ticket.revision,
      ...(ticket.assignee !== undefined && { assignee: ticket.assignee }),
      acceptanceCriteriaIds: ticket.criteria.map((criterion) => criterion.id),
    };
  },
});
