import type * as z from "zod";
import type { Actor } from "../../../kernel/calls/call.ts";
import type { ProjectContractType } from "./contract-names.ts";
import type {
  build,
  buildContracts,
  historyEntry,
  project,
  projectContext,
  projectContract,
} from "./project-schemas.ts";

export type ProjectFacts = z.output<typeof project>;
export type ProjectContext = z.output<typeof projectContext>;
export type ProjectContract = z.output<typeof projectContract>;
export type HistoryEntry = z.output<typeof historyEntry>;
export type BuildFacts = z.output<typeof build>;
/** What a build has pinned. `batch` is null where it has pinned nothing, and `detail` says why. */
export type BuildContracts = z.output<typeof buildContracts>;

/** Projects and their contracts: in the project's own store, or on a server. */
export interface ProjectStore {
  list(signal: AbortSignal): Promise<ProjectFacts[]>;
  create(by: Actor, project: { name: string; id?: string | undefined }): Promise<ProjectFacts>;
  context(id: string, signal: AbortSignal): Promise<ProjectContext>;
  /** The newest version, or the one that is asked for. */
  contract(id: string, type: ProjectContractType, signal: AbortSignal, version?: number): Promise<ProjectContract>;
  putContract(by: Actor, id: string, type: ProjectContractType, content: string): Promise<ProjectContract>;
  history(id: string, type: ProjectContractType, signal: AbortSignal): Promise<HistoryEntry[]>;
}

/** Builds, which pin the contracts of a project; in the same place. */
export interface BuildStore {
  start(by: Actor, project: string): Promise<BuildFacts>;
  /** Newest first. */
  list(project: string, signal: AbortSignal): Promise<BuildFacts[]>;
  get(id: string, signal: AbortSignal): Promise<BuildFacts>;
  close(by: Actor, id: string): Promise<BuildFacts>;
  contracts(id: string, signal: AbortSignal): Promise<BuildContracts>;
}

/** The name under which the guard knows all projects of a store. */
export const projectsSubject = "governance:projects";
