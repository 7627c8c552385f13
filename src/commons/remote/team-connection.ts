import { createHash } from "node:crypto";
import { ForgeError } from "../../kernel/errors.ts";
import { isRecord } from "../../kernel/json.ts";
import type { Redactor } from "../../kernel/text/redactor.ts";
import { Fetcher } from "../../platform/fetch/fetcher.ts";
import type { Log } from "../../platform/log.ts";
import { chooseServer } from "./choose-server.ts";
import { noLedger } from "./errors.ts";
import { ConfigFile } from "./login/config-file.ts";
import { Copies } from "./offline/copies.ts";
import { ServerMemory } from "./offline/server-memory.ts";
import { openServer } from "./open-server.ts";
import { path } from "./path.ts";
import type { RemoteServer } from "./server.ts";

type ConnectionOptions = {
  settings: { apiUrl: string | undefined; token: string | undefined };
  /** The team that the project is linked to. */
  team?: string | undefined;
  redactor: Redactor;
  log: Log;
  onEnd(close: () => unknown): void;
};

/** The team's server that a laptop works with. */
export type TeamConnection = {
  server: RemoteServer;
  copies: Copies;
  /** The server's answer to who the user is, where it was asked already. It tells which kind of server it is. */
  me: Promise<unknown> | undefined;
  /** The user's name there; unknown while the server cannot be asked. */
  name: string | undefined;
  /** Identifies the server, team and user whose ledger this laptop adds to. */
  recipient: string;
  /** Adds entries to the team's ledger. */
  sendEntries(entries: unknown[], signal: AbortSignal): Promise<unknown>;
};

const nameWithinMs = 5_000;

/** The server that the user works with; undefined where there is none, and everything is local. */
export async function connectTeam({
  settings,
  team,
  redactor,
  log,
  onEnd,
}: ConnectionOptions): Promise<TeamConnection | undefined> {
  const file = new ConfigFile(log);
  const chosen = await chooseServer({ ...settings, file });
  if (!chosen) return undefined;
  const fetcher = new Fetcher({ log });
  onEnd(() => fetcher.close());
  const server = openServer({ chosen, file, fetcher, redactor, log, team });
  const copies = new Copies();
  // Copies are written behind; the last answers, such as those to the ledger, come at the end.
  onEnd(() => copies.settle());
  const memory = new ServerMemory(copies, server.address.api);
  const recipient = await recipientOf(server);
  const { name, me } =
    chosen.signIn === "stored" ? { name: await storedName(file), me: undefined } : await askName(server);
  if (me && name !== undefined) await memory.noteName(recipient, name);
  return {
    server,
    copies,
    me,
    name: name ?? (await memory.nameOf(recipient)),
    recipient,
    sendEntries: (entries, signal) => sendEntries(server, memory, entries, signal),
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

/** Asked once for everyone who wants to know. Where no answer came in time, others may wait longer. */
async function askName(server: RemoteServer): Promise<{ name: string | undefined; me: Promise<unknown> | undefined }> {
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
  const user = isRecord(answer) && isRecord(answer["user"]) ? answer["user"] : {};
  const names = [user["displayName"], user["email"]];
  return names.find((name): name is string => typeof name === "string" && name !== "");
}

/** A server of another kind has no ledger; it is not asked again with every command. */
async function sendEntries(
  server: RemoteServer,
  memory: ServerMemory,
  entries: unknown[],
  signal: AbortSignal,
): Promise<unknown> {
  if (await memory.hasNoLedger()) throw noLedger(server.address.origin);
  try {
    return await server.request("POST", path`/activity`, { body: { entries }, signal, aside: true });
  } catch (error) {
    if (error instanceof ForgeError && error.code === "NOT_FOUND") await memory.noteNoLedger();
    throw error;
  }
}
