import { defineCommand } from "../../../../kernel/command.ts";
import { priorities, ticketTypes } from "../../../../rooms/tickets/model/bounds.ts";
import type { App } from "../../app.ts";
import { ticketSettings } from "./ticket-argument.ts";

export const list = defineCommand({
  name: "list",
  summary: "Find tickets: live on a terminal, as lines on a pipe",
  details:
    "The newest first. On a terminal it is a list to move and filter in; --plain prints a table instead. On a pipe it is a " +
    "line a ticket: id, status, title and assignee, with tabs between them. Archived tickets are left out unless asked for.",
  examples: [
    ["forge list", "The tickets of this project."],
    ["forge list login --status ready,created --assignee me", "Mine about the login, in these statuses."],
    ["forge list --all --json", "Archived ones too, for a script."],
  ],
  arguments: [{ name: "text", required: false, help: "Only tickets in which these words stand." }],
  options: {
    status: { type: "list", value: "LIST", help: "Only in these statuses; names separated by commas." },
    assignee: { type: "string", value: "NAME", help: "Only tickets of this person; `me` is you." },
    priority: { type: "string", choices: priorities, help: "Only of this priority." },
    type: { type: "string", choices: ticketTypes, help: "Only of this type." },
    all: { type: "boolean", help: "Archived tickets too." },
    limit: { type: "number", short: "n", integer: true, min: 1, max: 200, help: "How many at most.", default: 50 },
    cursor: { type: "string", help: "Go on where the page before ended, as it said." },
    plain: { type: "boolean", help: "Print a table, on a terminal and on a pipe." },
    tsv: { type: "boolean", help: "Print lines with tabs, also on a terminal." },
  },
  settings: ticketSettings,
  group: "tickets",
  async complete(_app: App, { option, typed }) {
    if (option === "assignee") return [{ value: "me", help: "You" }];
    if (option !== "status") return [];
    const { statuses } = await import("./work/index.ts");
    const before = typed.slice(0, typed.lastIndexOf(",") + 1);
    return statuses.map((status) => ({ value: before + status }));
  },
  async run(app: App, { positionals: [text], options }, out) {
    const { listFilter, runList } = await import("./work/index.ts");
    const wanted = { ...options, text };
    const terminal = out.json || options.plain || options.tsv ? undefined : app.terminal;
    if (!terminal) return runList(app, wanted, out);
    const { liveList } = await import("../../live-list/index.ts");
    return liveList(app, listFilter(wanted), out, terminal);
  },
});
