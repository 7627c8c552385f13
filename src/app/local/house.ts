import { Guard, Seal } from "../../commons/guard/index.ts";
import type { ForgeRoom, House, Store, TrustSummary } from "../../commons/house.ts";
import { Leases } from "../../commons/leases/index.ts";
import { Ledger } from "../../commons/ledger/ledger.ts";
import type { TeamConnection } from "../../commons/remote/team-connection.ts";
import { once } from "../../kernel/definitions/room.ts";
import type { ForgeError } from "../../kernel/errors.ts";
import type { Principal } from "../../kernel/principal.ts";
import type { Redactor } from "../../kernel/text/redactor.ts";
import { openDatabase } from "../../platform/db/database.ts";
import { withProgramName } from "../../platform/db/postgres/database-url.ts";
import { entryAt } from "../../platform/files/entry-at.ts";
import { Git } from "../../platform/git/git.ts";
import { userPath } from "../../platform/host/user-folder.ts";
import type { Log } from "../../platform/log.ts";
import { writeVersionMark } from "../../platform/state/marks.ts";
import type { Project } from "../../platform/state/project.ts";
import { ProjectLinks } from "../../platform/state/project-links.ts";
import { version } from "../../version.ts";
import { loadMigrations } from "../migrations.ts";
import type { Settings } from "../settings/config.ts";
import { makeAdmission } from "../store/store-admission.ts";

export type HouseOptions = {
  /** Whose tables the store has; by default, those of all rooms. */
  rooms?: readonly ForgeRoom[] | undefined;
  settings: Settings;
  settingsProblems?: readonly ForgeError[];
  project: Project;
  cwd: string;
  redactor: Redactor;
  log: Log;
  /** Asks the user a question; undefined if there is no terminal. */
  confirm?: ((question: string) => Promise<boolean | undefined>) | undefined;
  /** Has something closed when the program ends. */
  onEnd(close: () => unknown): void;
  /** The user, as commands act for them. */
  principal(): Principal;
};

/** The store with what only a person may do: approving. */
export type LocalStore = Omit<Store, "guard"> & { guard: Guard };

export type LocalHouse = Omit<House, "store"> & { store(): Promise<LocalStore> };

/** What rooms are opened with in a project; the store and the team's server open when they are first asked for. */
export function makeHouse(options: HouseOptions): LocalHouse {
  const { rooms, settings, settingsProblems = [], project, cwd, redactor, log, onEnd, principal } = options;
  const git = new Git({ workTreesHome: settings.worktreesPath });
  const store = once(() => openStore(options, git));
  return {
    settings,
    settingsProblems,
    schemaSteps: async () => (await loadMigrations(rooms)).length,
    project,
    cwd,
    version,
    redactor,
    log,
    git,
    store,
    team: once(() => openTeam(options, store)),
    principal,
    isTrusted: () => readIsTrusted(project.root),
    trust: (signal) => readTrust(project.root, git, signal),
    onEnd,
  };
}

async function readIsTrusted(root: string): Promise<boolean> {
  const { isTrusted } = await import("../../commons/trust/is-trusted.ts");
  return isTrusted(root);
}

async function readTrust(root: string, git: Git, signal: AbortSignal): Promise<TrustSummary> {
  const { TrustEditor } = await import("../../commons/trust/trust-editor.ts");
  const { trusted, since, items, gone } = await new TrustEditor({ git }).state(root, signal);
  const changed = items.filter(({ status }) => status !== "trusted").map(({ id }) => id);
  return { given: since !== undefined, trusted, changed: [...changed, ...gone] };
}

async function openStore(options: HouseOptions, git: Git): Promise<LocalStore> {
  const { rooms, settings, project, redactor, log, onEnd } = options;
  const place = settings.databaseUrl
    ? { url: withProgramName(settings.databaseUrl, `forge/${version}`) }
    : { file: project.databaseFile };
  writeVersionMark(project.stateDir, version);
  const seal = Seal.ofUser();
  const isKnown = () => readIsTrusted(project.root);
  const { confirm = async () => undefined } = options;
  const admission = makeAdmission({ project, git, seal, isKnown, confirm });
  const database = openDatabase<unknown>(place, await loadMigrations(rooms), admission);
  const ledger = new Ledger({ database, redactor, log, retentionDays: settings.ledgerDays });
  onEnd(async () => {
    await ledger.stop();
    await database.close();
    writeVersionMark(project.stateDir, version);
  });
  const guard = new Guard({ database, redactor, seal, isTrusted: isKnown });
  return { database, ledger, leases: new Leases(database), guard };
}

/**
 * Looks before it loads: most people work with the project's own tickets. A server that the environment names is used
 * everywhere, the server of a sign-in only in projects that are linked to it.
 */
async function openTeam(
  { settings, project, redactor, log, onEnd }: HouseOptions,
  openLocal: () => Promise<LocalStore>,
): Promise<TeamConnection | undefined> {
  const isNamed = settings.apiUrl !== undefined || settings.token !== undefined;
  if (!isNamed && entryAt(userPath("config.json")) === undefined) return undefined;
  const link = new ProjectLinks().find(project.stateDir);
  if (!isNamed && link && "local" in link) return undefined;
  const { connectTeam } = await import("../../commons/remote/team-connection.ts");
  const connection = await connectTeam({ settings, redactor, log, onEnd });
  if (isNamed || !connection) return connection;
  if (!link) return (await linkFormerProject(project, connection, openLocal)) ? connection : undefined;
  const { api, origin } = connection.server.address;
  if ("local" in link || link.api === api) return connection;
  const { linkedElsewhere } = await import("../../commons/remote/errors.ts");
  throw linkedElsewhere(new URL(link.api).origin, origin);
}

/** Projects that worked with this server before there were links go on doing so. Returns whether this is one. */
async function linkFormerProject(
  { stateDir, databaseFile }: Project,
  { server, recipient }: TeamConnection,
  openLocal: () => Promise<LocalStore>,
): Promise<boolean> {
  if (entryAt(databaseFile) === undefined) return false;
  const isKnown = await hasWorkedWith((await openLocal()).database, recipient);
  const { team = "" } = await server.identity();
  const at = new Date().toISOString();
  await new ProjectLinks().set(stateDir, isKnown ? { api: server.address.api, team, at } : { local: true, at });
  return isKnown;
}

async function hasWorkedWith(database: LocalStore["database"], recipient: string): Promise<boolean> {
  const { Outbox } = await import("../../commons/ledger/team/outbox.ts");
  return new Outbox(database, recipient).isUsed();
}
