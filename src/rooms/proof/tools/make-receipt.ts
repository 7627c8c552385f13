import * as z from "zod";
import { defineTool } from "../../../kernel/definitions/tool.ts";
import { aboutTicket, ticketId } from "../model/schemas.ts";
import type { ProofServices } from "../service/proof.ts";

export const receiptFormats = ["markdown", "html", "json"] as const;

export const makeReceipt = defineTool({
  name: "make_receipt",
  title: "Make a receipt",
  description:
    "What was asked, what was done and what shows it, as it was last verified: as Markdown, HTML, or a signed in-toto statement.",
  effect: "read",
  surfaces: ["cli"],
  input: z.object({
    ticketId,
    format: z.enum(receiptFormats).default("markdown").describe("`json` is an in-toto statement, signed with your key"),
    note: z.boolean().optional().describe("Also keep the signed statement as a git note on the commit"),
  }),
  output: z.object({
    ticketId,
    format: z.enum(receiptFormats),
    result: z.enum(["PASSED", "WARNED", "FAILED"]),
    text: z.string().max(10_000_000),
    note: z.string().max(200).optional(),
  }),
  about: aboutTicket,
  async run({ proof, receipts }: ProofServices, { ticketId: given, format, note = false }, call) {
    const desk = await receipts();
    const [receipt, { toHtml, toMarkdown }, { resultOf }] = await Promise.all([
      desk.make(call, given),
      import("../receipt/print.ts"),
      import("../receipt/receipt.ts"),
    ]);
    const signed = format === "json" || note ? await desk.sign(receipt) : "";
    if (note) await proof.git.work(proof.projectRoot).notes.set(receipt.commit, signed, call.signal);
    const text = format === "json" ? signed : format === "html" ? toHtml(receipt) : toMarkdown(receipt);
    return {
      ticketId: receipt.ticket.id,
      format,
      result: resultOf(receipt),
      text,
      ...(note && { note: receipt.commit }),
    };
  },
});
