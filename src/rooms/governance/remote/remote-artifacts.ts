import * as z from "zod";
import { path } from "../../../commons/remote/index.ts";
import type { Actor } from "../../../kernel/calls/call.ts";
import { ForgeError } from "../../../kernel/errors.ts";
import type {
  Artifact,
  ArtifactFilter,
  ArtifactPage,
  ArtifactRef,
  ArtifactStore,
  NewArtifact,
} from "../model/artifact.ts";
import { artifact, artifactList, storedArtifact } from "../model/artifact-schemas.ts";
import type { GovernanceClient } from "./governance-client.ts";

const count = z.object({ count: z.number().int() });
const answers = {
  stored: { schema: storedArtifact, what: "a stored artifact" },
  artifact: { schema: artifact, what: "an artifact" },
  list: { schema: artifactList, what: "a list of artifacts" },
  count: { schema: count, what: "a number of artifacts" },
};

/** Artifacts of a team, on its server. */
export class RemoteArtifacts implements ArtifactStore {
  readonly isShared = true;
  readonly #client: GovernanceClient;

  constructor(client: GovernanceClient) {
    this.#client = client;
  }

  store({ principal: by }: Actor, body: NewArtifact): Promise<{ size_chars: number }> {
    return this.#client.request("POST", path`/artifacts`, answers.stored, { body, by });
  }

  async get(ref: ArtifactRef): Promise<Artifact | undefined> {
    try {
      const { content, ...found } = await this.#client.request("GET", path`/artifacts/item`, answers.artifact, {
        query: ref,
      });
      return { ...found, content };
    } catch (error) {
      if (error instanceof ForgeError && error.code === "NOT_FOUND") return undefined;
      throw error;
    }
  }

  async list(filter: ArtifactFilter, page: { cursor?: string | undefined; limit: number }): Promise<ArtifactPage> {
    const query = { ...filter, ...page };
    const { artifacts, next_cursor } = await this.#client.request("GET", path`/artifacts`, answers.list, { query });
    return { artifacts, ...(next_cursor !== undefined && { next_cursor }) };
  }

  async remove({ principal: by }: Actor, body: ArtifactRef): Promise<void> {
    await this.#client.request("POST", path`/artifacts/remove`, answers.count, { body, by });
  }

  async clear({ principal: by }: Actor, body: ArtifactFilter): Promise<number> {
    return (await this.#client.request("POST", path`/artifacts/clear`, answers.count, { body, by })).count;
  }

  async restore({ principal: by }: Actor, body: ArtifactFilter): Promise<number> {
    return (await this.#client.request("POST", path`/artifacts/restore`, answers.count, { body, by })).count;
  }
}
