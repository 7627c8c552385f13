import { statuses } from "../../model/status.ts";
import type { TicketDesk, TicketFormat } from "../desk.ts";

/** A ticket and the words its file is named by. */
export type NamedTicket = { id: string; slug: string };

const pageSize = 200;
const longestSlug = 60;
const endings: Record<TicketFormat, string> = { json: "json", xml: "xml", markdown: "md" };

type Every = { tickets: NamedTicket[]; stale: string | undefined; incomplete: boolean };

/** Archived ones too, and since when the list of them is old where it is. */
export async function everyTicket(desk: TicketDesk): Promise<Every> {
  const found = new Map<string, NamedTicket>();
  let cursor: string | undefined;
  let stale: string | undefined;
  let incomplete = false;
  do {
    const page = await desk.list({ status: [...statuses], limit: pageSize, ...(cursor !== undefined && { cursor }) });
    for (const { id, title, slug = title } of page.tickets) found.set(id, { id, slug });
    stale ??= page.stale;
    incomplete ||= page.incomplete ?? false;
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return { tickets: [...found.values()], stale, incomplete };
}

/** A name for every file system: whatever the ticket says, it stays one name in the folder. */
export function fileNameOf({ id, slug }: NamedTicket, format: TicketFormat): string {
  const words = slug
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, longestSlug)
    .replace(/^-/, "")
    .replace(/-$/, "");
  const start = id.replace(/[^A-Za-z0-9_-]/g, "-");
  return `${words === "" ? start : `${start}-${words}`}.${endings[format]}`;
}
