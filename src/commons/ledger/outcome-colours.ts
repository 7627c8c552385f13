import type { CallRecord } from "../../kernel/calls/call.ts";
import type { Style } from "../../kernel/definitions/command.ts";

/** How the outcome of a call is coloured, wherever calls are listed. */
export const outcomeColours: Record<CallRecord["outcome"], keyof Style> = {
  ok: "green",
  error: "red",
  cancelled: "yellow",
  asked: "cyan",
  interrupted: "yellow",
  open: "cyan",
};
