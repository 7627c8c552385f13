import type { TicketFormat } from "../../model/limits.ts";

/** Part of a file that is imported at once; `place` says which tickets it contains, if it is not all of them. */
export type Batch = { text: string; place: string | undefined; tickets: number };

/** With more characters, one transaction would keep other writers waiting. */
const maxCharacters = 400_000;

/** Splits a long JSON array into parts of complete tickets; everything else is one part. Errors are left to the reader. */
export function splitBatches(text: string, format: TicketFormat | undefined): Batch[] {
  const tickets = text.length > maxCharacters ? arrayIn(text, format) : undefined;
  if (!tickets) return [{ text, place: undefined, tickets: 1 }];
  const batches: Batch[] = [];
  let parts: string[] = [];
  let size = 0;
  const close = (end: number) => {
    const first = end - parts.length + 1;
    const place = first === end ? `ticket ${end}` : `tickets ${first} to ${end}`;
    batches.push({ text: `[${parts.join(",\n")}]`, place, tickets: parts.length });
    parts = [];
    size = 0;
  };
  for (const [index, ticket] of tickets.entries()) {
    const part = JSON.stringify(ticket);
    if (parts.length > 0 && size + part.length > maxCharacters) close(index);
    parts.push(part);
    size += part.length;
  }
  if (parts.length > 0) close(tickets.length);
  return batches;
}

function arrayIn(text: string, format: TicketFormat | undefined): unknown[] | undefined {
  if ((format !== undefined && format !== "json") || !/^\uFEFF?\s*\[/.test(text)) return undefined;
  try {
    const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ""));
    return Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
