import { ForgeError } from "../../../kernel/errors.ts";
import type { TicketDocument } from "../model/ticket.ts";
import type { ImportedTicket, ImportOutcome } from "../service/tickets.ts";

/** A request takes at most so many tickets, and so many bytes of JSON. */
const most = { tickets: 100, bytes: 900_000 };

type Batch = { source: string; documents: TicketDocument[]; bytes: number };

/** Sends tickets in as few requests as fit. Each is all or nothing; where a later one fails, what went before is told. */
export async function importInBatches(
  tickets: readonly ImportedTicket[],
  send: (documents: TicketDocument[], source: string) => Promise<ImportOutcome[]>,
): Promise<ImportOutcome[]> {
  const outcomes: ImportOutcome[] = [];
  for (const { documents, source } of batchesOf(tickets)) {
    try {
      outcomes.push(...(await send(documents, source)));
    } catch (error) {
      throw outcomes.length === 0 ? error : halfDone(error, outcomes);
    }
  }
  return outcomes;
}

function batchesOf(tickets: readonly ImportedTicket[]): Batch[] {
  const batches: Batch[] = [];
  for (const { document, source } of tickets) {
    const bytes = Buffer.byteLength(JSON.stringify(document));
    const last = batches.at(-1);
    const fits = last?.source === source && last.documents.length < most.tickets && last.bytes + bytes <= most.bytes;
    if (last && fits) {
      last.documents.push(document);
      last.bytes += bytes;
    } else batches.push({ source, documents: [document], bytes });
  }
  return batches;
}

function halfDone(error: unknown, outcomes: readonly ImportOutcome[]): unknown {
  if (!(error instanceof ForgeError)) return error;
  return new ForgeError(
    error.code,
    `The first ${outcomes.length} tickets were brought in, the others not: ${error.message}`,
    {
      details: { ...error.details, outcome: "partial", outcomes },
      next: [...(error.next ?? []), "Then import the same again; with `skip` those that are there are left alone."],
    },
  );
}
