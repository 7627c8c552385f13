import * as z from "zod";
import { defineTool } from "../../../kernel/definitions/tool.ts";
import { aboutTicket, ticketId } from "../model/schemas.ts";
import type { ProofServices } from "../service/proof.ts";

export const receiptFormats = ["markdown", "html", "json"] as const;

export const makeReceipt = defineTool({
  name: "make_receipt",
  title: "Make a receipt",
  description:
    "A ticket's receipt: the request, the work and the evidence of the last verification, as Markdown, HTML or a signed in-toto statement.",
  effect: "read",
  surfaces: ["cli"],
  input: z.object({
    ticketId,
    format: z.enum(receiptFormats).default("markdown").describe("`json` is an in-toto statement, signed with your key"),
  }),
  output: z.object({
    ticketId,
    format: z.enum(receiptFormats),
    result: z.enum(["PASSED", "WARNED", "FAILED"]),
    text: z.string().max(10_000_000),
  }),
  about: aboutTicket,
  async run({ receipts }: ProofServices, { ticketId: given, format }, call) {
    const desk = await receipts();
    const [receipt, { toHtml, toMarkdown }, { resultOf }] = await Promise.all([
      desk.make(call, given),
      import("../receipt/print.ts"),
      import("../receipt/receipt.ts"),
    ]);
    const text =
      format === "json" ? await desk.sign(receipt) : format === "html" ? toHtml(receipt) : toMarkdown(receipt);
    return { ticketId: receipt.ticket.id, format, result: resultOf(receipt), text };
  },
});
