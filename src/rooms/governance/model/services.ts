import type { Artifacts } from "../artifacts/artifacts.ts";
import type { Sessions } from "../sessions/sessions.ts";
import type { ContractSource } from "./contract.ts";
import type { ProjectStore } from "./project.ts";

/** What governance's tools and commands run on. */
export type GovernanceServices = {
  /** The project's folder, or the one that FORGEGUARD_ROOT names. */
  root: string;
  contracts: ContractSource;
  projects: ProjectStore;
  sessions: Sessions;
  artifacts: Artifacts;
};
