import * as z from "zod";
import { limits } from "../../../commons/ledger/model.ts";
import { type Effect, effects } from "../../../kernel/effect.ts";

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
  user: z.string().max(300).optional().describe("The member's name"),
  agent: z.string().max(300).optional(),
  about: z.array(z.string().max(300)).max(100).describe("What it was about, as kind:id"),
  outcome: z.enum(["open", "ok", "error", "cancelled", "asked", "interrupted"]),
  code: z.string().max(40).optional(),
  durationMs: z.number(),
  evidence: z.array(z.string().max(300)).max(100).describe("Links to what proves it, as kind:id"),
});

export const activity = z.object({ entries: z.array(activityEntry).max(limits.max) });

const text = (most: number) =>
  z
    .string()
    .max(most)
    .refine((given) => !given.includes("\0"), "contains a NUL");
const texts = z.array(text(300)).max(100);
const firstDay = Date.UTC(2020, 0, 1);
const dayMs = 86_400_000;

/** Clocks of laptops can be wrong by hours; anything further off would be out of order in a team's ledger. */
const likelyTime = z.iso
  .datetime()
  .refine((at) => Date.parse(at) >= firstDay && Date.parse(at) <= Date.now() + dayMs, "is not a time since 2020");

/** An entry of a laptop's ledger, on its way to the team's. The token says whose it is. */
const relayedEntry = z.strictObject({
  id: z.string().regex(/^[\w.:-]{1,100}$/),
  at: likelyTime,
  kind: z.enum(["tool", "prompt", "resource", "command"]),
  name: text(300),
  effect: z.enum(effectNames),
  agent: text(300).optional(),
  about: texts,
  outcome: activityEntry.shape.outcome.exclude(["open"]),
  code: text(40).optional(),
  durationMs: z.number().int().min(0).max(1e9),
  evidence: texts,
});

export const relayedEntries = z.strictObject({ entries: z.array(relayedEntry).min(1).max(limits.maxPerMessage) });
