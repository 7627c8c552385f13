import { createHash, randomUUID } from "node:crypto";
import { migrations } from "../../../../test/harness/all-migrations.ts";
import { valueIn } from "../../../app/local/program.ts";
import type { Settings } from "../../../app/settings/config.ts";
import { HeldLease, Leases } from "../../../commons/leases/index.ts";
import { Ledger } from "../../../commons/ledger/index.ts";
import type { RemoteServer } from "../../../commons/remote/index.ts";
import { ForgeError } from "../../../kernel/errors.ts";
import type { Caller, Runtime } from "../../../kernel/invoke.ts";
import { operate } from "../../../kernel/operate.ts";
import { localPrincipal } from "../../../kernel/principal.ts";
import type { Redactor } from "../../../kernel/redact.ts";
import { openDatabase } from "../../../platform/db/database.ts";
import { userName } from "../../../platform/host/user-name.ts";
import type { Log } from "../../../platform/log.ts";
import type { Project } from "../../../platform/state/project.ts";
import type { PushedTickets } from "../../access/remote/desk.ts";
import { LocalTickets } from "../service/local-tickets.ts";
import { RemoteTickets } from "./index.ts";
import { type PushReport, pushTickets } from "./push-tickets.ts";

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
const leaseMs = 15_000;

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
  const leases = new Leases(database);
  const local = new LocalTickets({ database, ledger, leases });
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
    oneAtATime({ leases, log, signal }, (still) =>
      pushTickets({ local, remote, by, project: fingerprint(project.root), target, signal: still, report }),
    );
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

/** Two at once would each bring in what the other has not noted yet. */
async function oneAtATime<T>(
  { leases, log, signal }: { leases: Leases; log: Log; signal: AbortSignal },
  push: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const claim = { name: "push-local", holder: `${name} ${process.pid}`, ttlMs: leaseMs };
  let lease = await leases.claim(claim);
  if (!lease) {
    log("warning", `Another \`${name}\` is at work in this project; this one goes on when it has ended.`);
    lease = await leases.wait(claim, { waitMs: Number.POSITIVE_INFINITY, signal });
  }
  // The wait may have been long: what counts is from now on.
  const renewedAt = performance.now();
  await leases.renew(lease);
  const held = new HeldLease(leases, lease, renewedAt);
  try {
    return await push(AbortSignal.any([signal, held.lost]));
  } finally {
    await held.release();
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
