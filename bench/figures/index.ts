import type { Effort } from "../effort.ts";
import type { Row } from "../row.ts";
import type { Workshop } from "../workshop.ts";
import { measureBoard } from "./board.ts";
import { measureCalls } from "./calls.ts";
import { measureCli } from "./cli.ts";
import { measureExec } from "./exec.ts";
import { measureFiles } from "./files.ts";
import { measureGovernance } from "./governance.ts";
import { measureMemory } from "./memory.ts";
import { measureProof } from "./proof.ts";
import { measureRegistry } from "./registry.ts";
import { measureRegistrySupply } from "./registry-supply.ts";
import { measureRepository } from "./repository.ts";
import { measureServer } from "./server.ts";
import { measureStart } from "./start.ts";
import { measureStore } from "./store.ts";
import { measureTicketWriters } from "./ticket-writers.ts";
import { measureTickets } from "./tickets.ts";
import { measureWorkbench } from "./workbench.ts";

export type Figure = { rows: Row[]; samples: object };

/** In the order they are measured and shown. */
export const figures: Record<string, (workshop: Workshop, effort: Effort) => Promise<Figure>> = {
  starts: measureStart,
  calls: measureCalls,
  repository: measureRepository,
  store: ({ env }, effort) => measureStore(env, effort),
  files: measureFiles,
  exec: (_workshop, effort) => measureExec(effort),
  cli: measureCli,
  tickets: measureTickets,
  writers: measureTicketWriters,
  server: measureServer,
  workbench: measureWorkbench,
  registry: measureRegistry,
  memory: measureMemory,
  governance: measureGovernance,
  proof: measureProof,
  supply: measureRegistrySupply,
  board: measureBoard,
};
