import { ForgeError } from "../../../kernel/errors.ts";
import type { TicketDocument } from "../model/ticket.ts";
import type { ImportedTicket, ImportOutcome } from "../service/tickets.ts";
import { partlyImported } from "./errors.ts";

/** What one request can carry. */
const maxTickets = 100;
const maxBytes = 900_000;

type Batch = { source: string; documents: TicketDocument[]; bytes: number };

/** Sends tickets in as few requests as possible. Each is all or nothing; if a later one fails, the error says what was imported. */
export async function importInBatches(
  tickets: readonly ImportedTicket[],
  send: (documents: TicketDocument[], source: string) => Promise<ImportOutcome[]>,
): Promise<ImportOutcome[]> {
  const outcomes: ImportOutcome[] = [];
  for (const { documents, source } of batchesOf(tickets)) {
    try {
      outcomes.push(...(await send(documents, source)));
    } catch (error) {
      throw outcomes.length > 0 && error instanceof ForgeError ? partlyImported(error, outcomes) : error;
    }
  }
  return outcomes;
}

function batchesOf(tickets: readonly ImportedTicket[]): Batch[] {
  const batches: Batch[] = [];
  for (const { document, source } of tickets) {
    const bytes = Buffer.byteLength(JSON.stringify(document));
    const last = batches.at(-1);
    const fits = last?.source === source && last.documents.length < maxTickets && last.bytes + bytes <= maxBytes;
    if (last && fits) {
      last.documents.push(document);
      last.bytes += bytes;
    } else batches.push({ source, documents: [document], bytes });
  }
  return batches;
}
