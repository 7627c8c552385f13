import { randomUUID } from "node:crypto";
import { commandLineFor, wordForShell } from "../../commons/cli/command-line.ts";
import type { ForgeRoom } from "../../commons/house.ts";
import { Leases } from "../../commons/leases/index.ts";
import { Broadcast, Ledger, TeamLedgers } from "../../commons/ledger/index.ts";
import type { People, Role, SignedIn, Team } from "../../commons/people.ts";
import { boardFiles } from "../../hosts/http/board/board-files.ts";
import { Cookies, sessionCookie } from "../../hosts/http/pages/cookies.ts";
import { type SignInProvider, servePages } from "../../hosts/http/pages/index.ts";
import { type EventOptions, Events, eventsScope } from "../../hosts/http/reply/events.ts";
import {
  type AuthenticatedRequest,
  Authenticator,
  type UnverifiedRequest,
} from "../../hosts/http/request/authenticator.ts";
import { Idempotency } from "../../hosts/http/request/idempotency.ts";
import { KnownTokens } from "../../hosts/http/request/known-tokens.ts";
import { originOf } from "../../hosts/http/request/origin.ts";
import { RateLimits, type Rates } from "../../hosts/http/request/rate-limits.ts";
import { createServerApp, metadataPath } from "../../hosts/http/server-app.ts";
import type { Recorder, Runtime } from "../../kernel/calls/invoke.ts";
import type { Route } from "../../kernel/definitions/route.ts";
import type { Redactor } from "../../kernel/text/redactor.ts";
import type { Database } from "../../platform/db/database.ts";
import type { Log } from "../../platform/log.ts";
import type { BrowserSession } from "../../rooms/access/model/model.ts";
import { scopesOfRole } from "../../rooms/access/model/roles.ts";
import { serveAccess } from "../../rooms/access/serve.ts";
import type { Access } from "../../rooms/access/service/access.ts";
import { describeBoard } from "../../rooms/tickets/model/columns.ts";
import { version } from "../../version.ts";
import { builtRooms } from "../room-set.ts";
import { serveRooms } from "./server-routes.ts";

export type TeamAppOptions = {
  database: Database<unknown>;
  access: Access;
  /** Default: all rooms. */
  rooms?: readonly ForgeRoom[] | undefined;
  ledgerDays?: number;
  /** The address that users reach it at, without a slash at the end. It may be known only once the server listens. */
  publicUrl(): string;
  /** The address it listens on, which clients may use too. */
  host: string;
  trustProxy?: boolean;
  corsOrigins?: readonly string[];
  provider?: SignInProvider | undefined;
  rates?: Partial<Rates> | undefined;
  /** Encrypts what the server keeps secret in its database. */
  secret?: string | undefined;
  eventTiming?: EventOptions["timing"];
  redactor: Redactor;
  log: Log;
};

const readyWithinMs = 2_000;
/**
 * Lists, searches and exports of one user at the same time. There are ten connections to PostgreSQL, and others need some of them.
 * SQLite answers one after another, so that more of them would only keep others waiting.
 */
const maxLists = { postgres: 4, sqlite: 2 };
const loopback = new Set(["127.0.0.1", "::1", "localhost"]);

/** Everything that a team's server answers, on a database that the caller opens and closes. */
export async function openTeamApp(options: TeamAppOptions) {
  const { database, access, publicUrl, redactor, log, corsOrigins = [], trustProxy = false } = options;
  const ledger = new Ledger({
    database,
    redactor,
    log,
    ofEachTeam: true,
    ...(options.ledgerDays && { retentionDays: options.ledgerDays }),
  });
  const ledgers = new TeamLedgers(ledger);
  const house = {
    database,
    leases: new Leases(database),
    ledgerOf: (team: string) => ledgers.of(team),
    publicUrl,
    secret: options.secret,
    log,
  };
  const served = await serveRooms(house, { access: serveAccess(access, publicUrl) }, options.rooms);
  const servicesOf = new Map(served.routes.map(({ route, services }) => [route, services]));
  const broadcast = new Broadcast(ledger);
  const tokens = new KnownTokens((bearer, team) => access.tokens.authenticate(bearer, team));
  const sessions = new KnownTokens((cookie, team) => access.sessions.authenticate(cookie, team));
  const forget = () => {
    tokens.forget();
    sessions.forget();
  };
  access.revocations.listen(forget);
  const rates = new RateLimits(options.rates);
  const commands = await builtRooms.commandFacts();
  const readCookie = (context: Parameters<Cookies["read"]>[0]) =>
    new Cookies(publicUrl().startsWith("https:")).read(context, sessionCookie);
  const visitors = new Authenticator({
    ...{ tokens, sessions, rates, trustProxy },
    cookie: readCookie,
    metadataUrl: () => `${publicUrl()}${metadataPath}`,
  });
  const events = new Events({
    broadcast,
    newest: () => ledger.newest(),
    redactor,
    timing: options.eventTiming ?? {},
    async listener(context) {
      const arrived = await visitors.authenticate(context, "read");
      const { id: team } = arrived.signedIn.team;
      const stillAllowed = () => visitors.isStillAllowed(context, eventsScope);
      return { principal: arrived.principal, team, ledger: ledgers.of(team), stillAllowed };
    },
  });
  let ending = false;

  // Whether an assistant has read text by others is recorded where it runs.
  const noteUntrusted = async () => undefined;

  function open(
    arrival: UnverifiedRequest | AuthenticatedRequest,
    route: Route<unknown>,
    confirm: () => Promise<void>,
  ): { runtime: Runtime<unknown>; about: string[] } {
    const { from, bearer } = arrival;
    const signedIn = "signedIn" in arrival ? arrival.signedIn : undefined;
    const people = signedIn ? teamPeople(access, signedIn) : nobody;
    const services = servicesOf.get(route)?.({ from, bearer, signedIn, people, confirm });
    const recorder = signedIn ? ledgers.of(signedIn.team.id) : unrecorded;
    // Each request has one: written out, it takes a tenth of the time that copying what they share takes.
    const runtime = { redactor, newId: randomUUID, now: Date.now, log, noteUntrusted, services, recorder };
    return { runtime, about: signedIn ? [`team:${signedIn.team.id}`] : [] };
  }

  const app = createServerApp({
    routes: served.routes.map(({ route }) => route),
    authenticator: visitors,
    open,
    idempotency: new Idempotency(ledger.once, (error) =>
      log("error", "the answer to a request could not be stored", { error }),
    ),
    turnLimits: { lists: maxLists[database.engine] },
    events,
    accessChanged: forget,
    board: boardFiles && {
      files: boardFiles,
      signIn: "/signin",
      async start(context) {
        const cookie = readCookie(context);
        const session = cookie === undefined ? undefined : await access.sessions.get(cookie);
        if (cookie === undefined || !session) return undefined;
        return describeTeamBoard(session, await access.sessions.teams(cookie), await ledger.newest());
      },
    },
    pages: (pagesApp) =>
      servePages(pagesApp, {
        access,
        publicUrl,
        provider: options.provider,
        origin: (context) => originOf(context, trustProxy),
        rates,
        word: wordForShell(commands.all()),
        log: (message, fields) => log("error", message, fields),
        newId: randomUUID,
      }),
    hostRules: () => ({
      hosts: new Set([new URL(publicUrl()).hostname, options.host]),
      anyAddress: !loopback.has(options.host),
      origins: new Set([new URL(publicUrl()).origin, ...corsOrigins]),
    }),
    publicUrl,
    commandLine: (tool, input) => commandLineFor(commands.all(), tool, input),
    corsOrigins: new Set(corsOrigins),
    version,
    ready: async () => !ending && (await answersWithin(readyWithinMs, ledger.newest())),
    ending: () => ending,
    redactor,
    log: (message, fields) => log("error", message, fields),
    newId: randomUUID,
  });

  return {
    app,
    /** Throws what would fail later, before anyone is served. */
    prepare: () => served.prepare(),
    /** It is no longer ready, and its streams end; running requests continue. */
    end(): void {
      ending = true;
      events.stop();
    },
    /** Once nothing is running any more. */
    async stop(): Promise<void> {
      events.stop();
      broadcast.stop();
      await served.stop();
      await ledger.stop();
    },
  };
}

/** What the board starts with, for a person who is signed in. */
function describeTeamBoard({ user, csrf }: BrowserSession, teams: readonly (Team & { role: Role })[], seq: number) {
  return {
    place: "team",
    version,
    user: { name: user.displayName || user.email, email: user.email },
    teams: teams.map(({ id, name, role }) => ({
      id,
      name,
      role,
      canWrite: scopesOfRole(role).includes("tickets:write"),
    })),
    csrf,
    seq,
    ...describeBoard(),
  };
}

/** The caller's team, for assigning tickets. The server looks it up itself, whatever the token allows. */
function teamPeople(access: Pick<Access, "members">, signedIn: SignedIn): People {
  return {
    async nameOf(userId) {
      const members = await access.members.list({ ...signedIn, scopes: ["access:read"] });
      const user = members.find((member) => member.user.id === userId)?.user;
      return user && (user.displayName || user.email);
    },
  };
}

const nobody: People = { nameOf: async () => undefined };

/** Public requests belong to no team, and so to no ledger; sign-ins are in the audit log. */
const unrecorded: Recorder = { open: async () => undefined, close: async () => undefined };

async function answersWithin(ms: number, asked: Promise<unknown>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), ms);
  });
  try {
    return await Promise.race([asked.then(() => true), late]);
  } catch {
    return false;
  } finally {
    clearTimeout(timer);
  }
}
