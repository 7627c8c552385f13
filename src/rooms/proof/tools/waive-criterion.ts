import * as z from "zod";
import { defineTool } from "../../../kernel/definitions/tool.ts";
import { aboutTicket, criterion, ticketId } from "../model/schemas.ts";
import type { ProofServices } from "../service/proof.ts";

export const waiveCriterion = defineTool({
  name: "waive_criterion",
  title: "Waive a criterion",
  description: "Lets a ticket be completed without proof of one criterion, until a date. Only for a person.",
  effect: "set",
  surfaces: ["cli"],
  input: z.object({
    ticketId,
    criterion,
    reason: z.string().trim().min(3).max(1_000).describe("Why it need not be proven"),
    until: z.string().trim().max(40).describe("The date it ends, such as 2030-01-31"),
  }),
  output: z.object({ ticketId, criterion: z.string().max(100), until: z.string().max(40) }),
  about: aboutTicket,
  async run({ proof }: ProofServices, { ticketId: given, ...waiver }, call) {
    const ticket = await (await proof.tickets()).record(call, given, { kind: "waiver", waiver });
    const made = ticket.records.waivers?.at(-1);
    return { ticketId: ticket.id, criterion: made?.criterion ?? "", until: made?.until ?? "" };
  },
});
