import { dirname, join, resolve } from "node:path";
import type { Settings } from "./config.ts";
import { type Address, listen } from "./hosts/http/listen.ts";
import { providerCallback } from "./hosts/http/pages/index.ts";
import { ForgeError } from "./kernel/errors.ts";
import { migrations } from "./migrations.ts";
import { openDatabase } from "./platform/db/database.ts";
import { withProgramName } from "./platform/db/database-url.ts";
import { Fetcher } from "./platform/fetch/fetcher.ts";
import { entryAt } from "./platform/files/entry.ts";
import { ensurePrivateFolder } from "./platform/files/private-folder.ts";
import { LocalAccess } from "./rooms/access/index.ts";
import { OpenIdProvider } from "./rooms/access/openid.ts";
import { openTeamApp, type TeamAppOptions } from "./team-app.ts";
import { version } from "./version.ts";

export type TeamServerOptions = Pick<TeamAppOptions, "trustProxy" | "corsOrigins" | "rates" | "redactor" | "log"> & {
  settings: Pick<Settings, "databaseUrl" | "ledgerDays">;
  /** Where the data is, without a PostgreSQL. */
  dataDir: string;
  /** 127.0.0.1:7718 unless told. */
  address?: Partial<Address>;
  /** Where people reach it, where that is not where it listens: `https://forge.example`. */
  publicUrl?: string | undefined;
  openId?: { issuer: string; clientId: string; clientSecret: string | undefined } | undefined;
};

export type TeamServer = {
  url: string;
  publicUrl: string;
  /** Where the first person makes themselves the admin; undefined once there is one. */
  setupUrl: string | undefined;
  /** Takes no more requests, lets those under way end, and closes; ten seconds at most, and then what is left is cut off. */
  close(): Promise<void>;
};

const usualAddress: Address = { host: "127.0.0.1", port: 7718 };
/** Of which a thousand may be streams of events. */
const mostConnections = 2_000;
const drainMs = 10_000;

/** A team's server: tickets and access on one store, over HTTP. */
export async function serveTeam({ settings, ...options }: TeamServerOptions): Promise<TeamServer> {
  const address = { ...usualAddress, ...options.address };
  let publicUrl = options.publicUrl === undefined ? undefined : originIn(options.publicUrl);
  const reachedAt = () => publicUrl ?? `http://${address.host}`;
  const database = openDatabase<unknown>(placeOf(settings.databaseUrl, resolve(options.dataDir)), migrations);
  const access = new LocalAccess({ database });
  const fetcher = new Fetcher({ log: options.log });
  const { app, end, stop } = openTeamApp({
    ...options,
    database,
    access,
    ledgerDays: settings.ledgerDays,
    publicUrl: reachedAt,
    host: address.host,
    provider:
      options.openId &&
      new OpenIdProvider({
        ...options.openId,
        redirectUrl: () => `${reachedAt()}${providerCallback}`,
        fetcher,
      }),
  });
  async function stopAll(): Promise<void> {
    await stop();
    fetcher.close();
    await database.close();
  }
  try {
    // Opens the database: what is wrong with it is said before anybody is served.
    const setupCode = await access.setupCode();
    const listening = await listen(app, address, false, mostConnections);
    publicUrl ??= listening.url;
    return {
      url: listening.url,
      publicUrl,
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

function placeOf(databaseUrl: string | undefined, dataDir: string) {
  if (databaseUrl !== undefined) return { url: withProgramName(databaseUrl, `forge/${version}`) };
  makeParentOf(dataDir);
  return { file: join(dataDir, "forge.db") };
}

/** The folder itself is made with the store in it. */
function makeParentOf(folder: string): void {
  const parent = dirname(folder);
  if (entryAt(parent) || parent === folder) return;
  makeParentOf(parent);
  ensurePrivateFolder(parent);
}

function originIn(publicUrl: string): string {
  const url = URL.canParse(publicUrl) ? new URL(publicUrl) : undefined;
  const isPlain = url && /^https?:$/.test(url.protocol) && url.pathname === "/" && url.href === `${url.origin}/`;
  if (isPlain) return url.origin;
  throw new ForgeError(
    "VALIDATION_ERROR",
    `"${publicUrl.slice(0, 200)}" is not an address that people reach a server at.`,
    {
      details: { expected: "scheme, name and port, as https://forge.example" },
      suggestions: ["Give it without a path: --public-url https://forge.example"],
    },
  );
}
