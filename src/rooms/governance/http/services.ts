import type { LocalArtifacts } from "../artifacts/local-artifacts.ts";
import type { StoredContracts } from "../contracts/stored-contracts.ts";
import type { LocalBuilds } from "../projects/local-builds.ts";
import type { LocalProjects } from "../projects/local-projects.ts";

/** What a request about governance runs on; all of it belongs to the caller's team. */
export type GovernanceRouteServices = {
  contracts: StoredContracts;
  projects: LocalProjects;
  builds: LocalBuilds;
  artifacts: LocalArtifacts;
};
