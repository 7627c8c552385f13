import type { CallRecord } from "../../kernel/call.ts";

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
  /** Calls a tool as the local person; throws a ForgeError where it fails. */
  callTool(name: string, input: Record<string, unknown>, signal: AbortSignal): Promise<unknown>;
  /** A tool's input as JSON Schema, for flags derived from it. */
  toolInput(name: string): { description: string; inputSchema: Record<string, unknown> };
};

export type UpPlace = { url: string; mcpUrl: string; project: string };
