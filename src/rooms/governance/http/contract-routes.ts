import * as z from "zod";
import { defineRoute, type Route } from "../../../kernel/definitions/route.ts";
import { composeInvariants, composeSummary } from "../contracts/compose.ts";
import type { ContractName } from "../model/contract-names.ts";
import { contractText } from "../model/project-schemas.ts";
import { contract, contractEntry, contractName, invariantList } from "../model/schemas.ts";
import type { GovernanceRouteServices } from "./services.ts";

const [noParams, noQuery] = [z.object({}), z.object({})];
const read = {
  method: "GET",
  scope: "governance:read",
  effect: "read",
  names: "none",
  params: noParams,
  query: noQuery,
} as const;

const listRoute = defineRoute({
  ...read,
  path: "/forge/contracts",
  operation: "forge_list_contracts",
  summary: "List the contracts that the team's projects share.",
  output: z.object({ contracts: z.array(contractEntry), total: z.number().int() }),
  async run({ contracts }: GovernanceRouteServices) {
    const entries = await contracts.list();
    return { contracts: entries, total: entries.length };
  },
});

const getRoute = defineRoute({
  ...read,
  path: "/forge/contracts/:id",
  operation: "forge_get_contract",
  summary: "Read a contract that the team's projects share.",
  names: "contract",
  params: z.object({ id: contractName }),
  output: contract,
  run: ({ contracts }: GovernanceRouteServices, { params }) => contracts.get(params.id),
});

const summaryRoute = defineRoute({
  ...read,
  path: "/forge/summary",
  operation: "forge_summary",
  summary: "An overview of the contracts, layers and invariants.",
  output: z.looseObject({ framework: z.string() }),
  run: ({ contracts }: GovernanceRouteServices, _input, { signal }) => composeSummary(contracts, signal),
});

const invariantsRoute = defineRoute({
  ...read,
  path: "/forge/invariants",
  operation: "forge_get_invariants",
  summary: "List the invariants and the kinds of constraints.",
  output: invariantList,
  run: ({ contracts }: GovernanceRouteServices, _input, { signal }) => composeInvariants(contracts, signal),
});

const shortcut = (path: string, name: ContractName) =>
  defineRoute({
    ...read,
    path,
    summary: `The same as /forge/contracts/${name}.`,
    output: contract,
    run: ({ contracts }: GovernanceRouteServices) => contracts.get(name),
  });

const putRoute = defineRoute({
  method: "POST",
  path: "/api/governance/contracts",
  summary: "Save a new version of a contract that the team's projects share.",
  scope: "governance:write",
  effect: "set",
  names: "none",
  params: noParams,
  query: noQuery,
  body: z.strictObject({ name: contractName, content: contractText }),
  output: z.object({ name: contractName, version: z.number().int() }),
  run: ({ contracts }: GovernanceRouteServices, { body }, call) => contracts.put(call, body.name, body.content),
});

export const contractRoutes: Route<GovernanceRouteServices>[] = [
  listRoute,
  getRoute,
  summaryRoute,
  invariantsRoute,
  shortcut("/forge/boundaries", "boundaries"),
  shortcut("/forge/physics", "physics"),
  shortcut("/forge/directive", "builder_directive"),
  shortcut("/forge/stack", "stack"),
  putRoute,
];
