import * as z from "zod";
import { defineTool } from "../../../../kernel/definitions/tool.ts";
import { formatLimits } from "../../formats/errors.ts";
import { aboutTicket } from "../../model/ids.ts";
import { limits } from "../../model/limits.ts";
import { ticketId } from "../../model/ticket-fields.ts";
import { readFacts } from "../../reading/facts.ts";
import { authorOf, dropAdoption, requireAllowed } from "../../service/guard.ts";
import { requireProofOfEdit } from "../../service/ports/require-proof.ts";
import type { TicketServices } from "../../service/tickets.ts";

export const saveTicketText = defineTool({
  name: "save_ticket_text",
  title: "Save the edited text of a ticket",
  description: "Replaces a ticket by its edited text. Fails if the ticket has changed since it was read.",
  effect: "set",
  surfaces: ["cli"],
  input: z.object({ ticketId, text: z.string().max(formatLimits.text), revision: z.number().int() }),
  output: z.object({
    id: z.string().max(limits.line),
    changed: z.boolean(),
    revision: z.number(),
    warnings: z.array(z.string().max(limits.line)).max(1_000),
  }),
  about: aboutTicket,
  async run(services: TicketServices, { ticketId: given, text, revision }, call) {
    const { readEdited } = await import("../../formats/index.ts");
    const { document, warnings } = readEdited(text);
    const { tickets } = services;
    const before = await tickets.get(given);
    await requireAllowed(services, call, before.id, (id) => ({
      summary: `Replace the text of ${id}`,
      content: { text },
    }));
    const { proof } = await requireProofOfEdit(services, before, document, call);
    const by = await authorOf(services, call);
    await dropAdoption(services, by, before.id);
    const ticket = await tickets.replace(by, given, document, revision, proof);
    return {
      id: ticket.id,
      changed: ticket.revision !== revision,
      revision: ticket.revision,
      warnings: [...warnings, ...readFacts(document).warnings],
    };
  },
});
