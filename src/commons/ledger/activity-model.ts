import * as z from "zod";
import { limits } from "./model.ts";

/** An entry as the resource and the route show it. */
const activityEntry = z.object({
  seq: z.number(),
  id: z.string().max(200),
  at: z.string().max(40).describe("When the call was made, ISO 8601"),
  kind: z.enum(["tool", "prompt", "resource", "completion", "command", "route"]),
  name: z.string().max(300),
  effect: z.string().max(40),
  principal: z.string().max(300),
  agent: z.string().max(300).optional(),
  about: z.array(z.string().max(300)).max(100).describe("What it was about, as kind:id"),
  outcome: z.enum(["open", "ok", "error", "cancelled", "asked", "interrupted"]),
  code: z.string().max(40).optional(),
  durationMs: z.number(),
  evidence: z.array(z.string().max(300)).max(100).describe("Links to what proves it, as kind:id"),
});

export const activity = z.object({ entries: z.array(activityEntry).max(limits.most) });
