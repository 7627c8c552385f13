import type { z } from "zod";
import type { Call, TextOrigin } from "../calls/call.ts";
import { type Effect, effects } from "../effect.ts";

/** Where an operation can be called: by assistants, by a person's command, over REST. */
export type Surface = "mcp" | "cli" | "http";

const defaultSurfaces: readonly Surface[] = ["mcp", "cli"];

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
  /** Default: 30 s. */
  deadlineMs?: number;
  /** Default: `mcp` and `cli`. What only a person may do has no `mcp`, and is unknown to assistants. */
  surfaces?: readonly Surface[];
  /**
   * Whether a caller that may be following text by others needs a person's approval before it runs. By default that is what
   * changes something and has no `mcp`; tools that assistants call ask for what they change themselves.
   */
  asksFirst?: boolean;
  /**
   * Whether it changes the user's own configuration, or is done with their sign-in. It can be called from any folder, so what
   * assistants have read in any of the user's projects counts when it asks first.
   */
  ofUser?(input: z.output<Input>): boolean;
  /** Part of the core loop: listed from the start under `--toolsets auto`. */
  core?: true;
  /** Callable over MCP, but not in the lists. */
  unlisted?: true;
  /** Not among the tools of the specification that an exact profile serves: such a server does not list it. */
  beyondProfile?: true;
  /** Callable, but under `auto` not in the lists of clients that have tools of this kind of their own. */
  unlessClientHas?: "file tools";
  /** What it returns was written by someone else than the user: an assistant that reads it may be following their words. */
  untrusted?: TextOrigin;
  /** It returns content of files, which assistants repeat to the byte: links in it are not changed in the text block either. */
  verbatim?: true;
  /** What the call is about, for the ledger. */
  about?(input: z.output<Input>): string[];
  run(services: Services, input: z.output<Input>, call: Call): Promise<z.input<Output>>;
  /** The output as an assistant is shown it, where that differs: text of others made safe to read. */
  present?(output: z.output<Output>): z.output<Output>;
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

export function isOn<Services>(surface: Surface, { surfaces = defaultSurfaces }: Tool<Services>): boolean {
  return surfaces.includes(surface);
}

export function isAskedFirst<Services>(tool: Tool<Services>): boolean {
  return tool.asksFirst ?? (effects[tool.effect].access === "write" && !isOn("mcp", tool));
}
