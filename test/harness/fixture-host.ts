import { randomUUID } from "node:crypto";
import { describeToolset } from "../../src/hosts/mcp/catalog.ts";
import { McpHost } from "../../src/hosts/mcp/server.ts";
import { type Surface, surfaceOf } from "../../src/hosts/mcp/surface.ts";
import type { CallRecord, LogLevel } from "../../src/kernel/call.ts";
import type { Runtime } from "../../src/kernel/invoke.ts";
import { localPrincipal, type Principal } from "../../src/kernel/principal.ts";
import { Redactor } from "../../src/kernel/redact.ts";
import type { Toolset } from "../../src/kernel/toolset.ts";
import { Counter, type FixtureServices, fixtureToolset } from "./fixture-toolset.ts";

type Fixture<Services> = {
  host: McpHost<Services>;
  runtime: Runtime<Services>;
  surface: Surface;
  records: CallRecord[];
  logged: string[];
};

type FixtureOptions = {
  readOnly?: boolean;
  listChanged?: boolean;
  fitsClient?: boolean;
  principal?(agent: string | undefined): Principal;
  log?(level: LogLevel, message: string, fields?: Record<string, unknown>): void;
};

/** The product's own host on any toolset, with a ledger and a log that a test can look into. */
export function makeHost<Services>(
  toolsets: Toolset<Services>[],
  services: Services,
  {
    readOnly = false,
    listChanged = false,
    fitsClient = false,
    principal = (agent) => localPrincipal("ada", agent),
    log,
  }: FixtureOptions = {},
): Fixture<Services> {
  const records: CallRecord[] = [];
  const logged: string[] = [];
  const surface = surfaceOf(toolsets.map(describeToolset), {
    serverName: "forge-fixture",
    version: "0.0.0",
    toolsets: toolsets.map(({ name }) => name),
    readOnly,
    listChanged,
    fitsClient,
  });
  const runtime: Runtime<Services> = {
    services,
    recorder: { open: async () => undefined, close: async (record) => void records.push({ ...record }) },
    redactor: new Redactor(),
    newId: randomUUID,
    now: () => Date.now(),
    log: log ?? ((_level, message, fields) => void logged.push(`${message} ${JSON.stringify(fields)}`)),
  };
  return { host: new McpHost({ runtime, toolsets, surface, readOnly, principal }), runtime, surface, records, logged };
}

export function makeFixture(options: FixtureOptions = {}): Fixture<FixtureServices> {
  return makeHost([fixtureToolset], { counter: new Counter() }, options);
}
