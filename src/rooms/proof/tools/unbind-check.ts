import * as z from "zod";
import { defineTool } from "../../../kernel/definitions/tool.ts";
import { aboutTicket, ticketId } from "../model/schemas.ts";
import type { ProofServices } from "../service/proof.ts";

export const unbindCheck = defineTool({
  name: "unbind_check",
  title: "Remove a check",
  description: "Removes a check from a ticket. Only for a person.",
  effect: "remove",
  surfaces: ["cli"],
  input: z.object({ ticketId, check: z.string().trim().min(1).max(40).describe("Its id, such as C-1") }),
  output: z.object({ ticketId }),
  about: aboutTicket,
  async run({ proof }: ProofServices, { ticketId: given, check }, call) {
    const ticket = await (await proof.tickets()).record(call, given, { kind: "unbind", check });
    return { ticketId: ticket.id };
  },
});
