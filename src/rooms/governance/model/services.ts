import type { ForeignTexts } from "../../../commons/guard/index.ts";
import type { Git } from "../../../platform/git/git.ts";
import type { Artifacts } from "../artifacts/artifacts.ts";
import type { GovernanceCheck } from "../check/governance-check.ts";
import type { MeasurementStore } from "../check/measurement-store.ts";
import type { PolicyEditor } from "../check/policy-editor.ts";
import type { ContractFiles } from "../contracts/contract-files.ts";
import type { GovernanceClient } from "../remote/governance-client.ts";
import type { Sessions } from "../sessions/sessions.ts";
import type { ContractSource } from "./contract.ts";
import type { BuildStore, ProjectStore } from "./project.ts";

/** What governance's tools and commands run on. */
export type GovernanceServices = {
  /** The project's folder, or the one that FORGEGUARD_ROOT names. */
  root: string;
  version: string;
  git: Git;
  contracts: ContractSource;
  /** The project's own, also where contracts are read from a server. */
  files: ContractFiles;
  client: GovernanceClient | undefined;
  projects: ProjectStore;
  builds: BuildStore;
  sessions: Sessions;
  artifacts: Artifacts;
  /** Which artifacts were stored after reading text by others. */
  foreignTexts: ForeignTexts;
  check: GovernanceCheck;
  policyEditor: PolicyEditor;
  measurements: MeasurementStore;
};
