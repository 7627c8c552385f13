import type { TrustSummary } from "../../../commons/house.ts";
import type { Action } from "../../../kernel/action.ts";
import type { Project } from "../../../platform/state/project.ts";

/** Who a team's server says the user is. */
export type TeamServerAnswer = { server: string; by: string; email: string; team: string | undefined };

type State = "ok" | "warning" | "problem";

/** The result of one check: its state, and what the user can do about it. */
export type Finding = {
  id: string;
  title: string;
  state: State;
  message: string;
  /** What to do, most useful first; empty if all is well. */
  next: readonly Action[];
  /** Whether `--fix` would repair it. */
  fixable: boolean;
  /** What `--fix` has just done. */
  fixed?: string;
};

/** What a check found. `fix` repairs it without any risk and says what it did. */
export type CheckResult = { state: State; message: string; next?: readonly Action[]; fix?: () => string };

export type Check = {
  id: string;
  title: string;
  /** Undefined if there is nothing to check. Throws a ForgeError that says what is wrong. */
  look(world: World): Promise<CheckResult | undefined> | CheckResult | undefined;
};

/** What checks are given; everything else they look at themselves. */
export type World = {
  version: string;
  nodeVersion: string;
  /** The file that was started. */
  program: string;
  environment: Readonly<Record<string, string | undefined>>;
  home: string;
  cwd: string;
  project: Project;
  databaseUrl: string | undefined;
  /** The newest schema this program knows. */
  knownSchema: number;
  /** What is wrong with the settings, if anything. */
  settingsProblems: readonly { message: string; next: readonly Action[] }[];
  now(): number;
  signal: AbortSignal;
  ports: Ports;
};

/** What other parts of the program know; a part that is missing is not checked. */
export type Ports = {
  /** Each assistant that is used here, and whether its configuration is what `forge init` would write. */
  clients?: () => Promise<{ title: string; file: string; upToDate: boolean }[]>;
  trust?: (signal: AbortSignal) => Promise<TrustSummary>;
  /** Who the team's server says the user is; undefined if there is none. Throws where it cannot be asked or refuses. */
  teamServer?: (signal: AbortSignal) => Promise<TeamServerAnswer | undefined>;
  /** The newest published version; only if the user has switched it on. */
  newestVersion?: (signal: AbortSignal) => Promise<string>;
};
