import * as z from "zod";
import { defineRoute, type Route } from "../../../kernel/definitions/route.ts";
import { artifactNotFound } from "../artifacts/errors.ts";
import { storeKey } from "../model/artifact.ts";
import {
  artifact,
  artifactFilter,
  artifactList,
  artifactRef,
  storedArtifact,
  ttlHours,
} from "../model/artifact-schemas.ts";
import { defaultTtlHours } from "../model/limits.ts";
import type { GovernanceRouteServices } from "./services.ts";

const [noParams, noQuery] = [z.object({}), z.object({})];
const read = { method: "GET", scope: "governance:read", effect: "read", names: "none", params: noParams } as const;
const write = { method: "POST", scope: "governance:write", names: "none", params: noParams, query: noQuery } as const;
const count = z.object({ count: z.number().int() });

const listRoute = defineRoute({
  ...read,
  path: "/api/artifacts",
  operation: "forge_list_artifacts",
  summary: "List a project's artifacts by type and key, in pages.",
  query: artifactFilter.extend({
    cursor: z.string().max(2_000).optional(),
    limit: z.coerce.number().int().min(1).max(1_000).default(100),
  }),
  output: artifactList,
  async run({ artifacts }: GovernanceRouteServices, { query: { cursor, limit, ...filter } }) {
    const page = await artifacts.list(filter, { cursor, limit });
    const { project_id, artifact_type = null } = filter;
    return { project_id, artifact_type_filter: artifact_type, count: page.artifacts.length, ...page };
  },
});

const getRoute = defineRoute({
  ...read,
  path: "/api/artifacts/item",
  operation: "forge_get_artifact",
  summary: "Read an artifact.",
  query: artifactRef,
  output: artifact,
  async run({ artifacts }: GovernanceRouteServices, { query }) {
    const found = await artifacts.get(query);
    if (!found) throw artifactNotFound(query);
    return found;
  },
});

const storeRoute = defineRoute({
  ...write,
  path: "/api/artifacts",
  operation: "forge_store_artifact",
  summary: "Store an artifact; one with the same project, type and key is replaced.",
  effect: "set",
  body: z.strictObject({ ...artifactRef.shape, content: z.unknown(), ttl_hours: ttlHours.default(defaultTtlHours) }),
  output: storedArtifact,
  async run({ artifacts }: GovernanceRouteServices, { body: { content = null, ...rest } }, call) {
    const { size_chars } = await artifacts.store(call, { ...rest, content });
    const { artifact_type, key, ttl_hours } = rest;
    return { stored: true, store_key: storeKey(rest), artifact_type, key, ttl_hours, size_chars };
  },
});

const removeRoute = defineRoute({
  ...write,
  path: "/api/artifacts/remove",
  summary: "Delete one artifact.",
  effect: "remove",
  body: artifactRef.strict(),
  output: count,
  async run({ artifacts }: GovernanceRouteServices, { body }, call) {
    await artifacts.remove(call, body);
    return { count: 1 };
  },
});

const clearRoute = defineRoute({
  ...write,
  path: "/api/artifacts/clear",
  operation: "forge_clear_artifacts",
  summary: "Clear a project's artifacts, or those of one type. They can be restored for a day.",
  effect: "remove",
  body: artifactFilter.strict(),
  output: count,
  run: async ({ artifacts }: GovernanceRouteServices, { body }, call) => ({ count: await artifacts.clear(call, body) }),
});

const restoreRoute = defineRoute({
  ...write,
  path: "/api/artifacts/restore",
  operation: "restore_artifacts",
  summary: "Restore artifacts that were cleared less than a day ago.",
  effect: "set",
  body: artifactFilter.strict(),
  output: count,
  run: async ({ artifacts }: GovernanceRouteServices, { body }, call) => ({
    count: await artifacts.restore(call, body),
  }),
});

export const artifactRoutes: Route<GovernanceRouteServices>[] = [
  listRoute,
  getRoute,
  storeRoute,
  removeRoute,
  clearRoute,
  restoreRoute,
];
