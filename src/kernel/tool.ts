import type { z } from "zod";
import type { Call } from "./call.ts";
import type { Effect } from "./effect.ts";

/**
 * Data plus a function. `Services` is what `run` needs of the program, named by annotating its first parameter.
 * Methods, not function properties: a list of tools with different inputs then needs no `any`.
 */
export type Tool<Services, Input extends z.ZodObject = z.ZodObject, Output extends z.ZodType = z.ZodType> = {
  name: string;
  title: string;
  /** English, 2 KB at most; the first sentence says when to use the tool. */
  description: string;
  effect: Effect;
  input: Input;
  output: Output;
  /** 30 s unless told. */
  deadlineMs?: number;
  /** Callable, but not in the lists. */
  unlisted?: boolean;
  /** Callable, but under `auto` not in the lists of clients that have tools of this kind of their own. */
  unlessClientHas?: "file tools";
  /** What it returns was written by others than the person: whoever reads it may no longer be acting for them. */
  untrusted?: true;
  /** What the call is about, for the ledger. */
  about?(input: z.output<Input>): string[];
  run(services: Services, input: z.output<Input>, call: Call): Promise<z.input<Output>>;
  /** The text block, where a specification fixes its shape; otherwise it is the output as JSON. */
  text?(output: z.output<Output>): string;
  /** Content blocks that are not text (images, resources), where the output is not meant to be read as JSON. */
  content?(output: z.output<Output>): Record<string, unknown>[];
};

/** Unknown arguments are errors, whatever the schema's author wrote. */
export function defineTool<Services, Input extends z.ZodObject, Output extends z.ZodType>(
  tool: Tool<Services, Input, Output>,
): Tool<Services, Input, Output> {
  return { ...tool, input: tool.input.strict() as Input };
}
