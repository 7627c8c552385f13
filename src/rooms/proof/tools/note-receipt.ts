import * as z from "zod";
import { defineTool } from "../../../kernel/definitions/tool.ts";
import { aboutTicket, ticketId } from "../model/schemas.ts";
import type { ProofServices } from "../service/proof.ts";

export const noteReceipt = defineTool({
  name: "note_receipt",
  title: "Keep a receipt in git",
  description: "Keeps a ticket's signed receipt as a git note on the commit that was verified.",
  effect: "set",
  surfaces: ["cli"],
  // It is signed with the user's key.
  ofUser: () => true,
  input: z.object({ ticketId }),
  output: z.object({ ticketId, commit: z.string().max(200) }),
  about: aboutTicket,
  async run({ proof, receipts }: ProofServices, { ticketId: given }, call) {
    const desk = await receipts();
    const receipt = await desk.make(call, given);
    await proof.git.work(proof.projectRoot).notes.set(receipt.commit, await desk.sign(receipt), call.signal);
    return { ticketId: receipt.ticket.id, commit: receipt.commit };
  },
});
