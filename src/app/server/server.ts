import { dirname, join, resolve } from "node:path";
import { providerCallback } from "../../hosts/http/pages/index.ts";
import { type Address, listen } from "../../hosts/http/serve/listen.ts";
import { ForgeError } from "../../kernel/errors.ts";
import { openDatabase } from "../../platform/db/database.ts";
import { withProgramName } from "../../platform/db/postgres/database-url.ts";
import { isProtected } from "../../platform/fetch/destination.ts";
import { Fetcher } from "../../platform/fetch/fetcher.ts";
import { entryAt } from "../../platform/files/entry.ts";
import { ensurePrivateFolder } from "../../platform/files/write/private-folder.ts";
import { ownAddress } from "../../platform/host/own-address.ts";
import { OpenIdProvider } from "../../rooms/access/identity/openid.ts";
import { makeAccess } from "../../rooms/access/service/access.ts";
import { version } from "../../version.ts";
import { loadMigrations } from "../migrations.ts";
import type { Settings } from "../settings/config.ts";
import { openTeamApp, type TeamAppOptions } from "./team-app.ts";

export type TeamServerOptions = Pick<
  TeamAppOptions,
  "rooms" | "trustProxy" | "corsOrigins" | "rates" | "redactor" | "log"
> & {
  settings: Pick<Settings, "databaseUrl" | "ledgerDays">;
  /** Where the data is, without a PostgreSQL. */
  dataDir: string;
  /** 127.0.0.1:7718 unless told. */
  address?: Partial<Address>;
  /** Where people reach it, where that is not where it listens: `https://forge.example`. */
  publicUrl?: string | undefined;
  /** The address of somebody who is to get a link for a new password. */
  resetAdmin?: string | undefined;
  openId?: { issuer: string; clientId: string; clientSecret: string | undefined } | undefined;
};

export type TeamServer = {
  url: string;
  publicUrl: string;
  /** Where `forge login` goes; undefined where it would refuse to, there being no https. */
  loginUrl: string | undefined;
  /** What whoever runs it should know about the address. */
  advice: string | undefined;
  /** Where the first person makes themselves the admin; undefined once there is one. */
  setupUrl: string | undefined;
  /** Where that somebody sets it. */
  resetUrl: string | undefined;
  /** Takes no more requests, lets those under way end, and closes; ten seconds at most, and then what is left is cut off. */
  close(): Promise<void>;
};

const usualAddress: Address = { host: "127.0.0.1", port: 7718 };
/** Of which a thousand may be streams of events. Behind a proxy all come from one address, the proxy's. */
const mostConnections = (trustProxy: boolean) => ({ all: 2_000, each: trustProxy ? 2_000 : 256 });
const drainMs = 10_000;

/** A team's server: tickets and access on one store, over HTTP. */
export async function serveTeam({ settings, ...options }: TeamServerOptions): Promise<TeamServer> {
  const address = { ...usualAddress, ...options.address };
  let publicUrl = options.publicUrl === undefined ? undefined : originIn(options.publicUrl);
  const reachedAt = () => publicUrl ?? `http://${address.host}`;
  const place = placeOf(settings.databaseUrl, resolve(options.dataDir));
  const database = openDatabase<unknown>(place, await loadMigrations(options.rooms));
  const access = makeAccess({ database });
  const fetcher = new Fetcher({ log: options.log });
  const { app, end, stop } = await openTeamApp({
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
    const setupCode = await access.registration.setupCode();
    const reset =
      options.resetAdmin === undefined ? undefined : await access.recovery.createHostLink(options.resetAdmin);
    const listening = await listen(app, address, false, mostConnections(options.trustProxy === true));
    const url = listening.everywhere ? `http://${ownAddress() ?? usualAddress.host}:${listening.port}` : listening.url;
    const within = listening.everywhere ? `http://${usualAddress.host}:${listening.port}` : url;
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
    `It listens on all addresses of this machine, and takes ${publicUrl} for the one that people reach it at. ` +
    "If they use another, say so with --public-url.";
  const unprotected =
    "`forge login` on other machines needs https, so that nobody on the way reads tokens: put a proxy that speaks https in " +
    "front, and start this with --public-url https://forge.example.com, the proxy's address.";
  const said = [...(isGuessed ? [guessed] : []), ...(isProtected(new URL(publicUrl)) ? [] : [unprotected])];
  return said.length === 0 ? undefined : said.join("\n");
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
      next: ["Give it without a path: --public-url https://forge.example"],
    },
  );
}
