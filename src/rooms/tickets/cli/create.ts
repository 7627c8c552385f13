import type { App } from "../../../commons/cli/app.ts";
import { commandFor } from "../../../commons/cli/command-for.ts";
import { texts } from "../../../commons/cli/json-fields.ts";
import type { Output } from "../../../kernel/definitions/command.ts";
import type { AskLine } from "../../../platform/terminal/ask-line.ts";
import { plain } from "../../../platform/terminal/text.ts";
import { fileActions } from "../model/limits.ts";
import { initialStatuses, requireMove } from "../model/status.ts";
import type { FileChange } from "../model/ticket.ts";
import type { createTicket } from "../tools/create-ticket.ts";
import { createCancelled, titleRequired, unknownFileAction } from "./errors.ts";
import { readStatusWords } from "./status-words.ts";
import { ticketServices, ticketSettings } from "./ticket-argument.ts";

export const create = commandFor<typeof createTicket>({
  tool: "create_ticket",
  name: "create",
  aliases: ["new", "add", "ticket create", "ticket new", "ticket add"],
  summary: "Create a ticket",
  details:
    "Prints the new ticket's id. Without a title, on a terminal, it asks for one and for the acceptance criteria. " +
    "`forge edit` opens the ticket in your editor; `forge import` reads complete tickets from files.",
  examples: [
    ["forge create", "Answer a few questions."],
    ['forge create "Keep people signed in" --criterion "A reload keeps the session."', "Create a draft."],
    ['forge create "Drop the old API" --file delete:src/v1.ts --status ready', "Create one that is ready to start."],
  ],
  settings: ticketSettings,
  group: "tickets",
  common: true,
  arguments: [{ field: "title", required: false, help: "What will be different, in one line." }],
  options: {
    description: { value: "TEXT", help: "Description." },
    problemStatement: { flag: "problem", value: "TEXT", help: "What is wrong or missing today, and for whom." },
    solution: { value: "TEXT", help: "How it will be solved." },
    acceptanceCriteria: { flag: "criterion", value: "TEXT", help: "Acceptance criterion: one checkable sentence." },
    apiChanges: { value: "TEXT", help: "Changes to an API." },
    testPlan: { value: "TEXT", help: "How it will be tested." },
    designRefs: { flag: "design", value: "URL", help: "Link to a design." },
    assumptions: { flag: "assumption", value: "TEXT", help: "Assumption." },
    inScope: { value: "TEXT", help: "Part of the work." },
    outOfScope: { value: "TEXT", help: "Not part of the work." },
    assignee: { value: "NAME", help: "Assignee; `me` is you." },
    labels: { flag: "label", value: "LABEL", help: "Label." },
    dependsOn: { flag: "depends-on", value: "ID", help: "Ticket that has to be done first." },
    // Any name of a status is understood, so the parser does not restrict it.
    status: { value: "STATUS", choices: [], help: "Initial status (default: DRAFT)." },
  },
  own: {
    file: {
      type: "list",
      field: "fileChanges",
      value: "[ACTION:]PATH",
      help: "File the work may change; ACTION is create, modify (default) or delete.",
    },
  },
  complete: async (_app, { option }) =>
    option === "status" ? initialStatuses.map((value) => ({ value })) : option === "assignee" ? [{ value: "me" }] : [],
  async toInput({ status, fileChanges, ...given }, { app, out }) {
    const initial = status === undefined ? undefined : readStatusWords(app).parse(String(status));
    if (initial) requireMove("A new ticket", "DRAFT", initial, undefined);
    const files = fileChanges === undefined ? undefined : texts(fileChanges).map(parseFileChange);
    const draft = typeof given["title"] === "string" ? given : await askDraft(given, app, out);
    return {
      ...draft,
      title: String(draft["title"]),
      ...(files && { fileChanges: files }),
      ...(initial && { status: initialStatuses.find((known) => known === initial) }),
    };
  },
  async json({ ticketId }, { app }) {
    const { document: _, ...ticket } = await (await ticketServices(app)).tickets.get(ticketId);
    return ticket;
  },
  print({ ticketId, status }, out, { app }) {
    const id = plain(ticketId);
    out.print(id);
    if (out.width === undefined) return;
    const next = status === "DRAFT" ? `\`forge edit ${id}\`, or \`forge status ${id} ready\`` : `\`forge show ${id}\``;
    out.note(`Created ${id} (${readStatusWords(app).show(status)}). Next: ${next}.`);
  },
});

/** `create:PATH`, `delete:PATH`; without an action it is `modify`. */
function parseFileChange(word: string): FileChange {
  const [, prefix] = /^([A-Za-z]{2,}):/.exec(word) ?? [];
  if (prefix === undefined) return { path: word, action: "modify" };
  const action = fileActions.find((known) => known === prefix);
  if (!action) throw unknownFileAction(prefix, word);
  return { path: word.slice(prefix.length + 1), action };
}

/** Title and criteria from the person at the terminal. */
async function askDraft(given: Record<string, unknown>, app: App, out: Output): Promise<Record<string, unknown>> {
  const { ask } = app.terminal;
  if (!ask || out.json) throw titleRequired();
  app.failOnSignals();
  const title = await askTitle(ask, out);
  const criteria = given["acceptanceCriteria"] ?? (await askCriteria(ask, out));
  return { ...given, title, acceptanceCriteria: criteria };
}

async function askTitle(ask: AskLine, out: Output): Promise<string> {
  for (;;) {
    const answer = await ask("Title: ", out.signal);
    if (answer === undefined) throw createCancelled();
    if (answer.trim() !== "") return answer.trim();
  }
}

async function askCriteria(ask: AskLine, out: Output): Promise<string[]> {
  out.note("Acceptance criteria: one per line; press Enter on an empty line to finish.");
  const criteria: string[] = [];
  for (;;) {
    const answer = await ask(`  AC-${criteria.length + 1}: `, out.signal);
    if (answer === undefined) throw createCancelled();
    if (answer.trim() === "") return criteria;
    criteria.push(answer.trim());
  }
}
