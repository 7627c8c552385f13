import type { TicketFormat } from "../../model/limits.ts";

const maxSlug = 60;
const endings: Record<TicketFormat, string> = { json: "json", xml: "xml", markdown: "md" };

const formatsByEnding: [ending: string, format: TicketFormat][] = [
  [".json", "json"],
  [".xml", "xml"],
  [".md", "markdown"],
  [".markdown", "markdown"],
];

export function formatOfName(file: string | undefined): TicketFormat | undefined {
  const name = file?.toLowerCase() ?? "";
  return formatsByEnding.find(([ending]) => name.endsWith(ending))?.[1];
}

/** A name for every file system: whatever the ticket's text is, the file stays in the folder. */
export function fileNameFor({ id, slug }: { id: string; slug: string }, format: TicketFormat): string {
  const words = slug
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, maxSlug)
    .replace(/^-/, "")
    .replace(/-$/, "");
  const start = id.replace(/[^A-Za-z0-9_-]/g, "-");
  return `${words === "" ? start : `${start}-${words}`}.${endings[format]}`;
}
