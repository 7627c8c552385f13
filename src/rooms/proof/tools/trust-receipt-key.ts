import * as z from "zod";
import { defineTool } from "../../../kernel/definitions/tool.ts";
import { isRecord } from "../../../kernel/json.ts";
import type { ProofServices } from "../service/proof.ts";

export const trustReceiptKey = defineTool({
  name: "trust_receipt_key",
  title: "Trust the signer of receipts",
  description: "Makes receipts that were signed with this key count as those of a known signer. Only for a person.",
  effect: "set",
  surfaces: ["cli"],
  ofUser: () => true,
  input: z.object({
    key: z
      .string()
      .max(10_000_000)
      .describe("The public key, a receipt that was signed with it, or what a server answers at /api/keys"),
  }),
  output: z.object({ signer: z.string().max(100) }),
  async run({ keys }: ProofServices, { key: text }) {
    const [{ readPublicKey }, { notAKey }] = await Promise.all([
      import("../receipt/dsse.ts"),
      import("../receipt/errors.ts"),
    ]);
    const key = readPublicKey(text) ?? readPublicKey(keyIn(text));
    if (!key) throw notAKey("The file");
    return { signer: await (await keys()).trust(key) };
  },
});

/** A receipt names the key it was signed with; a server lists its keys. */
function keyIn(text: string): string {
  try {
    const parsed: unknown = JSON.parse(text);
    if (!isRecord(parsed)) return "";
    const { keys } = parsed;
    const [listed]: unknown[] = Array.isArray(keys) ? keys : [parsed];
    return isRecord(listed) ? String(listed["publicKey"]) : "";
  } catch {
    return "";
  }
}
