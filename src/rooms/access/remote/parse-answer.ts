import type * as z from "zod";
import { garbledAnswer } from "./errors.ts";

/** What a server sent, if it is what was asked for. */
export function parseAnswer<T>(schema: z.ZodType<T>, sent: unknown, expected: string): T {
  const parsed = schema.safeParse(sent);
  if (parsed.success) return parsed.data;
  throw garbledAnswer(expected);
}
