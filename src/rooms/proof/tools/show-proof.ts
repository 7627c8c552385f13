import * as z from "zod";
import { defineTool } from "../../../kernel/definitions/tool.ts";
import { aboutTicket, criterionView, maxCriteria, ticketId, toCriterionView } from "../model/schemas.ts";
import type { ProofServices } from "../service/proof.ts";

export const showProof = defineTool({
  name: "show_proof",
  title: "Show what is proven",
  description: "The state of each criterion of a ticket, with its checks. Nothing is run.",
  effect: "read",
  surfaces: ["cli"],
  input: z.object({ ticketId }),
  output: z.object({
    ticketId,
    criteria: z.array(criterionView).max(maxCriteria),
    warnings: z.array(z.string().max(200)).max(1).optional(),
  }),
  about: aboutTicket,
  async run({ proof }: ProofServices, { ticketId: given }, call) {
    const ticket = await (await proof.tickets()).get(given);
    const { stale } = ticket;
    const ranHere = await proof.ranHere(call);
    const warning = `The server cannot be reached. This is what it said on ${stale?.slice(0, 16).replace("T", " ")}.`;
    return {
      ticketId: ticket.id,
      criteria: (await proof.states(ticket, call.signal)).map((one) => toCriterionView(one, ranHere)),
      ...(stale !== undefined && { warnings: [warning] }),
    };
  },
});
