/** One option of a command. Kept apart from zod so that `forge --help` loads nothing. */
export type Option = {
  /** A list is an option that may be given several times. */
  type: "string" | "number" | "boolean" | "list";
  /** A single letter. */
  short?: string;
  /** What stands after the option in help: `--toolsets LIST`. */
  value?: string;
  /** The value may be left out: `--http` alone is `--http=""`. */
  optionalValue?: boolean;
  choices?: readonly string[];
  /** The value is a path; a shell's own completion knows those best. */
  path?: "file" | "folder";
  /** Bounds of a number. */
  min?: number;
  max?: number;
  integer?: boolean;
  /** The value where the option is not given; help names it. */
  default?: string | number;
  help: string;
};

export type Options = Record<string, Option>;

export type Argument = {
  name: string;
  required: boolean;
  /** The option that gives the same value by name. */
  option?: string;
  /** Stands for this word and all that follow it; only the last argument can. */
  rest?: true;
  help: string;
};

/** A word that a shell may offer, with what it means. One that ends in `=`, `.` or `/` goes on. */
export type Candidate = { value: string; help?: string };

/** Where on a command's line something is being typed: the words before it, and the option whose value it is, if any. */
export type TypingPlace = { typed: string; positionals: string[]; option: string | undefined };

type ValueTypes = { string: string; number: number; boolean: boolean; list: string[] };

type OptionValues<Known extends Options> = {
  [name in keyof Known]:
    | ValueTypes[Known[name]["type"]]
    | (Known[name] extends { default: string | number } ? never : undefined);
};

export type Arguments<Known extends Options = Options> = { positionals: string[]; options: OptionValues<Known> };

/** How a command talks to the person or script that runs it. */
export type Output = {
  /** True where `--json` was given. */
  json: boolean;
  /** Columns of the terminal that stdout is; undefined on a pipe or in a file, where nothing is cut. */
  width: number | undefined;
  /** Aborted on Ctrl+C, and when nobody reads stdout any more. */
  signal: AbortSignal;
  /** Data: a line (or lines) on stdout. */
  print(text: string): void;
  /** The command's result as JSON where `--json` was given, else what `human` makes of it. */
  data<T>(value: T, human: (value: T) => string): void;
  /** Data that has to stay as it is, to the byte; on a terminal it cannot. Returns whether it did. */
  exact(data: string | Buffer): boolean;
  /** Words beside the data, on stderr. */
  note(text: string): void;
  /** A passing line on a terminal, replaced by the next and gone with undefined; nothing on a pipe or in a file. */
  progress(text: string | undefined): void;
  style: Style;
};

export type Style = Record<"bold" | "dim" | "red" | "green" | "yellow" | "cyan", (text: string) => string>;

/** What can stand after a command's name. */
export type Signature<Known extends Options = Options> = { arguments?: Argument[]; options?: Known };

/**
 * A command as data plus a function; help, completion and parsing are derived. `App` is what the program offers it, named
 * by annotating the first parameter of `run`.
 */
export type Command<App, Known extends Options = Options> = Signature<Known> & {
  name: string;
  summary: string;
  /** Paragraphs for `forge NAME --help`: what it is for, and what to expect. */
  details?: string;
  examples: [line: string, meaning: string][];
  /** Names of the settings it heeds: help lists their variables, and a wrong value of any other does not stop it. */
  settings: readonly string[];
  /** Group in `forge --help`. */
  group: "start" | "tickets" | "tasks" | "look" | "server" | "more";
  /** The commands behind this word, by their whole names (`task list`). Loaded when one is typed or asked about. */
  parts?(): Promise<readonly Command<App>[]>;
  /** Works, but is in no list: only other programs call it. */
  hidden?: true;
  /** Help on what the arguments name, in place of the command's own: `forge call TOOL --help`. False where they name nothing. */
  helpOn?(app: App, positionals: string[], out: Output): Promise<boolean>;
  /** Values only the program knows, for a shell's Tab key; those that do not fit what is typed are left out later. */
  complete?(app: App, place: TypingPlace): Promise<Candidate[]>;
  /** What is only known once the program is there, where the command mirrors a tool. */
  derive?(app: App): Signature & { details: string };
  /** Resolves to the exit code; throws for an error. */
  run(app: App, input: Arguments<Known>, out: Output): Promise<number>;
};

export function defineCommand<App, const Known extends Options = Record<never, Option>>(
  command: Command<App, Known>,
): Command<App, Known> {
  return command;
}
