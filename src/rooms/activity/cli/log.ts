import type { ActivityLog, App, LogFilter } from "../../../commons/cli/app.ts";
import { localTime } from "../../../commons/cli/print/local-time.ts";
import { type Column, table } from "../../../commons/cli/print/table.ts";
import { readSince } from "../../../commons/cli/since.ts";
import { callerIn } from "../../../commons/ledger/model.ts";
import { outcomeColours } from "../../../commons/ledger/outcome-colours.ts";
import type { CallRecord } from "../../../kernel/calls/call.ts";
import { defineCommand, type Output } from "../../../kernel/definitions/command.ts";
import { plainJson } from "../../../platform/terminal/text.ts";
import type { ActivityServices } from "../open.ts";

const columns: Column<CallRecord>[] = [
  { title: "WHEN", width: 19, cell: ({ at }) => localTime(at) },
  { title: "OUTCOME", width: 11, cell: ({ outcome }) => outcome, paint: ({ outcome }) => outcomeColours[outcome] },
  { title: "TOOK", width: 8, align: "right", cell: ({ durationMs }) => `${Math.round(durationMs)} ms` },
  { title: "WHAT", width: 24, cell: ({ kind, name }) => (kind === "tool" ? name : `${kind} ${name}`), shrinks: true },
  { title: "WHO", width: 12, cell: callerIn, shrinks: true },
  { title: "ABOUT", cell: ({ about, evidence, code }) => [code ?? "", ...about, ...evidence].join(" ").trim() },
];

export const log = defineCommand({
  name: "log",
  summary: "Show what assistants did in this project",
  details:
    "Every call leaves one entry in the ledger: when it was made, its outcome, how long it took, who called what, and what it " +
    "was about (a ticket, a file, a commit). Entries are shown oldest first.",
  examples: [
    ["forge log --follow", "Watch an assistant live. Press Ctrl+C to stop."],
    ["forge log --since 1h --tool get_repository_context", "Calls of one tool in the last hour."],
    ["forge log --about ticket:T-001 --json", "Everything about a ticket, for a script."],
  ],
  options: {
    follow: { type: "boolean", short: "f", help: "Keep showing new entries, until Ctrl+C." },
    limit: {
      type: "number",
      short: "n",
      integer: true,
      min: 0,
      max: 10_000,
      value: "N",
      help: "Number of entries.",
      default: 50,
    },
    since: { type: "string", value: "TIME", help: "Only entries since then: 30m, 1h, 2d, or a date like 2026-11-01." },
    tool: { type: "string", value: "NAME", help: "Only calls of this tool, prompt or resource." },
    about: { type: "string", value: "REF", help: "Only calls about this, as KIND:ID: ticket:T-001, file:src/main.ts." },
  },
  settings: ["project", "databaseUrl", "ledgerDays"],
  group: "look",
  complete: async (app: App, { option }) =>
    option === "tool"
      ? app.tools.catalog.flatMap(({ tools }) => tools.map(({ name, title }) => ({ value: name, help: title })))
      : [],
  async run(app: App, { options }, out) {
    const filter: LogFilter = {
      limit: options.limit,
      since: options.since === undefined ? undefined : readSince(options.since, Date.now()),
      name: options.tool,
      about: options.about,
    };
    const { ledger } = await app.room<ActivityServices>("activity");
    if (options.follow) return follow(ledger, filter, out);
    const entries = await ledger.latest(filter);
    out.data(entries, () => (entries.length === 0 ? "No entries." : table(columns, entries, out)));
    return 0;
  },
});

/** Listens before it reads, so that no entry is missed in between; what comes twice is shown once. */
async function follow(ledger: ActivityLog, filter: LogFilter, out: Output): Promise<number> {
  const coming = ledger.follow(filter, out.signal)[Symbol.asyncIterator]();
  let next = coming.next();
  next.catch(() => {});
  const shown = new Set<string>();
  for (const entry of await ledger.latest(filter)) {
    shown.add(`${entry.id} ${entry.outcome}`);
    showLine(entry, out);
  }
  for (let step = await next; !step.done && !out.signal.aborted; step = await next) {
    if (!shown.has(`${step.value.id} ${step.value.outcome}`)) showLine(step.value, out);
    next = coming.next();
  }
  return 0;
}

function showLine(entry: CallRecord, out: Output): void {
  out.print(out.json ? plainJson(JSON.stringify(entry)) : table(columns, [entry], out, { header: false }));
}
