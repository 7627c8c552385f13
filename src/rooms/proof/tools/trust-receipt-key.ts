import * as z from "zod";
import { defineTool } from "../../../kernel/definitions/tool.ts";
import { isRecord } from "../../../kernel/json.ts";
import type { ProofServices } from "../service/proof.ts";

export const trustReceiptKey = defineTool({
  name: "trust_receipt_key",
  title: "Trust the signer of receipts",
  description: "Trust receipts that are signed with this key. Only for a person.",
  effect: "set",
  surfaces: ["cli"],
  ofUser: () => true,
  input: z.object({
    key: z
      .string()
      .max(10_000_000)
      .describe("The public key, a receipt that was signed with it, or what a server answers at /api/keys"),
    team: z
      .string()
      .trim()
      .min(1)
      .max(1_000)
      .optional()
      .describe("For a server's key: id of the team whose receipts to trust (default: the receipt's team)"),
  }),
  output: z.object({ signer: z.string().max(100), team: z.string().max(1_000).optional() }),
  async run({ keys }: ProofServices, { key: text, team: given }) {
    const [{ openEnvelope, readPublicKey }, { readStatement }, { notAKey, teamNeeded }] = await Promise.all([
      import("../receipt/dsse.ts"),
      import("../receipt/receipt.ts"),
      import("../receipt/errors.ts"),
    ]);
    const { publicKey, kind } = keyIn(text);
    const key = readPublicKey(text) ?? readPublicKey(publicKey);
    if (!key) throw notAKey("The file");
    const team = given ?? (kind === "receipt" ? readStatement(openEnvelope(text, []).body).issuer?.team.id : undefined);
    if (kind === "server" && team === undefined) throw teamNeeded();
    return { signer: await (await keys()).trust(key, team), ...(team !== undefined && { team }) };
  },
});

/** A receipt names the key it was signed with; a server lists its keys. */
function keyIn(text: string): { publicKey: string; kind?: "server" | "receipt" } {
  try {
    const parsed: unknown = JSON.parse(text);
    if (!isRecord(parsed)) return { publicKey: "" };
    const { keys } = parsed;
    const [listed]: unknown[] = Array.isArray(keys) ? keys : [parsed];
    const publicKey = isRecord(listed) ? String(listed["publicKey"]) : "";
    return { publicKey, kind: Array.isArray(keys) ? "server" : "receipt" };
  } catch {
    return { publicKey: "" };
  }
}
