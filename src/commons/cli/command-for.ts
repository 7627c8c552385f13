import type { z } from "zod";
import type { Action } from "../../kernel/action.ts";
import type {
  Arguments,
  Candidate,
  Command,
  CommandFacts,
  Option,
  Output,
  TypingPlace,
} from "../../kernel/definitions/command.ts";
import { ForgeError } from "../../kernel/errors.ts";
import { isRecord } from "../../kernel/json.ts";
import { plain } from "../../platform/terminal/text.ts";
import type { App } from "./app.ts";
import { commandLine, wordForShell } from "./command-line.ts";
import { deriveSignature, type Shape } from "./derive.ts";
import { notAReference, wrongInput } from "./errors.ts";
import { withField } from "./fields.ts";
import { progressLine } from "./print/progress-line.ts";

type ToolTypes = { input: z.ZodType; output: z.ZodType };
type Input<Of extends ToolTypes> = z.input<Of["input"]>;
type Result<Of extends ToolTypes> = z.output<Of["output"]>;

/** What a command's own functions know of one run. */
export type Run = {
  app: App;
  out: Output;
  positionals: string[];
  /** By flag. */
  options: Record<string, unknown>;
  /**
   * Calls a tool for this command: the ledger names the command, and a wrong input is named by its flag. Ctrl+C ends the call,
   * unless the command has a signal of its own for it.
   */
  call<Of extends ToolTypes>(tool: string, input: Input<Of>, signal?: AbortSignal): Promise<Result<Of>>;
  /** The tool's input, as it was sent. */
  input: Record<string, unknown>;
  /** The same command with other input: what to type for the next page. */
  again(changes: Record<string, unknown>): string;
};

type ToolCommand<Of extends ToolTypes> = Pick<
  CommandFacts,
  "name" | "aliases" | "summary" | "examples" | "settings" | "group" | "common"
> &
  Shape & {
    tool: string;
    /** Reading is not recorded: it says nothing about work in the project, which may have no store. */
    isQuiet?: true;
    /** Paragraphs in place of the tool's description. */
    details?: string;
    /** Makes the input of what was typed, where words need another look. */
    toInput?(given: Record<string, unknown>, run: Omit<Run, "input" | "again">): Promise<Input<Of>> | Input<Of>;
    /** Does something else in place of the call, such as a live screen; undefined where the tool is to be called. */
    instead?(input: Input<Of>, out: Output, run: Omit<Run, "again">): Promise<number | undefined>;
    /** The result as `--json` prints it, where scripts rely on another shape than the tool's. */
    json?(result: Result<Of>, run: Run): Promise<unknown> | unknown;
    /** Shows the result to a person; `--json` prints it as it is. May return an exit code, or a promise of one. */
    print(result: Result<Of>, out: Output, run: Run): unknown;
    /** The exit code, where a result can be a failure. */
    exitCode?(result: Result<Of>): number;
    complete?(app: App, place: TypingPlace): Promise<Candidate[]>;
  };

/**
 * A command that calls a tool. What it takes and what it is for come from the tool; only what is positional, what is renamed
 * and how the answer is printed is said here. The tool's types are named, its module is not loaded:
 * `commandFor<typeof listTickets>({ tool: "list_tickets", … })`.
 */
export function commandFor<Of extends ToolTypes>(own: ToolCommand<Of>): Command<App> {
  const {
    arguments: _arguments,
    options: _options,
    own: _own,
    only: _only,
    toInput,
    instead,
    json,
    print,
    exitCode,
    details,
    isQuiet,
    ...facts
  } = own;
  return {
    ...facts,
    derive: (tool) => ({ ...deriveSignature(tool, own), ...(details !== undefined && { details }) }),
    async run(app, given, out, known) {
      const typed = { ...own.fixed, ...typedInput(given, known) };
      const call = <Called extends ToolTypes>(tool: string, input: Input<Called>, signal = out.signal) =>
        callTool(app, known, { tool, input: recordOf(input), signal, isQuiet }, out) as Promise<Result<Called>>;
      const parts = { app, out, positionals: given.positionals, options: given.options, call };
      const input = recordOf(toInput ? await toInput(typed, parts) : typed);
      const ended = await instead?.(input as Input<Of>, out, { ...parts, input });
      if (ended !== undefined) return ended;
      const result = await call<Of>(facts.tool, input as Input<Of>);
      const again = (changes: Record<string, unknown>) => commandLine(known, { ...input, ...changes }, given.options);
      const run = { ...parts, input, again };
      if (out.json) out.data(json ? await json(result, run) : result, () => "");
      else {
        const code = await print(result, out, run);
        await tellMore(result, app, out);
        if (typeof code === "number") return code;
      }
      return exitCode?.(result) ?? 0;
    },
  };
}

type ToolCall = { tool: string; input: Record<string, unknown>; signal: AbortSignal; isQuiet: true | undefined };

async function callTool(
  app: App,
  facts: CommandFacts,
  { tool, input, signal, isQuiet }: ToolCall,
  out: Output,
): Promise<unknown> {
  app.failOnSignals();
  try {
    return await app.tools.call(tool, input, {
      signal,
      command: `forge ${facts.name}`,
      ...(isQuiet && { unrecorded: true }),
      report: (progress) => out.progress(progressLine(progress)),
    });
  } catch (error) {
    throw inFlags(error, facts);
  } finally {
    out.progress(undefined);
  }
}

/** Warnings and what to do next go to stderr. */
async function tellMore(result: unknown, app: App, out: Output): Promise<void> {
  const { warnings, next } = recordOf(result);
  if (Array.isArray(warnings))
    for (const warning of warnings)
      if (typeof warning === "string") out.note(`${out.style.yellow("warning:")} ${plain(warning)}`);
  if (!Array.isArray(next) || next.length === 0) return;
  const word = wordForShell(await app.commands.facts());
  for (const action of next as Action[]) out.note(plain(word(action)));
}

/** The tool's input as the words and flags give it. */
function typedInput({ positionals, options }: Arguments, facts: CommandFacts): Record<string, unknown> {
  let input: Record<string, unknown> = {};
  for (const [index, { field, rest }] of (facts.arguments ?? []).entries()) {
    const value = rest ? positionals.slice(index) : positionals[index];
    if (field === undefined || value === undefined || (rest && value.length === 0)) continue;
    input = field.includes("/")
      ? { ...input, ...splitReference(field, String(value), positionals) }
      : withField(input, field, value);
  }
  for (const [flag, option] of Object.entries(facts.options ?? {})) {
    const value = readOption(option, flag, options);
    if (option.field === undefined || value === undefined) continue;
    // The tool has the same default; an inner object is only given where something in it was typed.
    if (option.field.includes(".") && value === option.default) continue;
    input = withField(input, option.field, value);
  }
  return input;
}

function readOption(option: Option, flag: string, options: Record<string, unknown>): unknown {
  if (option.negatable && options[`no-${flag}`] === true) return false;
  const value = options[flag];
  if (option.negates) return value === true ? false : undefined;
  if (option.clears) return value === true ? null : undefined;
  if (option.type !== "list" || !Array.isArray(value)) return value;
  const words = option.commas
    ? value.flatMap((one) =>
        String(one)
          .split(",")
          .map((word) => word.trim()),
      )
    : value;
  // An empty value is how a list is emptied.
  return words.filter((word) => word !== "");
}

/** `BLOCK/TASK`, or the two as words of their own. A block's name may have a slash in it, so the last one counts. */
function splitReference(field: string, word: string, positionals: string[]): Record<string, string> {
  const [first = "", second = ""] = field.split("/");
  const other = positionals[1];
  if (other !== undefined) return { [first]: word, [second]: other };
  const at = word.lastIndexOf("/");
  if (at <= 0 || at === word.length - 1) {
    throw notAReference(word);
  }
  return { [first]: word.slice(0, at), [second]: word.slice(at + 1) };
}

/** What a tool says of its inputs, said of the flags and words that gave them. */
function inFlags(error: unknown, facts: CommandFacts): unknown {
  const issues =
    error instanceof ForgeError && error.code === "VALIDATION_ERROR" ? error.details?.["issues"] : undefined;
  if (!(error instanceof ForgeError) || !Array.isArray(issues)) return error;
  const said = issues.map((issue) => String(issue).replace(/^[\w.]+(?=: )/, (path) => nameOf(path, facts)));
  return wrongInput(said, facts.name, error);
}

function nameOf(path: string, { arguments: args = [], options = {} }: CommandFacts): string {
  const isOf = (field: string | undefined) =>
    field?.split("/").some((part) => path === part || path.startsWith(`${part}.`)) ?? false;
  const flag = Object.entries(options).find(([, option]) => !option.clears && isOf(option.field))?.[0];
  const argument = args.find(({ field }) => isOf(field));
  return flag !== undefined ? `--${flag}` : (argument?.name.toUpperCase() ?? path);
}

function recordOf(value: unknown): Record<string, unknown> {
  return isRecord(value) ? value : {};
}
