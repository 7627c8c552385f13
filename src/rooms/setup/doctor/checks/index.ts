import type { Check } from "../model.ts";
import { git, repository } from "./git.ts";
import { node } from "./node.ts";
import { clients, trust, update } from "./others.ts";
import { codeCache, searchPath } from "./program.ts";
import { quarantine } from "./quarantine.ts";
import { server } from "./server.ts";
import { home, settings, umask } from "./settings.ts";
import { clock, database, store, versions } from "./store-content.ts";
import { storeFileSystem, storeIgnored, storePermissions } from "./store-place.ts";
import { teamServer } from "./team-server.ts";

/** In the order they are shown: what everything rests on comes first. */
export const checks: readonly Check[] = [
  node,
  git,
  repository,
  settings,
  home,
  umask,
  store,
  quarantine,
  storePermissions,
  storeIgnored,
  storeFileSystem,
  database,
  versions,
  clock,
  searchPath,
  codeCache,
  clients,
  trust,
  server,
  teamServer,
  update,
];
