import * as z from "zod";
import { maxSeen } from "../../../commons/evidence/limits.ts";
import { defineTool } from "../../../kernel/definitions/tool.ts";
import type { ProofTicket } from "../model/ports.ts";
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
    text: z.string().max(maxSeen).optional().describe("The criterion's text as the person saw it"),
  }),
  output: z.object({ ticketId, criterion: z.string().max(100), until: z.string().max(40) }),
  about: aboutTicket,
  async run({ proof, redactor }: ProofServices, { ticketId: given, text: seen, ...waiver }, call) {
    const tickets = await proof.tickets();
    // Shown without secrets; what is compared, in the same step as the waiver is made, is the text itself.
    const texts = seen === undefined ? [] : textsOf(await tickets.get(given), waiver.criterion);
    const text = texts.find((one) => redactor.text(one).slice(0, maxSeen) === seen)?.slice(0, maxSeen) ?? seen;
    const entry = { kind: "waiver", waiver: { ...waiver, ...(text !== undefined && { text }) } } as const;
    const ticket = await tickets.record(call, given, entry);
    const made = ticket.records.waivers?.at(-1);
    return { ticketId: ticket.id, criterion: made?.criterion ?? "", until: made?.until ?? "" };
  },
});

/** What a criterion says, or said before it was removed. */
function textsOf({ criteria, records: { dropped = [] } }: ProofTicket, given: string): string[] {
  const known = [...criteria, ...dropped.map(({ criterion: id, text }) => ({ id, text }))];
  return known.filter(({ id }) => id.toLowerCase() === given.toLowerCase()).map(({ text }) => text);
}
