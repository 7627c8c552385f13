import type { AskedStep } from "../../kernel/calls/asked-step.ts";
import type { CallRecord, Progress } from "../../kernel/calls/call.ts";
import type { Command, CommandFacts } from "../../kernel/definitions/command.ts";
import type { PromptMessage } from "../../kernel/definitions/prompt.ts";
import type { ResourceContent } from "../../kernel/definitions/resource.ts";
import type { ForgeError } from "../../kernel/errors.ts";
import type { AskLine } from "../../platform/terminal/ask-line.ts";
import type { LiveTerminal } from "../../platform/terminal/live-terminal.ts";
import type { AttachedEnd } from "./attached-end.ts";
import type { Person, ProjectReport } from "./person.ts";

/** What the program can do, as the commands see it. Everything heavy loads when it is used. */
export type App = {
  version: string;
  /** Where the project and its data are; nothing is opened. */
  project: ProjectReport;
  tools: ToolCalls;
  /** What a room's commands run on, for those that are more than a tool's call. */
  room<Services>(name: string): Promise<Services>;
  toolsets: Toolsets;
  commands: CommandSource;
  person: Person;
  terminal: PersonTerminal;
  files: UserFiles;
  serve: Servers;
  /** The same program in another folder. */
  at(folder: string): App;
  /** From now on, being ended by a signal is a failure: something was to have a result. */
  failOnSignals(): void;
};

/** The commands that a command line can name. */
export type CommandSource = {
  names: readonly { name: string; summary: string; aliases: readonly string[]; hidden?: true; isGroup?: true }[];
  /** By its own name, not an alias. */
  load(name: string): Promise<{ command: Command<App>; facts: CommandFacts }>;
  /** Every command as data, for help, completion and messages. */
  facts(): Promise<readonly CommandFacts[]>;
  /** A better answer for a word that is not a command, if there is one. */
  unknown(word: string): ForgeError | undefined;
};

/** The definitions that assistants get, called by the user. */
export type ToolCalls = {
  /** Everything that exists in this version, whether or not it is served here. */
  catalog: readonly OfferedToolset[];
  /** A tool by its name, also one that is in no list; throws TOOL_NOT_FOUND. */
  describe(name: string): Promise<OfferedTool>;
  /** Throws a ForgeError where it fails. */
  call(name: string, input: Record<string, unknown>, options: CallOptions): Promise<unknown>;
  /**
   * For a command that changes something without calling a tool: throws where an assistant may have been told to run it by text
   * of others, and no person has approved it.
   */
  approve(command: string, step: AskedStep, signal: AbortSignal): Promise<void>;
  prompt(name: string, args: Record<string, string>, signal: AbortSignal): Promise<PromptMessage[]>;
  resource(uri: string, signal: AbortSignal): Promise<ResourceContent & { mimeType: string }>;
};

export type CallOptions = {
  signal: AbortSignal;
  report?: ((progress: Progress) => void) | undefined;
  /** The command it is called for; absent where it is called as an assistant would. */
  command?: string;
  /** A read that nobody asked for, such as the redraw of a list: left out of the ledger. */
  quiet?: true;
  /** If it only reads, it is not about the project, and no store is opened for it. */
  unrecorded?: true;
};

export type OfferedTool = {
  name: string;
  title: string;
  description: string;
  inputSchema: Record<string, unknown>;
  annotations: { readOnlyHint: boolean; destructiveHint: boolean };
};

export type OfferedPrompt = {
  name: string;
  title: string;
  description: string;
  arguments: { name: string; description?: string; required: boolean }[];
};

type ResourceFacts = { name: string; title: string; description: string; mimeType: string };

/** A toolset's entries as assistants see them. */
export type OfferedToolset = {
  name: string;
  title: string;
  tools: OfferedTool[];
  prompts: OfferedPrompt[];
  resources: (ResourceFacts & { uri: string })[];
  resourceTemplates: (ResourceFacts & { uriTemplate: string })[];
};

/** Which tools a server offers. */
export type Selection = {
  /** `auto`, `all`, or names separated by commas. */
  toolsets: string;
  /** A server with a fixed name and toolset: `governance`, `workbench`, … */
  profile: string | undefined;
  readOnly: boolean;
  /** Over HTTP: let every program on the machine in. */
  withoutToken?: boolean;
};

export type ToolsetReport = {
  name: string;
  title: string;
  served: boolean;
  /** Why it is served or not: `always`, `this is a git repository`, `no .fractary folder`, `not built yet`. */
  reason: string;
  tools: number;
  /** How many of its tools are listed from the start. */
  listed: number;
  prompts: number;
  resources: number;
  /** About what the listed tools cost in a model's context. */
  tokens: number;
};

type Toolsets = {
  /** Names of the toolsets that exist in this version. */
  built: readonly string[];
  /** Throws for names that do not exist. */
  report(selection: Selection): ToolsetReport[];
};

export type LogFilter = {
  limit: number;
  since: number | undefined;
  name: string | undefined;
  about: string | undefined;
};

/** The user's terminal. Each part is undefined where there is none that can do it. */
export type PersonTerminal = {
  /** Whether stdin is a terminal, and not what a client or a script writes to. */
  isInteractive: boolean;
  ask: AskLine | undefined;
  /** To be taken over for a while. */
  live: LiveTerminal | undefined;
  editor: Editor | undefined;
  /** Runs another program until it ends; throws where there is none of that name. */
  launch(program: string, args: string[], signal: AbortSignal): Promise<AttachedEnd>;
  /** Shows a page in the user's browser; false where there seems to be none. */
  openBrowser(url: string): Promise<boolean>;
};

export type Editor = {
  /** `name` is the file's, without an ending. Throws where the editor cannot be found. */
  open(name: string, text: string): Promise<Draft>;
};

/** A text that the user is writing, in a file that only they can read. */
export type Draft = {
  path: string;
  /** Opens it, and what was laid beside it, in the editor; resolves when that has ended. */
  edit(signal: AbortSignal): Promise<AttachedEnd>;
  read(): Promise<string>;
  /** Whether it still exists: what runs as an editor may do anything. */
  exists(): boolean;
  write(text: string): Promise<void>;
  /** Puts another text beside it, to be opened with it; returns its path. */
  layBeside(name: string, text: string): Promise<string>;
  /** Removes it with all that is beside it, an editor's copies included. */
  remove(): Promise<void>;
};

export type UserFiles = {
  /** The text of a file, or of standard input for `-`; a few megabytes at most by default. The signal ends it. */
  read(file: string, signal: AbortSignal, maxBytes?: number): Promise<string>;
  /** Writes a file where the user said, with the folders it needs; an existing one stays unless `force` is given. */
  write(file: string, text: string, options: { force: boolean }): Promise<void>;
};

export type UpPlace = {
  /** The link to open, on a terminal with the token in its fragment. */
  url: string;
  /** The board needs a token that the link does not have. */
  withoutLink?: true;
  mcpUrl: string;
  project: string;
  token?: string;
  /** The process that served it before this command, which then serves nothing itself. */
  running?: { pid: number; version: string };
};

/** How `forge serve` is to listen; what is not given comes from the settings. */
export type ServeRequest = {
  host: string | undefined;
  port: number | undefined;
  data: string | undefined;
  publicUrl: string | undefined;
  trustProxy: boolean | undefined;
  /** The user whose password is to be reset, by a link that the start shows. */
  resetAdmin?: string | undefined;
};

export type ServedTeam = {
  url: string;
  publicUrl: string;
  /** Where `forge login` goes; undefined where it would refuse to. */
  loginUrl: string | undefined;
  /** What the person who runs it should know about the address. */
  advice?: string | undefined;
  setupUrl: string | undefined;
  /** Where a user sets a new password, where that was asked for. */
  resetUrl?: string | undefined;
};

/** Each resolves to the exit code when it has stopped. */
export type Servers = {
  /** MCP on stdin and stdout, until the client is gone. */
  stdio(selection: Selection): Promise<number>;
  /** MCP over HTTP; `announce` is told the address once it listens. */
  http(
    selection: Selection,
    address: string | undefined,
    announce: (url: string, token: string | undefined) => void,
  ): Promise<number>;
  /** `forge up`: MCP over HTTP and the board of this project, until the program ends or `until` has resolved. */
  up(
    selection: Selection,
    address: string | undefined,
    announce: (place: UpPlace) => void,
    until?: Promise<unknown>,
  ): Promise<number>;
  /** `forge serve`: a team's server. */
  team(request: ServeRequest, announce: (served: ServedTeam) => void): Promise<number>;
};

/** The ledger, as `forge log` and live screens read it. */
export type ActivityLog = {
  /** Oldest first. */
  latest(filter: LogFilter): Promise<CallRecord[]>;
  /** New entries as they come, until the signal is aborted. */
  follow(filter: LogFilter, signal: AbortSignal): AsyncIterable<CallRecord>;
};
