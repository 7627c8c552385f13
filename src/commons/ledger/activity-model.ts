import * as z from "zod";
import { type Effect, effects } from "../../kernel/effect.ts";
import { limits } from "./model.ts";

const effectNames = Object.keys(effects) as [Effect, ...Effect[]];

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

/** An entry of somebody's own ledger, on its way to their team's. Who they are the token says. */
const relayedEntry = activityEntry
  .omit({ seq: true, principal: true })
  .extend({ effect: z.enum(effectNames), at: z.iso.datetime(), outcome: activityEntry.shape.outcome.exclude(["open"]) })
  .strict();

export const relayedEntries = z.strictObject({ entries: z.array(relayedEntry).min(1).max(limits.relayed) });
