import { Guard, Seal, UserReadings } from "../../commons/guard/index.ts";
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
import { expandHome, userPath } from "../../platform/host/user-folder.ts";
import type { Log } from "../../platform/log.ts";
import { writeVersionMark } from "../../platform/state/marks.ts";
import type { Project } from "../../platform/state/project.ts";
import { ProjectLinks } from "../../platform/state/project-links.ts";
import { version } from "../../version.ts";
import { loadMigrations } from "../migrations.ts";
import type { Settings } from "../settings/settings-table.ts";
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
  /** What one room offers to another. */
  port?(name: string): Promise<unknown> | undefined;
};

/** The store with what only a person may do: approving. */
export type LocalStore = Omit<Store, "guard"> & { guard: Guard };

export type LocalHouse = Omit<House, "store"> & {
  store(): Promise<LocalStore>;
  /** What assistants have read in all projects of the user. */
  readings: UserReadings;
};

/** What rooms are opened with in a project; the store and the team's server open when they are first asked for. */
export function makeHouse(options: HouseOptions): LocalHouse {
  const { rooms, settings, settingsProblems = [], project, cwd, redactor, log, onEnd, principal } = options;
  const git = new Git({ workTreesHome: settings.worktreesPath && expandHome(settings.worktreesPath) });
  const readings = new UserReadings({ project: project.root, isTrusted: readIsTrusted });
  const store = once(() => openStore(options, git, readings));
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
    readings,
    team: once(() => openTeam(options, store)),
    principal,
    // Rooms name the type of what they are offered; only the program knows both.
    port: async <Port>(name: string) => (await options.port?.(name)) as Port | undefined,
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

async function openStore(options: HouseOptions, git: Git, everywhere: UserReadings): Promise<LocalStore> {
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
  const guard = new Guard({ database, redactor, seal, isTrusted: isKnown, everywhere });
  return { database, ledger, leases: new Leases(database), guard };
}

/**
 * Looks before it loads: most people work with the project's own tickets. A token in the environment is used everywhere, a
 * sign-in only in projects that are linked to its server, and there in the link's team.
 */
async function openTeam(
  options: HouseOptions,
  openLocal: () => Promise<LocalStore>,
): Promise<TeamConnection | undefined> {
  const { settings, project, redactor, log, onEnd } = options;
  const connect = async (team?: string) => {
    const { connectTeam } = await import("../../commons/remote/team-connection.ts");
    return connectTeam({ settings, team, redactor, log, onEnd });
  };
  if (settings.token !== undefined) return connect();
  const link = new ProjectLinks().find(project.stateDir);
  if (!link) return linkFormerProject(options, connect, openLocal);
  if ("local" in link) return undefined;
  const { api: linked, team } = link;
  const connection = entryAt(userPath("config.json")) && (await connect(team || undefined));
  const { linkedElsewhere, linkedSignedOut } = await import("../../commons/remote/errors.ts");
  const { origin } = new URL(linked);
  if (!connection) throw linkedSignedOut(origin);
  const { address } = connection.server;
  if (address.api === linked) return connection;
  throw linkedElsewhere(origin, address.origin);
}

/** Projects that worked with the server of the sign-in before there were links go on doing so. All others are local. */
async function linkFormerProject(
  { settings, project: { stateDir, databaseFile } }: HouseOptions,
  connect: () => Promise<TeamConnection | undefined>,
  openLocal: () => Promise<LocalStore>,
): Promise<TeamConnection | undefined> {
  if (entryAt(userPath("config.json")) === undefined) return undefined;
  if (settings.databaseUrl === undefined && entryAt(databaseFile) === undefined) return undefined;
  const { Outbox } = await import("../../commons/ledger/team/outbox.ts");
  const { database } = await openLocal();
  const links = new ProjectLinks();
  const at = new Date().toISOString();
  if (!(await Outbox.hasAny(database))) {
    await links.set(stateDir, { local: true, at });
    return undefined;
  }
  const connection = await connect();
  if (!connection || !(await new Outbox(database, connection.recipient).isUsed())) return undefined;
  const { team = "" } = await connection.server.identity();
  await links.set(stateDir, { api: connection.server.address.api, team, at });
  return connection;
}
