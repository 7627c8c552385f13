import { createHash } from "node:crypto";
import { ConfigFile, chooseServer, openServer, path, type RemoteServer } from "../../commons/remote/index.ts";
import { ForgeError } from "../../kernel/errors.ts";
import type { Redactor } from "../../kernel/redact.ts";
import { Fetcher } from "../../platform/fetch/fetcher.ts";
import type { Log } from "../../platform/log.ts";
import type { ServerMemory } from "../../rooms/tickets/remote/index.ts";
import type { HeldTickets } from "../../rooms/tickets/service/ports.ts";
import type { Settings } from "../settings/config.ts";

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
  const { Copies, RemoteTickets, ServerMemory } = await import("../../rooms/tickets/remote/index.ts");
  const copies = new Copies();
  const memory = new ServerMemory(copies, server.address.api);
  const recipient = await recipientOf(server);
  const { name, me } =
    chosen.signIn === "stored" ? { name: await storedName(file), me: undefined } : await askWho(server);
  if (me && name !== undefined) await memory.noteName(recipient, name);
  return {
    tickets: new RemoteTickets({ server, copies, me }),
    name: name ?? (await memory.nameOf(recipient)),
    recipient,
    tell: (entries, signal) => tellLedger(server, memory, entries, signal),
  };
}

async function recipientOf(server: RemoteServer): Promise<string> {
  const { token, team, userId } = await server.identity();
  const whole = JSON.stringify([server.address.api, team, userId ?? token]);
  return createHash("sha256").update(whole).digest("hex").slice(0, 32);
}

async function storedName(file: ConfigFile): Promise<string | undefined> {
  const login = await file.read();
  return login?.user.displayName || login?.user.email;
}

/** Asked once for all who want to know; where nothing came in time, others may wait for longer. */
async function askWho(server: RemoteServer): Promise<{ name: string | undefined; me: Promise<unknown> | undefined }> {
  const signal = AbortSignal.timeout(nameWithinMs);
  const me = server.request("GET", path`/me`, { signal });
  try {
    return { name: nameIn(await me), me };
  } catch (error) {
    if (signal.aborted) return { name: undefined, me: undefined };
    if (!(error instanceof ForgeError)) throw error;
    return { name: undefined, me };
  }
}

function nameIn(answer: unknown): string | undefined {
  const { user } = recordOf(answer);
  const { displayName, email } = recordOf(user);
  return [displayName, email].find((name) => typeof name === "string" && name !== "") as string | undefined;
}

function recordOf(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? { ...value } : {};
}

/** A server of another kind has no ledger; it is not asked again with every command. */
async function tellLedger(
  server: RemoteServer,
  memory: ServerMemory,
  entries: unknown[],
  signal: AbortSignal,
): Promise<unknown> {
  if (await memory.hasNoLedger()) {
    throw new ForgeError("NOT_FOUND", `The server at ${server.address.origin} keeps no ledger.`);
  }
  try {
    return await server.request("POST", path`/activity`, { body: { entries }, signal, aside: true });
  } catch (error) {
    if (error instanceof ForgeError && error.code === "NOT_FOUND") await memory.noteNoLedger();
    throw error;
  }
}
