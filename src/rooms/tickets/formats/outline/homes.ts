import * as z from "zod";

const place = z.enum(["ticket", "techSpec"]);
const form = z.enum(["text", "parts"]);
const home = z.object({ in: place, as: form });

/**
 * Where in a document the parts of its outline belong. Servers keep them in `techSpec`, structured; other programs at the top
 * level, often as text. If nothing is recorded, the visible form decides.
 */
export const homes = z.object({
  problem: home.optional(),
  solution: home.optional(),
  /** `ids` if the criteria in the document have ids. */
  criteria: home.extend({ ids: z.boolean() }).optional(),
  files: z.enum(["ticket", "techSpec", "layers", "solution"]).optional(),
  api: home.optional(),
  tests: home.optional(),
  inScope: place.optional(),
  outOfScope: place.optional(),
  assignee: z.enum(["assignee", "assignedTo"]).optional(),
});

export type Place = z.output<typeof place>;
export type Home = z.output<typeof home>;
export type Homes = z.output<typeof homes>;
