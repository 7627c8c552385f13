import * as z from "zod";
import { defineTool } from "../../../../kernel/definitions/tool.ts";
import { didYouMean } from "../../../../kernel/text/closest.ts";
import { unknownRule } from "../../check/errors.ts";
import { listInvariants } from "../../check/policy.ts";
import type { GovernanceServices } from "../../model/services.ts";

export const getInvariantTrend = defineTool({
  name: "get_invariant_trend",
  title: "Trend of an invariant",
  description:
    "Shows the values of an invariant by commit, oldest first. They are recorded by checks of committed files.",
  effect: "read",
  surfaces: ["cli"],
  input: z.object({
    name: z.string().max(100).describe("The invariant's name"),
    limit: z.number().int().min(1).max(2_000).default(50).describe("How many commits at most"),
  }),
  output: z.object({
    name: z.string(),
    values: z.array(z.object({ commit: z.string(), at: z.string(), value: z.number() })),
  }),
  async run({ check, measurements }: GovernanceServices, { name, limit }) {
    const known = listInvariants((await check.readPolicy()).file).map((invariant) => invariant.name);
    if (!known.includes(name)) throw unknownRule(name, known, didYouMean(name, known));
    return { name, values: await measurements.trend(name, limit) };
  },
});
