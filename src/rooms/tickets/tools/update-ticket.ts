import * as z from "zod";
import { ForgeError } from "../../../kernel/errors.ts";
import { defineTool } from "../../../kernel/tool.ts";
import { aboutTicket } from "../model/ids.ts";
import { status, ticketChanges, ticketId } from "../model/ticket.ts";
import { authorOf, requireAllowed } from "../service/guard.ts";
import { resolveAssignee } from "../service/resolve-assignee.ts";
import type { TicketServices } from "../service/tickets.ts";

export const updateTicket = defineTool({
  name: "update_ticket",
  title: "Change what a ticket says",
  description: [
    "Call it when a ticket's text, criteria, files, priority or assignee must change: to record what was learned, or before touching a file it does not name.",
    "Only the fields you give change; an empty text or list clears one, `assignee: null` makes it nobody's. Give `expectedRevision` (from get_ticket_context) to be refused where somebody changed it meanwhile. Criteria that keep their text keep their ids. The status is update_ticket_status's.",
  ].join("\n"),
  effect: "set",
  input: ticketChanges.extend({ ticketId, expectedRevision: z.number().int().min(1).optional() }),
  output: z.object({
    ticketId,
    status,
    revision: z.number(),
    acceptanceCriteriaIds: z.array(z.string().max(100)).max(10_000),
  }),
  about: aboutTicket,
  async run(services: TicketServices, { ticketId: given, expectedRevision, ...named }, call) {
    const changes = resolveAssignee(named, call.principal);
    const fields = Object.keys(changes);
    if (fields.length === 0) throw nothingToChange();
    const { id } = await services.tickets.get(given);
    // Which files a ticket names is what its work may touch: that is not widened on others' word.
    const touches = fields.includes("fileChanges") ? [`ticket-files:${id}`] : [];
    await requireAllowed(services, call, {
      id,
      summary: `Change ${fields.join(", ")} of ${id}`,
      content: changes,
      touches,
    });
    const ticket = await services.tickets.update(await authorOf(services, call), id, changes, expectedRevision);
    const ids = ticket.criteria.map((criterion) => criterion.id);
    return { ticketId: ticket.id, status: ticket.status, revision: ticket.revision, acceptanceCriteriaIds: ids };
  },
});

function nothingToChange(): ForgeError {
  return new ForgeError("VALIDATION_ERROR", "No field to change was given.", {
    next: [`Give at least one of ${Object.keys(ticketChanges.shape).join(", ")}.`],
  });
}
