import type { z } from "zod";
import type { Call, TextOrigin } from "../calls/call.ts";

export type PromptMessage = { role: "user" | "assistant"; content: { type: string } & Record<string, unknown> };

/** What a completer knows of the call. It notes text by others, as a tool does: a client can hand values to its model. */
type CompletionCall = Pick<Call, "principal" | "record" | "noteUntrusted" | "signal">;

/** Offers values for an argument as it is typed. */
export type Completer<Services> = {
  complete(services: Services, typed: string, call: CompletionCall): Promise<string[]> | string[];
}["complete"];

export type Prompt<Services, Args extends z.ZodObject = z.ZodObject> = {
  name: string;
  title: string;
  description: string;
  /** Strings only: MCP has no other prompt arguments. */
  args: Args;
  /** As a tool's. */
  untrusted?: TextOrigin;
  complete?: { [argument in keyof z.output<Args>]?: Completer<Services> };
  about?(args: z.output<Args>): string[];
  run(services: Services, args: z.output<Args>, call: Call): Promise<PromptMessage[]>;
};

export function definePrompt<Services, Args extends z.ZodObject>(
  prompt: Prompt<Services, Args>,
): Prompt<Services, Args> {
  return { ...prompt, args: prompt.args.strict() as Args };
}
