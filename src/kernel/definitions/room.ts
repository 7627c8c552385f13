import type { Command } from "./command.ts";
import type { Prompt } from "./prompt.ts";
import type { Resource } from "./resource.ts";
import type { Route } from "./route.ts";
import type { Tool } from "./tool.ts";

/** Loads a part when it is first needed, so that starting the program costs nothing. */
export type Lazy<T> = () => Promise<T>;

/** The same, loaded once; a load that failed is tried again. */
export function once<T>(load: Lazy<T>): Lazy<T> {
  let loaded: Promise<T> | undefined;
  return () => {
    loaded ??= load().catch((error) => {
      loaded = undefined;
      throw error;
    });
    return loaded;
  };
}

/** What a few `stat` calls can tell about a project. */
export type ProjectFacts = {
  inGit: boolean;
  /** Whether a path below the project's folder exists. */
  has(path: string): boolean;
  /** Whether an environment variable is set. */
  isSet(variable: string): boolean;
};

/** Whether a toolset fits a project. `coreOnly`: its core tools do, and the others are not offered. */
type Fit = { fits: boolean; why: string; coreOnly?: true };

/** What a room's tools, prompts, resources and commands run on, and how to end it. */
export type OpenRoom<Services> = { services: Services; stop?(): Promise<void> };

/** What a room's routes run on in a team's server: services for each request. */
export type ServedRoom<Visit, Services> = {
  services(visit: Visit): Services;
  /** Before anyone is served: throws what would fail later. */
  prepare?(): Promise<void>;
  stop?(): Promise<void>;
};

/** The types that the program fills in; the kernel knows none of them. */
export type RoomWorld = { local: unknown; server: unknown; visit: unknown; app: unknown; migration: unknown };

/**
 * Everything one room has, as data. Adding a room is one folder and one line in `rooms.ts`: its tools, prompts, resources,
 * commands, routes and migrations appear by themselves.
 */
export type Room<World extends RoomWorld, Services = unknown, RouteServices = unknown> = {
  /** Also the name of its toolset and the first half of its scopes. */
  name: string;
  title: string;
  /** One or two sentences of the server's instructions: when an assistant should use these tools. */
  guidance?: string;
  /** Whether its tools fit a project, and why (not): `--toolsets auto`. Absent where there are no tools to choose. */
  fits?(facts: ProjectFacts): Fit;
  /**
   * Whether its calls are part of the project's history (default: true). Those that are about a server or this machine are
   * not: they open no store and leave no entry.
   */
  inLedger?: boolean;
  /** By name. */
  tools?: Record<string, Lazy<Tool<Services>>>;
  prompts?: Record<string, Lazy<Prompt<Services>>>;
  resources?: Lazy<readonly Resource<Services>[]>;
  commands?: Lazy<readonly Command<World["app"]>[]>;
  /** REST routes of a team's server. */
  routes?: Lazy<readonly Route<RouteServices>[]>;
  /** Steps of the store's schema, each with its place among all rooms' steps. */
  migrations?: Lazy<readonly World["migration"][]>;
  /** Opens the room in a project. */
  open?: Lazy<(house: World["local"]) => Promise<OpenRoom<Services>> | OpenRoom<Services>>;
  /** Opens the room in a team's server. */
  serve?: Lazy<(house: World["server"]) => ServedRoom<World["visit"], RouteServices>>;
};
