import { createHash, randomUUID } from "node:crypto";
import { Leases } from "./commons/leases/index.ts";
import { Ledger } from "./commons/ledger/index.ts";
import type { RemoteServer } from "./commons/remote/index.ts";
import type { Settings } from "./config.ts";
import type { PushedTickets } from "./hosts/cli/access.ts";
import { ForgeError } from "./kernel/errors.ts";
import type { Caller, Runtime } from "./kernel/invoke.ts";
import { operate } from "./kernel/operate.ts";
import { localPrincipal } from "./kernel/principal.ts";
import type { Redactor } from "./kernel/redact.ts";
import { migrations } from "./migrations.ts";
import { openDatabase } from "./platform/db/database.ts";
import type { Log } from "./platform/log.ts";
import type { Project } from "./platform/project.ts";
import { userName } from "./platform/user-name.ts";
import { valueIn } from "./program.ts";
import { LocalTickets } from "./rooms/tickets/index.ts";
import { type PushReport, pushTickets } from "./rooms/tickets/pushing.ts";
import { RemoteTickets } from "./rooms/tickets/remote/index.ts";

type Push = {
  server: RemoteServer;
  team: { id: string; name: string };
  settings: Settings;
  project: Project;
  redactor: Redactor;
  log: Log;
  signal: AbortSignal;
  report(done: number, total: number): void;
};

const name = "forge push-local";

/** Moves the tickets of the project's own store to the server, whichever of the two the program works with otherwise. */
export async function pushLocal({
  server,
  team,
  settings,
  project,
  redactor,
  log,
  signal,
  report,
}: Push): Promise<PushedTickets> {
  const place = settings.databaseUrl ? { url: settings.databaseUrl } : { file: project.databaseFile };
  const database = openDatabase<unknown>(place, migrations);
  const ledger = new Ledger({ database, redactor, log, retentionDays: settings.ledgerDays });
  const local = new LocalTickets({ database, ledger, leases: new Leases(database) });
  const remote = new RemoteTickets({ server });
  const target = { server: server.address.origin, team: team.id };
  const runtime: Runtime<object> = {
    services: {},
    recorder: ledger,
    redactor,
    newId: randomUUID,
    now: Date.now,
    log,
    noteUntrusted: async () => undefined,
  };
  const run = (_: object, by: Parameters<typeof pushTickets>[0]["by"]) =>
    pushTickets({ local, remote, by, project: fingerprint(project.root), target, signal, report });
  try {
    const operation = { name, effect: "set" as const, toolset: "tickets", about: [], run };
    const outcome = await operate<object, PushReport>(runtime, operation, callerFor(signal, log));
    return { ...valueIn(outcome), server: target.server, team: team.name };
  } finally {
    await remote.stop();
    await local.stop();
    await ledger.stop();
    await database.close();
  }
}

function callerFor(signal: AbortSignal, log: Log): Caller {
  return {
    principal: localPrincipal(userName()),
    signal,
    report: () => undefined,
    log: (level, message) => log(level, message),
    canAsk: () => false,
    ask: () => Promise.reject(new ForgeError("VALIDATION_ERROR", `${name} asks no questions.`)),
  };
}

/** Which of a person's projects it is, without telling where it lies. */
function fingerprint(root: string): string {
  return createHash("sha256").update(`${userName()}\n${root}`).digest("hex").slice(0, 16);
}
