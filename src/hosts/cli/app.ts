import type { CallRecord, Progress } from "../../kernel/call.ts";
import type { PromptMessage } from "../../kernel/prompt.ts";
import type { ResourceContent } from "../../kernel/resource.ts";
import type { Finding } from "../../rooms/setup/doctor/index.ts";
import type { SetupDesk } from "../../rooms/setup/index.ts";
import type { TicketDesk } from "../../rooms/tickets/cli/desk.ts";
import type { WorkbenchDesk } from "../../rooms/workbench/cli/desk.ts";
import type { AccessDesk, ServedTeam, ServeRequest } from "./access.ts";
import type { AskLine } from "./ask-line.ts";
import type { AttachedEnd } from "./attached-end.ts";
import type { Editor } from "./editing/editor.ts";
import type { LiveTerminal } from "./live-terminal.ts";
import type { Person, ProjectReport } from "./person.ts";

/** Which tools a server offers. */
export type Selection = {
  /** `auto`, `all`, or names separated by commas. */
  toolsets: string;
  /** A face with a fixed name and toolset: `governance`, `workbench`, … */
  profile: string | undefined;
  readOnly: boolean;
};

export type ToolsetReport = {
  name: string;
  title: string;
  served: boolean;
  /** Why it is served or not: `always`, `this is a git repository`, `no .fractary folder`, `not built yet`. */
  reason: string;
  tools: number;
  prompts: number;
  resources: number;
  /** About what its tools cost in a model's context. */
  tokens: number;
};

export type LogFilter = {
  limit: number;
  since: number | undefined;
  name: string | undefined;
  about: string | undefined;
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

/** What the program can do, as the commands see it. `main.ts` implements it; everything heavy loads when called. */
export type App = {
  version: string;
  /** Names of the toolsets that exist in this version. */
  built: readonly string[];
  /** Serves MCP on stdin and stdout until the client is gone; resolves to the exit code. */
  serveStdio(selection: Selection): Promise<number>;
  /** Serves MCP over HTTP; `announce` is told the address once it listens. Resolves when stopped. */
  serveHttp(selection: Selection, address: string | undefined, announce: (url: string) => void): Promise<number>;
  /** `forge up`: MCP over HTTP and the status page for this project. */
  up(selection: Selection, address: string | undefined, announce: (place: UpPlace) => void): Promise<number>;
  toolsets(selection: Selection): Promise<ToolsetReport[]>;
  /** Ledger entries, oldest first. */
  activity(filter: LogFilter): Promise<CallRecord[]>;
  /** New ledger entries as they come, until the signal is aborted. */
  followActivity(filter: LogFilter, signal: AbortSignal): AsyncIterable<CallRecord>;
  /** Everything that exists in this version, whether or not it is served here. */
  offer: readonly OfferedToolset[];
  /** A tool by its name, also one that is in no list; throws TOOL_NOT_FOUND. */
  describeTool(name: string): Promise<OfferedTool>;
  /** Calls a tool as the local person; throws a ForgeError where it fails. */
  callTool(
    name: string,
    input: Record<string, unknown>,
    signal: AbortSignal,
    report?: (progress: Progress) => void,
  ): Promise<unknown>;
  getPrompt(name: string, args: Record<string, string>, signal: AbortSignal): Promise<PromptMessage[]>;
  readResource(uri: string, signal: AbortSignal): Promise<ResourceContent & { mimeType: string }>;
  /** The text of a file, or of standard input for `-`; a few megabytes at most unless told. The signal ends it. */
  readInput(file: string, signal: AbortSignal, mostBytes?: number): Promise<string>;
  /** Writes a file where the person said, with the folders it needs; what is there stays unless `force` is given. */
  writeOutput(file: string, text: string, options: { force: boolean }): Promise<void>;
  /** Looks whether everything is in order; with `fix`, mends what is safe to mend. */
  doctor(fix: boolean, signal: AbortSignal): Promise<Finding[]>;
  /** Asks a package registry, npm's own unless told, for the newest version of Forge. */
  newestVersion(registry: string | undefined, signal: AbortSignal): Promise<{ newest: string; isNewer: boolean }>;
  /** Where the project and its data are; opens nothing. */
  project(): ProjectReport;
  person: Person;
  /** Asks the person a question; undefined where nobody is at a terminal. */
  ask: AskLine | undefined;
  /** Whether stdin is a terminal, and not what a client or a script writes to. */
  atKeyboard: boolean;
  /** The person's terminal, to be taken over for a while; undefined where there is none that can show more than lines. */
  terminal: LiveTerminal | undefined;
  /** The person's own editor; undefined where nobody is at a terminal. */
  editor: Editor | undefined;
  /** Runs another program on the person's terminal until it ends; throws where there is none of that name. */
  launch(program: string, args: string[], signal: AbortSignal): Promise<AttachedEnd>;
  /** From now on, being ended by a signal is a failure: something was to have a result. */
  failOnSignals(): void;
  /** Tickets, for the person who gives the command. */
  tickets(): Promise<TicketDesk>;
  /** Blocks, tasks and their executions, for the person who gives the command. */
  workbench(): Promise<WorkbenchDesk>;
  /** Logins, tokens and the like, on a Forge server. */
  access(): Promise<AccessDesk>;
  /** Shows a page in the person's browser; false where there seems to be none. */
  openBrowser(url: string): Promise<boolean>;
  /** `forge serve`: a team's server. Resolves when stopped. */
  serveTeam(request: ServeRequest, announce: (served: ServedTeam) => void): Promise<number>;
  /** `forge init`: what sets clients up for this project. */
  setup(): Promise<SetupDesk>;
  /** A tool's input as JSON Schema, for flags derived from it. */
  toolInput(name: string): { description: string; inputSchema: Record<string, unknown> };
};

export type UpPlace = { url: string; mcpUrl: string; project: string };
