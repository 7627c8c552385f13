import type * as z from "zod";
import { ForgeError } from "../../../kernel/errors.ts";

/** What a server sent, where it is what was asked for. */
export function understood<T>(schema: z.ZodType<T>, sent: unknown, expected: string): T {
  const parsed = schema.safeParse(sent);
  if (parsed.success) return parsed.data;
  throw new ForgeError("NETWORK_ERROR", `The server answered, but not with ${expected}.`, {
    details: { reason: "garbled" },
    next: ["Check that the address is a Forge server's and ends in /api; it may be of another version."],
  });
}
