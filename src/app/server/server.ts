import { dirname, join, resolve } from "node:path";
import { providerCallback } from "../../hosts/http/pages/index.ts";
import { plainUrl } from "../../hosts/http/request/known-host.ts";
import { type Address, listen } from "../../hosts/http/serve/listen.ts";
import { ForgeError } from "../../kernel/errors.ts";
import { openDatabase } from "../../platform/db/database.ts";
import { withProgramName } from "../../platform/db/postgres/database-url.ts";
import { isProtected } from "../../platform/fetch/destination.ts";
import { Fetcher } from "../../platform/fetch/fetcher.ts";
import { entryAt } from "../../platform/files/entry-at.ts";
import { ensurePrivateFolder } from "../../platform/files/write/private-folder.ts";
import { findOwnAddress } from "../../platform/host/own-address.ts";
import { OpenIdProvider } from "../../rooms/access/identity/openid.ts";
import { makeAccess } from "../../rooms/access/service/access.ts";
import { version } from "../../version.ts";
import { loadMigrations } from "../migrations.ts";
import type { Settings } from "../settings/settings-table.ts";
import { openTeamApp, type TeamAppOptions } from "./team-app.ts";

export type TeamServerOptions = Pick<
  TeamAppOptions,
  "rooms" | "trustProxy" | "corsOrigins" | "rates" | "secret" | "redactor" | "log"
> & {
  settings: Pick<Settings, "databaseUrl" | "ledgerDays"> & Partial<Pick<Settings, "serverDatabaseUrl">>;
  /** Where the data is, without a PostgreSQL. */
  dataDir: string;
  /** Default: 127.0.0.1:7718. */
  address?: Partial<Address>;
  /** The address that users reach it at, if it is not the one it listens on: `https://forge.example`. */
  publicUrl?: string | undefined;
  /** The email address of a user who needs a link to set a new password. */
  resetAdmin?: string | undefined;
  openId?: { issuer: string; clientId: string; clientSecret: string | undefined } | undefined;
};

export type TeamServer = {
  url: string;
  publicUrl: string;
  /** The address for `forge login`; undefined if it would refuse it, because it is not https. */
  loginUrl: string | undefined;
  /** What the person who runs it should know about the address. */
  advice: string | undefined;
  /** Where the first user becomes the admin; undefined once there is one. */
  setupUrl: string | undefined;
  /** Where that user sets the password. */
  resetUrl: string | undefined;
  /** Stops accepting requests, lets running ones finish for at most ten seconds, and closes. */
  close(): Promise<void>;
};

const defaultAddress: Address = { host: "127.0.0.1", port: 7718 };
/** Streams of events send something every 15 seconds. A client that does not read an answer would keep its connection forever. */
const silentMs = 120_000;
/** A thousand of them may be event streams. Behind a proxy all come from one address, the proxy's. */
const maxConnections = (trustProxy: boolean) => ({ all: 2_000, each: trustProxy ? 2_000 : 256, silentMs });
const drainMs = 10_000;

/** A team's server: tickets and access on one store, over HTTP. */
export async function serveTeam({ settings, ...options }: TeamServerOptions): Promise<TeamServer> {
  const address = { ...defaultAddress, ...options.address };
  let publicUrl = options.publicUrl === undefined ? undefined : parsePublicUrl(options.publicUrl);
  const readAddress = () => publicUrl ?? `http://${address.host}`;
  const place = chooseStore(settings.databaseUrl ?? settings.serverDatabaseUrl, resolve(options.dataDir));
  const database = openDatabase<unknown>(place, await loadMigrations(options.rooms));
  const access = makeAccess({ database });
  const fetcher = new Fetcher({ log: options.log });
  const { app, prepare, end, stop } = await openTeamApp({
    ...options,
    database,
    access,
    ledgerDays: settings.ledgerDays,
    publicUrl: readAddress,
    host: address.host,
    provider:
      options.openId &&
      new OpenIdProvider({
        ...options.openId,
        redirectUrl: () => `${readAddress()}${providerCallback}`,
        fetcher,
      }),
  });
  async function stopAll(): Promise<void> {
    await stop();
    fetcher.close();
    await database.close();
  }
  try {
    // Opens the database, so that its problems are reported before anyone is served.
    const setupCode = await access.registration.setupCode();
    await prepare();
    const reset =
      options.resetAdmin === undefined ? undefined : await access.recovery.createHostLink(options.resetAdmin);
    const listening = await listen(app, address, false, maxConnections(options.trustProxy === true));
    const url = listening.everywhere
      ? `http://${findOwnAddress() ?? defaultAddress.host}:${listening.port}`
      : listening.url;
    const within = listening.everywhere ? `http://${defaultAddress.host}:${listening.port}` : url;
    const advice = adviceFor(publicUrl ?? url, listening.everywhere && publicUrl === undefined);
    publicUrl ??= url;
    return {
      url,
      publicUrl,
      loginUrl: [publicUrl, within].find((each) => isProtected(new URL(each))),
      advice,
      resetUrl: reset && `${publicUrl}/reset?code=${encodeURIComponent(reset.code)}`,
      setupUrl: setupCode && `${publicUrl}/setup?code=${encodeURIComponent(setupCode)}`,
      async close() {
        end();
        await listening.drain(drainMs);
        await stopAll();
      },
    };
  } catch (error) {
    await stopAll();
    throw error;
  }
}

function adviceFor(publicUrl: string, isGuessed: boolean): string | undefined {
  const guessed =
    `It listens on all addresses of this machine. Links use ${publicUrl}; if users reach it at another address, set ` +
    "--public-url.";
  const unprotected =
    "Signing in from other machines needs HTTPS, so that nobody can read tokens on the way. Put a proxy with HTTPS in front, " +
    "and start the server with --public-url set to the proxy's address.";
  const said = [...(isGuessed ? [guessed] : []), ...(isProtected(new URL(publicUrl)) ? [] : [unprotected])];
  return said.length === 0 ? undefined : said.join("\n");
}

function chooseStore(databaseUrl: string | undefined, dataDir: string) {
  if (databaseUrl !== undefined) return { url: withProgramName(databaseUrl, `forge/${version}`) };
  makeParentOf(dataDir);
  return { file: join(dataDir, "forge.db") };
}

/** The folder itself is created with the store. */
function makeParentOf(folder: string): void {
  const parent = dirname(folder);
  if (entryAt(parent) || parent === folder) return;
  makeParentOf(parent);
  ensurePrivateFolder(parent);
}

/** Its origin; a path, a query or credentials are errors. */
function parsePublicUrl(publicUrl: string): string {
  const url = plainUrl(publicUrl);
  if (url) return url.origin;
  throw new ForgeError("VALIDATION_ERROR", `"${publicUrl.slice(0, 200)}" is not a server's public address.`, {
    details: { expected: "scheme, host and port, like https://forge.example.com" },
    next: ["Set --public-url (or FORGE_PUBLIC_URL) to an address without a path, like https://forge.example.com."],
  });
}
