import * as z from "zod";
import { defineTool } from "../../../../kernel/definitions/tool.ts";
import { composeInvariants } from "../../contracts/compose.ts";
import { invariantList } from "../../model/schemas.ts";
import type { GovernanceServices } from "../../model/services.ts";

export const forgeGetInvariants = defineTool({
  name: "forge_get_invariants",
  title: "List invariants",
  description: "List the numbers that a change must not make worse, such as failing tests, and their constraints.",
  effect: "read",
  untrusted: "repository",
  input: z.object({}),
  output: invariantList,
  run: ({ contracts }: GovernanceServices, _input, { signal }) => composeInvariants(contracts, signal),
});
