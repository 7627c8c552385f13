import type { Actor } from "../../../kernel/calls/call.ts";
import type { ProjectContractType } from "./contract-names.ts";

export type ProjectFacts = { id: string; name: string; status: string };

type ContractVersion = { contract_type: string; version: number; size_chars: number; updated_at: string };

export type ProjectContext = {
  project: ProjectFacts;
  contracts: ContractVersion[];
  latest_batch: number | null;
  build_count: number;
};

export type ProjectContract = {
  contract_type: string;
  content: string;
  version: number;
  project_id: string;
  source: "project_db";
};

export type BuildFacts = {
  build_id: string;
  project_id: string;
  batch: number;
  status: "open" | "closed";
  pinned_at: string;
  closed_at?: string | undefined;
  contracts: number;
};

/** What a build has pinned. `batch` is null where it has pinned nothing, and `detail` says why. */
export type BuildContracts = {
  build_id: string;
  batch: number | null;
  pinned_at?: string | undefined;
  contracts: { contract_type: string; content: string }[];
  detail?: string | undefined;
};

export type HistoryEntry = { version: number; size_chars: number; created_at: string; created_by: string };

/** Projects, their contracts and builds: in the project's own store, or on a server. */
export interface ProjectStore {
  list(signal: AbortSignal): Promise<ProjectFacts[]>;
  create(by: Actor, project: { name: string; id?: string | undefined }): Promise<ProjectFacts>;
  context(id: string, signal: AbortSignal): Promise<ProjectContext>;
  contract(
    id: string,
    type: ProjectContractType,
    signal: AbortSignal,
    version?: number | undefined,
  ): Promise<ProjectContract>;
  putContract(by: Actor, id: string, type: ProjectContractType, content: string): Promise<ProjectContract>;
  history(id: string, type: ProjectContractType, signal: AbortSignal): Promise<HistoryEntry[]>;
  startBuild(by: Actor, project: string): Promise<BuildFacts>;
  builds(project: string, signal: AbortSignal): Promise<BuildFacts[]>;
  build(id: string, signal: AbortSignal): Promise<BuildFacts>;
  closeBuild(by: Actor, id: string): Promise<BuildFacts>;
  buildContracts(id: string, signal: AbortSignal): Promise<BuildContracts>;
}
