import type { Room } from "../kernel/definitions/room.ts";
import type { ForgeError } from "../kernel/errors.ts";
import type { Principal } from "../kernel/principal.ts";
import type { Redactor } from "../kernel/text/redactor.ts";
import type { Database } from "../platform/db/database.ts";
import type { Migration } from "../platform/db/types.ts";
import type { Git } from "../platform/git/git.ts";
import type { Log } from "../platform/log.ts";
import type { Project } from "../platform/state/project.ts";
import type { App } from "./cli/app.ts";
import type { Guard } from "./guard/index.ts";
import type { Leases } from "./leases/index.ts";
import type { Ledger, TeamLedger } from "./ledger/index.ts";
import type { Origin, People, SignedIn } from "./people.ts";
import type { TeamConnection } from "./remote/team-connection.ts";

/** The settings that rooms use; `app/settings` has them all. */
export type HouseSettings = {
  databaseUrl: string | undefined;
  ledgerDays: number;
  apiUrl: string | undefined;
  token: string | undefined;
  appUrl: string | undefined;
  updateCheck: boolean;
  embeddingsUrl: string | undefined;
  embeddingsModel: string | undefined;
  embeddingsKey: string | undefined;
  qdrantUrl: string | undefined;
  qdrantKey: string | undefined;
  pgvectorUrl: string | undefined;
  governanceLocal: boolean;
  governanceUrl: string | undefined;
  governanceRoot: string | undefined;
  governanceKey: string | undefined;
};

/** The project's store and what works on it. */
export type Store = {
  database: Database<unknown>;
  ledger: Ledger;
  leases: Leases;
  /** Approving is not among it: only a person does that. */
  guard: Pick<Guard, "require" | "requirePerson" | "hasReadUntrusted" | "hasReadHere" | "hasForeignCalls" | "marks">;
};

/** Whether the user has trusted the project's scripts, and which of them were changed, added or removed since. */
export type TrustSummary = { given: boolean; trusted: boolean; changed: string[] };

/** What the program gives a room that it opens in a project. Nothing heavy is opened before a room asks for it. */
export type House = {
  settings: HouseSettings;
  /** What is wrong with the user's settings. */
  settingsProblems: readonly ForgeError[];
  /** How many steps the store's schema has in this version. */
  schemaSteps(): Promise<number>;
  project: Project;
  /** The folder that Forge was started in. */
  cwd: string;
  version: string;
  redactor: Redactor;
  log: Log;
  git: Git;
  store(): Promise<Store>;
  /** The team's server, where the user works with one. */
  team(): Promise<TeamConnection | undefined>;
  /** What another room offers to this one, as the program wires it; undefined without that room. */
  port<Port>(name: string): Promise<Port | undefined>;
  principal(): Principal;
  /** Reads what the user trusts here; only commands of the user change it. */
  trust(signal: AbortSignal): Promise<TrustSummary>;
  /** Whether the user has trusted the project: what it contains then counts as their own text. */
  isTrusted(): Promise<boolean>;
  /** Has something closed when the program ends. */
  onEnd(close: () => unknown): void;
};

/** What a team's server gives a room that it serves. */
export type ServerHouse = {
  database: Database<unknown>;
  leases: Leases;
  ledgerOf(team: string): TeamLedger;
  /** What another room offers to this one for a request, as the program wires it. */
  port<Port>(name: string, visit: Visit): Port;
  publicUrl(): string;
  /** Encrypts what the server keeps secret in its database, if the operator has set one. */
  secret: string | undefined;
  log: Log;
};

/** A request to a team's server. */
export type Visit = {
  from: Origin;
  /** The bearer token as it was sent. */
  bearer: string | undefined;
  /** Absent on routes that anyone may call. */
  signedIn: SignedIn | undefined;
  people: People;
  /** After long work, right before a change: throws if the caller may not make it any more. */
  confirm(): Promise<void>;
};

type World = { local: House; server: ServerHouse; visit: Visit; app: App; migration: Migration };

export type ForgeRoom<Services = unknown, RouteServices = unknown> = Room<World, Services, RouteServices>;

export function defineRoom<Services, RouteServices = never>(
  room: ForgeRoom<Services, RouteServices>,
): ForgeRoom<Services, RouteServices> {
  return room;
}
