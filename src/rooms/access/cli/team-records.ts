import type * as z from "zod";
import { commandFor } from "../../../commons/cli/command-for.ts";
import { printList } from "../../../commons/cli/print/list.ts";
import { localTime } from "../../../commons/cli/print/local-time.ts";
import type { Column } from "../../../commons/cli/print/table.ts";
import { readSince } from "../../../commons/cli/since.ts";
import type { auditEntrySchema, teamEntrySchema } from "../model/schemas.ts";
import type { listAudit } from "../tools/list-audit.ts";
import type { listTeamLedger } from "../tools/list-team-ledger.ts";
import { serverSettings } from "./server-settings.ts";

const ledgerColumns: Column<z.output<typeof teamEntrySchema>>[] = [
  { title: "WHEN", cell: ({ at }) => localTime(at) },
  { title: "OUTCOME", cell: ({ outcome }) => outcome },
  { title: "WHAT", cell: ({ kind, name }) => (kind === "tool" ? name : `${kind} ${name}`), shrinks: true },
  { title: "WHO", cell: ({ user, principal }) => user ?? principal, shrinks: true },
  { title: "WITH", cell: ({ agent }) => agent ?? "", shrinks: true },
  { title: "ABOUT", cell: aboutText },
];

/** All of them are about the team. */
function aboutText({ about, evidence, code = "" }: z.output<typeof teamEntrySchema>): string {
  return [code, ...about.filter((item) => !item.startsWith("team:")), ...evidence].join(" ").trim();
}

export const teamLedger = commandFor<typeof listTeamLedger>({
  tool: "list_team_ledger",
  name: "team ledger",
  summary: "Show the team's ledger",
  examples: [
    ["forge team ledger --since 1d", "What was done since yesterday."],
    ["forge team ledger --limit 500 --json", "More of it, for a script."],
  ],
  settings: serverSettings,
  group: "server",
  options: { limit: { short: "n" }, since: { value: "TIME" } },
  toInput({ since, ...given }) {
    if (since === undefined) return given;
    return { ...given, since: new Date(readSince(String(since), Date.now())).toISOString() };
  },
  print: (entries, out) => printList({ columns: ledgerColumns, rows: entries, none: "No entries." }, out),
});

const auditColumns: Column<z.output<typeof auditEntrySchema>>[] = [
  { title: "WHEN", cell: ({ at }) => localTime(at) },
  { title: "WHO", cell: ({ user, actor }) => user ?? actor, shrinks: true },
  { title: "ACTION", cell: ({ action }) => action },
  { title: "TARGET", cell: ({ target }) => target, shrinks: true },
  { title: "DETAILS", cell: ({ details }) => detailsText(details) },
];

export const teamAudit = commandFor<typeof listAudit>({
  tool: "list_audit",
  name: "team audit",
  summary: "Show the team's audit log",
  examples: [
    ["forge team audit", "Sign-ins and changes of rights."],
    ["forge team audit --json --limit 1000", "More of it, for a script."],
  ],
  settings: serverSettings,
  group: "server",
  options: { limit: { short: "n" } },
  print({ entries, intact }, out) {
    printList({ columns: auditColumns, rows: entries, none: "No entries." }, out);
    if (!intact) out.note(`${out.style.red("warning:")} the log was changed after it was written.`);
  },
  exitCode: ({ intact }) => (intact ? 0 : 1),
});

function detailsText(details: Record<string, unknown>): string {
  return Object.entries(details)
    .map(([name, value]) => `${name}=${typeof value === "string" ? value : JSON.stringify(value)}`)
    .join(" ");
}
