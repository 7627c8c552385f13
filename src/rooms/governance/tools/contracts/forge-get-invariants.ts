import * as z from "zod";
import { defineTool } from "../../../../kernel/definitions/tool.ts";
import { composeInvariants } from "../../contracts/compose.ts";
import { noteSharedContracts } from "../../contracts/note-shared.ts";
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
  async run(services: GovernanceServices, _input, call) {
    await noteSharedContracts(services, call);
    return composeInvariants(services.contracts, call.signal);
  },
});
