import * as z from "zod";
import { defineTool } from "../../../kernel/definitions/tool.ts";
import { aboutTicket, ticketId } from "../model/schemas.ts";
import type { ProofServices } from "../service/proof.ts";

export const recordLook = defineTool({
  name: "record_look",
  title: "Record what you saw",
  description: "Record what you saw when you looked at what a check describes.",
  effect: "add",
  surfaces: ["cli"],
  input: z.object({
    ticketId,
    check: z.string().trim().min(1).max(40).describe("Its id, such as C-1"),
    saw: z.string().trim().min(3).max(1_000).describe("What you saw"),
    failed: z.boolean().optional().describe("It does not look right"),
  }),
  output: z.object({ ticketId, passed: z.boolean() }),
  about: aboutTicket,
  async run({ proof }: ProofServices, { ticketId: given, check, saw, failed = false }, call) {
    const tickets = await proof.tickets();
    const on = await proof.readLookedAt(await tickets.get(given), call.signal);
    const entry = { kind: "look", check, passed: !failed, saw, ...(on && { on }) } as const;
    const ticket = await tickets.record(call, given, entry);
    return { ticketId: ticket.id, passed: !failed };
  },
});
