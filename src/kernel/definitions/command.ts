/** One option of a command. Kept apart from zod so that `forge --help` loads nothing. */
export type Option = {
  /** A list is an option that may be given several times. */
  type: "string" | "number" | "boolean" | "list";
  /** A single letter. */
  short?: string;
  /** What follows the option in help: `--toolsets LIST`. */
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
  /** The tool's input that it gives, where the command is derived from one: `status`, `options.isolation`. */
  field?: string;
  /** `--no-X` is offered too. */
  negatable?: true;
  /** Gives false: `--no-branch` for a field that is true by default. */
  negates?: true;
  /** Gives null: `--none` for a field that can be cleared. */
  clears?: true;
  /** Several values may stand in one, with commas between them. */
  commas?: true;
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
  /** The tool's input that it gives, where the command is derived from one. */
  field?: string;
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

/** A command as data: help, completion and parsing are derived from it. */
export type CommandFacts<Known extends Options = Options> = Signature<Known> & {
  /** One word, or more where the first ones are groups: `list`, `task list`, `project contract put`. */
  name: string;
  /** Other names that work. */
  aliases?: readonly string[];
  summary: string;
  /** Paragraphs for `forge NAME --help`: what it is for, and what to expect. */
  details?: string;
  examples: readonly (readonly [line: string, meaning: string])[];
  /** Names of the settings it uses: help lists their variables, and a wrong value of any other does not stop it. */
  settings: readonly string[];
  /** Section in `forge help all`. */
  group: "start" | "tickets" | "tasks" | "look" | "server" | "more";
  /** Shown by `forge --help`, which has room for a dozen. */
  common?: true;
  /** Works, but is in no list: only other programs call it. */
  hidden?: true;
  /** A word that other commands stand behind, as in `forge task list`; alone it shows their help. */
  isGroup?: true;
  /** The tool that it calls. */
  tool?: string;
  /** Inputs of the tool that the command always gives. */
  fixed?: Readonly<Record<string, unknown>>;
};

/**
 * A command as data plus a function. `App` is what the program offers it, named by annotating the first parameter of `run`.
 */
export type Command<App, Known extends Options = Options> = CommandFacts<Known> & {
  /** Fills in arguments and options from the tool's schema, where the command is derived from a tool. */
  derive?(tool: ToolFacts): Signature & { details?: string };
  /** Help on what the arguments name, in place of the command's own: `forge call TOOL --help`. False where they name nothing. */
  helpOn?(app: App, positionals: string[], out: Output): Promise<boolean>;
  /** Values only the program knows, for a shell's Tab key; those that do not fit what is typed are left out later. */
  complete?(app: App, place: TypingPlace): Promise<Candidate[]>;
  /** Resolves to the exit code; throws for an error. `facts` are the command's own, with what was derived. */
  run(app: App, input: Arguments<Known>, out: Output, facts: CommandFacts): Promise<number>;
};

/** What a command can be derived from. */
export type ToolFacts = { description: string; inputSchema: Record<string, unknown> };

export function defineCommand<App, const Known extends Options = Record<never, Option>>(
  command: Command<App, Known>,
): Command<App, Known> {
  return command;
}

/** A word that other commands stand behind. */
export function defineGroup<App>(
  group: Omit<CommandFacts, "settings" | "isGroup" | "options" | "arguments">,
): Command<App> {
  return {
    ...group,
    settings: [],
    isGroup: true,
    run: () => Promise.reject(new Error(`${group.name} is a group of commands`)),
  };
}
