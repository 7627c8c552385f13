import { once } from "../../kernel/definitions/room.ts";
import type { GovernanceServices } from "../../rooms/governance/model/services.ts";
import type { MemoryServices } from "../../rooms/memory/model/services.ts";
import type { ProofServices } from "../../rooms/proof/service/proof.ts";
import type { TicketServices } from "../../rooms/tickets/service/tickets.ts";
import type { WorkbenchServices } from "../../rooms/workbench/model/services.ts";

type ServicesOf = (room: string) => Promise<unknown>;

/** What rooms need of each other, by the room that needs it. Each declares what it expects; here it is put together. */
const adapters: Record<string, (services: ServicesOf) => Promise<unknown>> = {
  "workbench.tickets": async (services) => {
    const { makeTicketItems } = await import("../../rooms/tickets/service/ports/ticket-items.ts");
    return makeTicketItems((await services("tickets")) as TicketServices);
  },
  "workbench.failures": async (services) => {
    const { makeKnownFailures } = await import("../../rooms/memory/failures/known-failures.ts");
    return makeKnownFailures((await services("memory")) as MemoryServices);
  },
  "tickets.workbench": async (services) => {
    const { makeTicketExecutions } = await import("../../rooms/workbench/executions/tickets/ticket-executions.ts");
    return makeTicketExecutions((await services("workbench")) as WorkbenchServices);
  },
  "governance.writes": async (services) => ((await services("workbench")) as WorkbenchServices | undefined)?.hasWritten,
  "proof.tickets": async (services) => {
    const { makeProofTickets } = await import("../../rooms/tickets/service/ports/proof-tickets.ts");
    return makeProofTickets((await services("tickets")) as TicketServices);
  },
  "proof.rules": async (services) => {
    const { makeProofRules } = await import("../../rooms/governance/check/proof-rules.ts");
    const governance = (await services("governance")) as GovernanceServices | undefined;
    return governance && makeProofRules(governance);
  },
  "tickets.proof": async (services) => ((await services("proof")) as ProofServices | undefined)?.proof,
};

/** Opens ports by name, each once: nearly every call asks for one. */
export function makePorts(services: ServicesOf): (name: string) => Promise<unknown> | undefined {
  const ports = new Map(Object.entries(adapters).map(([name, open]) => [name, once(() => open(services))]));
  return (name) => ports.get(name)?.();
}
