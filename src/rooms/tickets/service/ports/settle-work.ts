import { randomUUID } from "node:crypto";
import type { Call } from "../../../../kernel/calls/call.ts";
import { newRecord } from "../../../../kernel/calls/new-record.ts";
import { ForgeError } from "../../../../kernel/errors.ts";
import { allows } from "../../../../kernel/principal.ts";
import type { Work } from "../../model/records/schema.ts";
import type { Ticket } from "../../model/ticket.ts";
import type { TicketServices } from "../tickets.ts";

type SettleServices = Pick<TicketServices, "tickets" | "workbench">;

/**
 * The ticket with what became of its work. An execution can end without the ticket being told: its merge waited in the queue, the
 * process was killed right after the merge, or the server was away.
 */
export async function settleWork(services: SettleServices, call: Call, ticket: Ticket): Promise<Ticket> {
  const { work = [] } = ticket.records ?? {};
  const open = work.filter(({ status }) => status === "started").map(({ execution }) => execution);
  if (open.length === 0) return ticket;
  const ended = (await (await services.workbench())?.endedWork(open)) ?? [];
  if (ended.length === 0) return ticket;
  await recordEnds(services, call, ticket.id, ended);
  const ends = new Map(ended.map((one) => [one.execution, one]));
  return {
    ...ticket,
    records: { ...ticket.records, work: work.map((one) => ({ ...one, ...ends.get(one.execution) })) },
  };
}

/** Where that is not possible, the next read tries again. */
async function recordEnds({ tickets }: SettleServices, call: Call, id: string, ended: readonly Work[]): Promise<void> {
  const { principal } = call;
  if (!allows(principal, "tickets:write")) return;
  try {
    for (const work of ended) {
      const begun = { id: randomUUID(), at: Date.now(), kind: "command", name: "forge merge", effect: "act" } as const;
      await tickets.record({ principal, record: newRecord(principal, begun) }, id, { kind: "work", work });
    }
  } catch (error) {
    if (!(error instanceof ForgeError) || error.code === "CANCELLED") throw error;
    call.log("warning", `The result of the work on ${id} was not recorded: ${error.message}`);
  }
}
