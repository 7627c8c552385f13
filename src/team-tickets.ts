import { createHash } from "node:crypto";
import {
  type ChosenServer,
  ConfigFile,
  chooseServer,
  openServer,
  path,
  type RemoteServer,
} from "./commons/remote/index.ts";
import type { Settings } from "./config.ts";
import { ForgeError } from "./kernel/errors.ts";
import type { Redactor } from "./kernel/redact.ts";
import { Fetcher } from "./platform/fetch/fetcher.ts";
import type { Log } from "./platform/log.ts";
import type { HeldTickets } from "./rooms/tickets/ports.ts";

type Given = {
  settings: Pick<Settings, "apiUrl" | "token">;
  redactor: Redactor;
  log: Log;
  onEnd(close: () => void): void;
};

/** What a team's server has for a laptop. */
export type TeamTickets = {
  tickets: HeldTickets;
  /** Who the person is there; unknown while the server cannot be asked. */
  name: string | undefined;
  /** Whose ledger that is, and who tells it: the same as long as they are. */
  recipient: string;
  /** Adds entries to the team's ledger. */
  tell(entries: unknown[], signal: AbortSignal): Promise<unknown>;
};

const nameWithinMs = 5_000;

/** Tickets on the server that the person works with; undefined where there is none, and everything is local. */
export async function openTeamTickets({ settings, redactor, log, onEnd }: Given): Promise<TeamTickets | undefined> {
  const file = new ConfigFile(log);
  const chosen = await chooseServer({ ...settings, file });
  if (!chosen) return undefined;
  const fetcher = new Fetcher({ log });
  onEnd(() => fetcher.close());
  const server = openServer({ chosen, file, fetcher, redactor, log });
  const { RemoteTickets } = await import("./rooms/tickets/remote/index.ts");
  const name = await nameThere(chosen, file, server);
  return {
    tickets: new RemoteTickets({ server }),
    name,
    recipient: await recipientOf(server),
    tell: (entries, signal) => server.request("POST", path`/activity`, { body: { entries }, signal }),
  };
}

async function recipientOf(server: RemoteServer): Promise<string> {
  const { token, team, userId } = await server.identity();
  const whole = JSON.stringify([server.address.api, team, userId ?? token]);
  return createHash("sha256").update(whole).digest("hex").slice(0, 32);
}

async function nameThere(
  { signIn }: ChosenServer,
  file: ConfigFile,
  server: RemoteServer,
): Promise<string | undefined> {
  if (signIn === "stored") {
    const login = await file.read();
    return login?.user.displayName || login?.user.email;
  }
  try {
    const { RemoteAccess } = await import("./rooms/access/remote/index.ts");
    const { user } = await new RemoteAccess(server).me(AbortSignal.timeout(nameWithinMs));
    return user.displayName || user.email;
  } catch (error) {
    if (error instanceof ForgeError) return undefined;
    throw error;
  }
}
