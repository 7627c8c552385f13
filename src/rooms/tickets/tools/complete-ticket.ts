import * as z from "zod";
import { defineTool } from "../../../kernel/definitions/tool.ts";
import { invalidDivergence } from "../model/errors.ts";
import { aboutTicket } from "../model/ids.ts";
import { limits } from "../model/limits.ts";
import { ticketView } from "../model/ticket/ticket-view.ts";
import { toView } from "../model/ticket/to-view.ts";
import { changeRecord } from "../model/ticket.ts";
import { ticketId } from "../model/ticket-fields.ts";
import { authorOf, requireAllowed } from "../service/guard.ts";
import { requireProof } from "../service/ports/require-proof.ts";
import type { TicketServices } from "../service/tickets.ts";
import { readWorkDone } from "../service/work-base.ts";

const { executionSummary } = changeRecord.shape;

export const completeTicket = defineTool({
  name: "complete_ticket",
  title: "Complete a ticket",
  description:
    "Moves a ticket to COMPLETE and records what was done. The changed files, the branch and the commit come from git.",
  effect: "set",
  surfaces: ["cli"],
  input: z.object({
    ticketId,
    summary: executionSummary.describe("What was done, in a few sentences"),
    since: z
      .string()
      .trim()
      .min(1)
      .max(limits.line)
      .optional()
      .describe("The commit, branch or tag that work started from (default: where Forge saw it start)"),
    correct: z.boolean().optional().describe("Correct the record of a ticket that is complete"),
    divergence: z
      .array(z.string().max(4 * limits.line))
      .max(50)
      .optional()
      .describe('Where the work differs from the ticket: "area|intended|actual|why"'),
  }),
  output: ticketView,
  about: aboutTicket,
  async run(services: TicketServices, { ticketId: given, summary, since, correct = false, divergence = [] }, call) {
    const { tickets } = services;
    const divergences = divergence.map(parseDivergence);
    const before = await tickets.get(given);
    await requireAllowed(services, call, before.id, (id) => ({
      summary: `Complete ${id}`,
      content: { summary, divergence, correct, since },
    }));
    // Only a ticket that is complete has a record to correct; completing one always needs its proof.
    const proof = correct && before.status === "COMPLETE" ? {} : await requireProof(services, before, call);
    const done = await readWorkDone(services, before, since, call.signal);
    const record = {
      ...(summary !== undefined && { executionSummary: summary }),
      ...(divergences.length > 0 && { divergences }),
      ...done,
      ...proof,
    };
    const judged = "proof" in proof && proof.proof === "proven" ? before : undefined;
    return toView(await tickets.complete(await authorOf(services, call), given, record, { correct, judged }));
  },
});

function parseDivergence(word: string) {
  const parts = word.split("|").map((part) => part.trim());
  const [area = "", intended = "", actual = "", justification = ""] = parts;
  if (parts.length !== 4 || parts.includes("")) throw invalidDivergence(word);
  return { area, intended, actual, justification };
}
