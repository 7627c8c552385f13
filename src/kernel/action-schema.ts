import * as z from "zod";
import type { Action } from "./action.ts";

const words = z.string().max(2_000);
const name = z.string().max(100);
const value = z.union([words, z.number(), z.boolean(), z.null(), z.array(words).max(100)]);
const input = z.record(name, z.union([value, z.record(name, value)]));

const action: z.ZodType<Action, Action> = z.union([
  words,
  z.object({ tool: words, input: input.optional(), why: words.optional() }),
  z.object({ command: words, why: words.optional() }),
]);

/** What to do next, in a result. */
export const actionsSchema = z.array(action).max(50).optional();
