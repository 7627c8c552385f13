import { randomUUID } from "node:crypto";
import type { ServedToolset } from "../../../src/hosts/mcp/definition-registry.ts";
import { describeToolset } from "../../../src/hosts/mcp/lists/catalog.ts";
import { type McpLists, makeLists } from "../../../src/hosts/mcp/lists/lists.ts";
import { McpHost } from "../../../src/hosts/mcp/mcp-host.ts";
import type { CallRecord, LogLevel } from "../../../src/kernel/calls/call.ts";
import type { Runtime } from "../../../src/kernel/calls/invoke.ts";
import type { Toolset } from "../../../src/kernel/definitions/toolset.ts";
import { localPrincipal, type Principal } from "../../../src/kernel/principal.ts";
import { Redactor } from "../../../src/kernel/text/redactor.ts";
import { Counter, type FixtureServices, fixtureToolset } from "./fixture-toolset.ts";

type Fixture<Services> = {
  host: McpHost;
  runtime: Runtime<Services>;
  lists: McpLists;
  records: CallRecord[];
  logged: string[];
};

type FixtureOptions = {
  readOnly?: boolean;
  listChanged?: boolean;
  auto?: boolean;
  principal?(agent: string | undefined): Principal;
  log?(level: LogLevel, message: string, fields?: Record<string, unknown>): void;
};

/** A toolset as the host serves it. */
export function served<Services>(toolset: Toolset<Services>, runtime: Runtime<Services>): ServedToolset {
  const lazily = <T extends { name: string }>(items: readonly T[]) =>
    Object.fromEntries(items.map((item) => [item.name, async () => item]));
  return {
    name: toolset.name,
    tools: lazily(toolset.tools),
    prompts: lazily(toolset.prompts),
    resources: async () => toolset.resources,
    runtime: async () => runtime,
  };
}

/** The real host on any toolset, with a ledger and a log that a test can read. */
export function makeHost<Services>(
  toolsets: Toolset<Services>[],
  services: Services,
  {
    readOnly = false,
    listChanged = false,
    auto = false,
    principal = (agent) => localPrincipal("ada", agent),
    log,
  }: FixtureOptions = {},
): Fixture<Services> {
  const records: CallRecord[] = [];
  const logged: string[] = [];
  const lists = makeLists(
    toolsets.map((toolset) => describeToolset(toolset)),
    {
      serverName: "forge-fixture",
      version: "0.0.0",
      toolsets: toolsets.map(({ name }) => name),
      readOnly,
      listChanged,
      auto,
    },
  );
  const runtime: Runtime<Services> = {
    services,
    recorder: { open: async () => undefined, close: async (record) => void records.push({ ...record }) },
    redactor: new Redactor(),
    newId: randomUUID,
    now: () => Date.now(),
    log: log ?? ((_level, message, fields) => void logged.push(`${message} ${JSON.stringify(fields)}`)),
  };
  const host = new McpHost({
    runtime,
    toolsets: toolsets.map((toolset) => served(toolset, runtime)),
    lists,
    readOnly,
    word: (action) => (typeof action === "string" ? action : JSON.stringify(action)),
    principal,
  });
  return { host, runtime, lists, records, logged };
}

export function makeFixture(options: FixtureOptions = {}): Fixture<FixtureServices> {
  return makeHost([fixtureToolset], { counter: new Counter() }, options);
}
