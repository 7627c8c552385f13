import * as z from "zod";
import { path } from "../../../commons/remote/index.ts";
import type { Actor } from "../../../kernel/calls/call.ts";
import type { BuildContracts, BuildFacts, BuildStore } from "../model/project.ts";
import { build, buildContracts } from "../model/project-schemas.ts";
import type { GovernanceClient } from "./governance-client.ts";

const answers = {
  builds: { schema: z.object({ builds: z.array(build) }), what: "a list of builds" },
  build: { schema: build, what: "a build" },
  contracts: { schema: buildContracts, what: "a build's contracts" },
};

/** Builds on a governance server. */
export class RemoteBuilds implements BuildStore {
  readonly #client: GovernanceClient;

  constructor(client: GovernanceClient) {
    this.#client = client;
  }

  start({ principal: by }: Actor, id: string): Promise<BuildFacts> {
    return this.#client.request("POST", path`/governance/projects/${id}/builds`, answers.build, { by });
  }

  async list(id: string, signal: AbortSignal): Promise<BuildFacts[]> {
    const to = path`/governance/projects/${id}/builds`;
    return (await this.#client.request("GET", to, answers.builds, { signal })).builds;
  }

  get(id: string, signal: AbortSignal): Promise<BuildFacts> {
    return this.#client.request("GET", path`/governance/builds/${id}`, answers.build, { signal });
  }

  close({ principal: by }: Actor, id: string): Promise<BuildFacts> {
    return this.#client.request("POST", path`/governance/builds/${id}/close`, answers.build, { by });
  }

  contracts(id: string, signal: AbortSignal): Promise<BuildContracts> {
    return this.#client.request("GET", path`/mcp/build/${id}/contracts`, answers.contracts, { signal });
  }
}
