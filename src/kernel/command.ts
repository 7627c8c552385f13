/** One option of a command. Kept apart from zod so that `forge --help` loads nothing. */
export type Option = {
  type: "string" | "boolean";
  /** A single letter. */
  short?: string;
  /** What stands after the option in help: `--toolsets LIST`. */
  value?: string;
  /** The value may be left out: `--http` alone is `--http=""`. */
  optionalValue?: boolean;
  choices?: readonly string[];
  help: string;
};

export type Argument = { name: string; required: boolean; help: string };

export type Arguments = { positionals: string[]; options: Record<string, string | boolean | undefined> };

/** How a command talks to the person or script that runs it. */
export type Output = {
  /** True where `--json` was given. */
  json: boolean;
  /** Data: a line (or lines) on stdout. */
  print(text: string): void;
  /** The command's result as JSON where `--json` was given, else what `human` makes of it. */
  data<T>(value: T, human: (value: T) => string): void;
  /** Words beside the data, on stderr. */
  note(text: string): void;
  style: Style;
};

export type Style = Record<"bold" | "dim" | "red" | "green" | "yellow" | "cyan", (text: string) => string>;

/** A command as data plus a function; help, completion and parsing are derived. `App` is what the program offers it. */
export type Command<App> = {
  name: string;
  summary: string;
  /** Paragraphs for `forge NAME --help`: what it is for, and what to expect. */
  details?: string;
  examples: [line: string, meaning: string][];
  arguments?: Argument[];
  options?: Record<string, Option>;
  /** Group in `forge --help`. */
  group: "start" | "look" | "more";
  hidden?: boolean;
  /** Resolves to the exit code; throws for an error. */
  run(app: App, input: Arguments, out: Output): Promise<number>;
};

export function defineCommand<App>(command: Command<App>): Command<App> {
  return command;
}
