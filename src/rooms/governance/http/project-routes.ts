import * as z from "zod";
import { defineRoute, type Route } from "../../../kernel/definitions/route.ts";
import {
  build,
  buildContracts,
  contractText,
  historyEntry,
  newProjectId,
  project,
  projectContext,
  projectContract,
  projectName,
} from "../model/project-schemas.ts";
import { buildId, projectContractType, projectId } from "../model/schemas.ts";
import type { GovernanceRouteServices } from "./services.ts";

const [noParams, noQuery] = [z.object({}), z.object({})];
const ofProject = z.object({ id: projectId });
const ofContract = z.object({ id: projectId, type: projectContractType });
const ofBuild = z.object({ id: buildId });
const aboutProject = ({ id }: { id: string }) => [`project:${id}`];
const read = { method: "GET", scope: "governance:read", effect: "read", query: noQuery } as const;
const write = { method: "POST", scope: "governance:write", query: noQuery } as const;

const listRoute = defineRoute({
  ...read,
  path: "/api/governance/projects",
  operation: "list_projects",
  summary: "List the projects that contracts and builds belong to.",
  names: "none",
  params: noParams,
  output: z.object({ projects: z.array(project) }),
  run: async ({ projects }: GovernanceRouteServices) => ({ projects: await projects.list() }),
});

const createRoute = defineRoute({
  ...write,
  path: "/api/governance/projects",
  operation: "create_project",
  summary: "Create a project for contracts and builds.",
  effect: "add",
  names: "none",
  params: noParams,
  body: z.strictObject({ name: projectName, id: newProjectId.optional() }),
  output: project,
  status: 201,
  run: ({ projects }: GovernanceRouteServices, { body }, call) => projects.create(call, body),
});

const contextRoute = defineRoute({
  ...read,
  path: "/api/mcp/context/:id",
  operation: ["forge_get_project_context", "forge_list_project_contracts"],
  summary: "A project's manifest: its contracts with their versions, and its builds.",
  names: "contract-project",
  params: ofProject,
  output: projectContext,
  run: ({ projects }: GovernanceRouteServices, { params }) => projects.context(params.id),
});

const contractRoute = defineRoute({
  ...read,
  path: "/api/mcp/context/:id/:type",
  operation: "forge_get_project_contract",
  summary: "Read a project's contract, by default its newest version.",
  names: "contract-project",
  params: ofContract,
  query: z.object({ version: z.coerce.number().int().min(1).max(1_000_000).optional() }),
  output: projectContract,
  async run({ projects }: GovernanceRouteServices, { params: { id, type }, query }, { signal }) {
    return projects.contract(id, type, signal, query.version);
  },
});

const putRoute = defineRoute({
  ...write,
  path: "/api/governance/projects/:id/contracts/:type",
  operation: "put_project_contract",
  summary: "Save a new version of a project's contract.",
  effect: "set",
  names: "contract-project",
  params: ofContract,
  body: z.strictObject({ content: contractText }),
  output: projectContract,
  about: aboutProject,
  async run({ projects }: GovernanceRouteServices, { params: { id, type }, body }, call) {
    return projects.putContract(call, id, type, body.content);
  },
});

const historyRoute = defineRoute({
  ...read,
  path: "/api/governance/projects/:id/contracts/:type",
  operation: "get_contract_history",
  summary: "List the versions of a project's contract, newest first.",
  names: "contract-project",
  params: ofContract,
  output: z.object({ versions: z.array(historyEntry) }),
  run: async ({ projects }: GovernanceRouteServices, { params: { id, type } }) => ({
    versions: await projects.history(id, type),
  }),
});

const startRoute = defineRoute({
  ...write,
  path: "/api/governance/projects/:id/builds",
  operation: "start_build",
  summary: "Start a build, which pins the newest version of each of the project's contracts.",
  effect: "add",
  names: "contract-project",
  params: ofProject,
  output: build,
  status: 201,
  about: aboutProject,
  run: ({ builds }: GovernanceRouteServices, { params }, call) => builds.start(call, params.id),
});

const buildsRoute = defineRoute({
  ...read,
  path: "/api/governance/projects/:id/builds",
  operation: "list_builds",
  summary: "List a project's builds, newest first.",
  names: "contract-project",
  params: ofProject,
  output: z.object({ builds: z.array(build) }),
  run: async ({ builds }: GovernanceRouteServices, { params }) => ({ builds: await builds.list(params.id) }),
});

const buildRoute = defineRoute({
  ...read,
  path: "/api/governance/builds/:id",
  operation: "show_build",
  summary: "Show a build.",
  names: "build",
  params: ofBuild,
  output: build,
  run: ({ builds }: GovernanceRouteServices, { params }) => builds.get(params.id),
});

const closeRoute = defineRoute({
  ...write,
  path: "/api/governance/builds/:id/close",
  operation: "close_build",
  summary: "Mark a build as finished.",
  effect: "set",
  names: "build",
  params: ofBuild,
  output: build,
  run: ({ builds }: GovernanceRouteServices, { params }, call) => builds.close(call, params.id),
});

const buildContractsRoute = defineRoute({
  ...read,
  path: "/api/mcp/build/:id/contracts",
  operation: "forge_get_build_contracts",
  summary: "Read the contracts that a build has pinned.",
  names: "build",
  params: ofBuild,
  output: buildContracts,
  run: ({ builds }: GovernanceRouteServices, { params }) => builds.contracts(params.id),
});

export const projectRoutes: Route<GovernanceRouteServices>[] = [
  listRoute,
  createRoute,
  contextRoute,
  contractRoute,
  historyRoute,
  putRoute,
  buildsRoute,
  startRoute,
  buildRoute,
  closeRoute,
  buildContractsRoute,
];
