import * as z from "zod";
import { defineTool } from "../../../kernel/definitions/tool.ts";
import type { ProofServices } from "../service/proof.ts";

const line = z.string().max(10_000);

export const verifyReceipt = defineTool({
  name: "verify_receipt",
  title: "Verify a receipt",
  description: "Checks a receipt's signature, its commit and tree, and runs its checks again if asked to.",
  effect: "act",
  surfaces: ["cli"],
  deadlineMs: 60 * 60_000,
  input: z.object({
    receipt: z.string().max(10_000_000),
    rerun: z.boolean().optional().describe("Run the checks again"),
  }),
  output: z.object({
    ticketId: line,
    title: line,
    result: z.enum(["PASSED", "WARNED", "FAILED"]),
    commit: line,
    signer: line,
    knownSigner: z.boolean(),
    rerun: z
      .object({ passed: z.boolean(), results: z.array(z.object({ check: line, outcome: line, why: line })).max(200) })
      .optional(),
  }),
  async run({ receipts }: ProofServices, { receipt: text, rerun }, call) {
    const verdict = await (await receipts()).verify(call, text, rerun === undefined ? {} : { rerun });
    const { ticket, commit } = verdict.receipt;
    return {
      ticketId: ticket.id,
      title: ticket.title.slice(0, 1_000),
      result: verdict.result,
      commit,
      signer: verdict.keyId,
      knownSigner: verdict.isKnownSigner,
      ...(verdict.rerun && { rerun: verdict.rerun }),
    };
  },
});
