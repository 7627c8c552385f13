import * as z from "zod";
import { defineTool } from "../../../../kernel/definitions/tool.ts";
import { longText } from "../../model/schemas.ts";
import type { GovernanceServices } from "../../model/services.ts";

export const listWaivers = defineTool({
  name: "list_waivers",
  title: "List waivers",
  description: "Lists the rules that may be broken for now: who allowed it, why, and until when.",
  effect: "read",
  surfaces: ["cli"],
  input: z.object({}),
  output: z.object({
    waivers: z
      .array(
        z.object({
          rule: longText,
          file: longText.optional(),
          reason: longText,
          by: longText,
          until: longText,
          expired: z.boolean(),
        }),
      )
      .max(1_000),
  }),
  async run({ check }: GovernanceServices) {
    const { waivers = [] } = (await check.readPolicy()).file;
    const today = new Date().toISOString().slice(0, 10);
    return { waivers: waivers.map((waiver) => ({ ...waiver, expired: waiver.until < today })) };
  },
});
