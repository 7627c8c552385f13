import * as z from "zod";
import { defineTool } from "../../../../kernel/definitions/tool.ts";
import { readContractText } from "../../contracts/contract-text.ts";
import { noServer } from "../../model/errors.ts";
import type { GovernanceServices } from "../../model/services.ts";

export const pushContracts = defineTool({
  name: "push_contracts",
  title: "Share contracts with the team",
  description: "Saves the contracts in Forge/Contracts on your team's server, where all its projects can read them.",
  effect: "send",
  surfaces: ["cli"],
  input: z.object({}),
  output: z.object({ pushed: z.array(z.object({ name: z.string(), version: z.number().int() })) }),
  async run(services: GovernanceServices, _input, call) {
    const { client, files } = services;
    if (!client) throw noServer();
    const entries = (await files.list()).filter(({ available }) => available);
    const contracts = await Promise.all(
      entries.map(async ({ name }) => ({ name, text: (await readContractText(services, name, call.signal)).text })),
    );
    const { pushContracts: push } = await import("../../remote/push-contracts.ts");
    return { pushed: await push(client, call, contracts) };
  },
});
