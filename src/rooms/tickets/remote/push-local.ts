import { createHash } from "node:crypto";
import { HeldLease, type Leases } from "../../../commons/leases/index.ts";
import { path, type RemoteServer } from "../../../commons/remote/index.ts";
import type { TeamConnection } from "../../../commons/remote/team-connection.ts";
import type { Call } from "../../../kernel/calls/call.ts";
import { ForgeError } from "../../../kernel/errors.ts";
import { isRecord } from "../../../kernel/json.ts";
import { userName } from "../../../platform/host/user-name.ts";
import type { Tickets } from "../service/tickets.ts";
import { notATeamServer, notLinked, unexpectedAnswer } from "./errors.ts";
import { type PushReport, pushTickets } from "./push-tickets.ts";

export type PushSource = {
  /** The project's own tickets. */
  local: Pick<Tickets, "list" | "get" | "replace">;
  team: TeamConnection | undefined;
  leases: Leases;
  /** The project's folder. */
  root: string;
};

type PushServices = { tickets: Pick<Tickets, "list" | "get" | "import">; pushSource: PushSource };

const leaseMs = 15_000;

/** Copies the tickets of the project's own store to the team's server. */
export async function pushLocal(
  { tickets: remote, pushSource: { local, team: connection, leases, root } }: PushServices,
  call: Call,
): Promise<PushReport & { server: string; team: string }> {
  if (!connection) throw notLinked();
  const { server } = connection;
  const team = await readTeam(server, call.signal);
  const target = { server: server.address.origin, team: team.id };
  const report = await oneAtATime(leases, call, (signal) =>
    pushTickets({
      local,
      remote,
      by: call,
      project: fingerprint(root),
      target,
      signal,
      report: (done, total) => call.report({ progress: done, total, message: "tickets" }),
    }),
  );
  return { server: target.server, team: team.name, ...report };
}

async function readTeam(server: RemoteServer, signal: AbortSignal): Promise<{ id: string; name: string }> {
  const answer = await server.request("GET", path`/me`, { signal }).catch((error) => {
    throw error instanceof ForgeError && error.code === "NOT_FOUND" ? notATeamServer(server.address.origin) : error;
  });
  const team = isRecord(answer) ? answer["team"] : undefined;
  if (!isRecord(team)) throw unexpectedAnswer("who you are signed in as");
  const { id, name } = team;
  if (typeof id !== "string" || typeof name !== "string") throw unexpectedAnswer("the team you are signed in to");
  return { id, name };
}

/** Two at once would each import what the other has not noted yet. */
async function oneAtATime<T>(leases: Leases, call: Call, push: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const { signal } = call;
  const claim = { name: "push-local", holder: `forge push-local ${process.pid}`, ttlMs: leaseMs };
  let lease = await leases.claim(claim);
  if (!lease) {
    call.report({ progress: 0, message: "waiting for another push of this project to finish" });
    lease = await leases.wait(claim, { waitMs: Number.POSITIVE_INFINITY, signal });
  }
  // After a long wait, little of the lease may be left.
  const renewedAt = performance.now();
  await leases.renew(lease);
  const held = new HeldLease(leases, lease, renewedAt);
  try {
    return await push(AbortSignal.any([signal, held.lost]));
  } finally {
    await held.release();
  }
}

/** Identifies the project without telling where it is. */
function fingerprint(root: string): string {
  return createHash("sha256").update(`${userName()}\n${root}`).digest("hex").slice(0, 16);
}
