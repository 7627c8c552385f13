import * as z from "zod";
import { defineTool } from "../../../kernel/definitions/tool.ts";
import type { ProofServices } from "../service/proof.ts";
import { summarizeClaims } from "../service/summarize-claims.ts";

const count = z.number().int().min(0);

export const reportProof = defineTool({
  name: "report_proof",
  title: "Report claims and proof",
  description: "By assistant: how often work was said to be done, and how often that was proven.",
  effect: "read",
  surfaces: ["cli"],
  input: z.object({ limit: z.number().int().min(1).max(200).default(100).describe("How many tickets to look at") }),
  output: z.object({
    tickets: count,
    rows: z
      .array(
        z.object({
          who: z.string().max(1_000),
          claimed: count.describe("Tickets completed"),
          proven: count.describe("Of these, with proof of every criterion"),
          firstTry: count.describe("Proven by the first verification"),
          reopened: count,
          lapsed: count.describe("Checks whose proof no longer counts"),
          hoursToProof: z.number().optional().describe("Median from start to proof"),
        }),
      )
      .max(1_000),
  }),
  async run({ proof }: ProofServices, { limit }, call) {
    const found = await (await proof.tickets()).recent(limit);
    const items = [];
    for (const { ticket, history } of found)
      items.push({ ticket, history, states: await proof.states(ticket, call.signal) });
    return { tickets: found.length, rows: summarizeClaims(items) };
  },
});
