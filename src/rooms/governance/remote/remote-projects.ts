import * as z from "zod";
import { path } from "../../../commons/remote/index.ts";
import type { Actor } from "../../../kernel/calls/call.ts";
import type { ProjectContractType } from "../model/contract-names.ts";
import type { HistoryEntry, ProjectContext, ProjectContract, ProjectFacts, ProjectStore } from "../model/project.ts";
import { historyEntry, project, projectContext, projectContract } from "../model/project-schemas.ts";
import type { GovernanceClient } from "./governance-client.ts";

const answers = {
  projects: { schema: z.object({ projects: z.array(project) }), what: "a list of projects" },
  project: { schema: project, what: "a project" },
  context: { schema: projectContext, what: "a project's manifest" },
  contract: { schema: projectContract, what: "a contract" },
  history: { schema: z.object({ versions: z.array(historyEntry) }), what: "a list of versions" },
};

/** Projects on a governance server. */
export class RemoteProjects implements ProjectStore {
  readonly #client: GovernanceClient;

  constructor(client: GovernanceClient) {
    this.#client = client;
  }

  async list(signal: AbortSignal): Promise<ProjectFacts[]> {
    return (await this.#client.request("GET", path`/governance/projects`, answers.projects, { signal })).projects;
  }

  create({ principal: by }: Actor, body: { name: string; id?: string | undefined }): Promise<ProjectFacts> {
    return this.#client.request("POST", path`/governance/projects`, answers.project, { body, by });
  }

  context(id: string, signal: AbortSignal): Promise<ProjectContext> {
    return this.#client.request("GET", path`/mcp/context/${id}`, answers.context, { signal });
  }

  contract(id: string, type: ProjectContractType, signal: AbortSignal, version?: number): Promise<ProjectContract> {
    const to = path`/mcp/context/${id}/${type}`;
    return this.#client.request("GET", to, answers.contract, { signal, query: { version } });
  }

  putContract(
    { principal: by }: Actor,
    id: string,
    type: ProjectContractType,
    content: string,
  ): Promise<ProjectContract> {
    const to = path`/governance/projects/${id}/contracts/${type}`;
    return this.#client.request("POST", to, answers.contract, { body: { content }, by });
  }

  async history(id: string, type: ProjectContractType, signal: AbortSignal): Promise<HistoryEntry[]> {
    const to = path`/governance/projects/${id}/contracts/${type}`;
    return (await this.#client.request("GET", to, answers.history, { signal })).versions;
  }
}
