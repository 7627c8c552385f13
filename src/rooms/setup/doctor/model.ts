import type { Project } from "../../../platform/state/project.ts";

type State = "ok" | "warning" | "problem";

/** One thing that was looked at: how it is, and what a person can do about it. */
export type Finding = {
  id: string;
  title: string;
  state: State;
  message: string;
  /** What to do, most useful first; empty where all is well. */
  mend: string[];
  /** `forge doctor --fix` would mend it. */
  fixable: boolean;
  /** What `--fix` has just done about it. */
  fixed?: string;
};

/** What a check has seen. `fix` mends it without any risk and says what it did. */
export type Seen = { state: State; message: string; mend?: string[]; fix?: () => string };

export type Check = {
  id: string;
  title: string;
  /** Undefined where there is nothing to look at. Throws a ForgeError that says what is wrong. */
  look(world: World): Promise<Seen | undefined> | Seen | undefined;
};

/** What the doctor knows of the world; everything else it looks at itself. */
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
  settingsProblems: { message: string; next: string[] }[];
  now(): number;
  signal: AbortSignal;
  ports: Ports;
};

/** What others know; a part that is not there is not looked at. */
export type Ports = {
  /** Each assistant that is used here, and whether its configuration is what `forge init` would write. */
  clients?: () => Promise<{ title: string; file: string; upToDate: boolean }[]>;
  trust?: (signal: AbortSignal) => Promise<{ given: boolean; trusted: boolean; changed: string[] }>;
  /** What the team's server says of us; undefined where there is none. Throws where it cannot be asked or refuses. */
  teamServer?: (
    signal: AbortSignal,
  ) => Promise<{ server: string; by: string; email: string; team: string | undefined } | undefined>;
  /** The newest published version; only where the person has switched it on. */
  newestVersion?: (signal: AbortSignal) => Promise<string>;
};
