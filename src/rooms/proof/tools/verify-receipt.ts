import * as z from "zod";
import { defineTool } from "../../../kernel/definitions/tool.ts";
import { maxCriteria } from "../model/schemas.ts";
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
    commit: z.string().trim().min(1).max(200).optional().describe("Fail if it is for another commit"),
  }),
  output: z.object({
    ticketId: line,
    title: line,
    result: z.enum(["PASSED", "WARNED", "FAILED"]),
    commit: line,
    signer: line,
    knownSigner: z.boolean(),
    issuer: z.object({ server: line, team: line }).optional().describe("The server that made it, and for which team"),
    criteria: z.array(z.object({ id: line, state: line, why: line })).max(maxCriteria),
    evidence: z.array(z.object({ check: line, state: line, source: line })).max(maxCriteria),
    rerun: z
      .object({ passed: z.boolean(), results: z.array(z.object({ check: line, outcome: line, why: line })).max(200) })
      .optional(),
  }),
  async run({ receipts }: ProofServices, { receipt: text, rerun, commit: wanted }, call) {
    const verdict = await (await receipts()).verify(call, text, { rerun, commit: wanted });
    const { ticket, commit, issuer, criteria } = verdict.receipt;
    const { describeSource } = await import("../receipt/receipt.ts");
    const checks = criteria.flatMap((criterion) => criterion.checks);
    return {
      ticketId: ticket.id,
      title: ticket.title.slice(0, 1_000),
      result: verdict.result,
      commit,
      signer: verdict.keyId,
      knownSigner: verdict.isKnownSigner,
      ...(issuer && { issuer: { server: issuer.server, team: issuer.team.name } }),
      criteria: criteria.map(({ id, state, why }) => ({ id, state, why: why.slice(0, 1_000) })),
      evidence: checks.map(({ id, state, source }) => ({ check: id, state, source: describeSource(source) })),
      ...(verdict.rerun && { rerun: verdict.rerun }),
    };
  },
});
