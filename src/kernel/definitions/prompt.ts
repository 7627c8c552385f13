import type { z } from "zod";
import type { Call, TextOrigin } from "../calls/call.ts";
import type { Principal } from "../principal.ts";

export type PromptMessage = { role: "user" | "assistant"; content: { type: string } & Record<string, unknown> };

/** Offers values for an argument as it is typed. */
export type Completer<Services> = {
  complete(services: Services, typed: string, principal: Principal): Promise<string[]> | string[];
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
