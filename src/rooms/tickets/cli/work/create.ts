import type { App } from "../../../../commons/cli/app.ts";
import { missingArgument } from "../../../../commons/cli/usage-errors.ts";
import { anyOf } from "../../../../kernel/closest.ts";
import type { Output } from "../../../../kernel/command.ts";
import { ForgeError } from "../../../../kernel/errors.ts";
import type { AskLine } from "../../../../platform/terminal/ask-line.ts";
import { plain } from "../../../../platform/terminal/text.ts";
import { fileActions, priorities, ticketTypes } from "../../model/limits.ts";
import { allowedMoves, requireStatus, type Status } from "../../model/status.ts";
import type { FileChange, TicketDraft } from "../../model/ticket.ts";
import { choiceOf } from "../choice.ts";
import { deskForResult } from "../desk-for-result.ts";

type Wanted = {
  title: string | undefined;
  description: string | undefined;
  problem: string | undefined;
  solution: string | undefined;
  criterion: string[] | undefined;
  file: string[] | undefined;
  type: string | undefined;
  priority: string | undefined;
  assignee: string | undefined;
  status: string | undefined;
};

/** Where a new ticket may begin. */
export function draftStatuses(): Status[] {
  return ["DRAFT", ...allowedMoves("DRAFT", undefined)];
}

export async function runCreate(app: App, wanted: Wanted, out: Output): Promise<number> {
  const status = wanted.status === undefined ? undefined : requireStatus(wanted.status);
  const desk = await deskForResult(app);
  const { title, criterion } = await titled(app, wanted, out);
  const ticket = await desk.create(draftFrom({ ...wanted, criterion }, title), status);
  const { document: _document, ...shown } = ticket;
  out.data(shown, ({ id }) => plain(id));
  if (!out.json && out.width !== undefined)
    out.note(
      `Written as ${ticket.status}. \`forge show ${plain(ticket.id)}\` shows it, \`forge edit\` goes on with it.`,
    );
  return 0;
}

type Titled = { title: string; criterion: string[] | undefined };

async function titled({ ask }: App, { title, criterion }: Wanted, out: Output): Promise<Titled> {
  if (title !== undefined) return { title, criterion };
  if (!ask || out.json) {
    throw missingArgument({ name: "title", required: true, help: "What will be different, in one line." }, "create");
  }
  const asked = await askTitle(ask, out);
  return { title: asked, criterion: criterion ?? (await askCriteria(ask, out)) };
}

async function askTitle(ask: AskLine, out: Output): Promise<string> {
  for (;;) {
    const answer = await ask("Title, what will be different: ", out.signal);
    if (answer === undefined) throw new ForgeError("CANCELLED", "No ticket was written.");
    if (answer.trim() !== "") return answer.trim();
  }
}

/** Ends with an empty line; where the person goes away instead, nothing is to be written. */
async function askCriteria(ask: AskLine, out: Output): Promise<string[]> {
  out.note("What must be true when it is done? One sentence a line; an empty line ends.");
  const criteria: string[] = [];
  for (;;) {
    const answer = await ask(`  AC-${criteria.length + 1}: `, out.signal);
    if (answer === undefined) throw new ForgeError("CANCELLED", "No ticket was written.");
    if (answer.trim() === "") return criteria;
    criteria.push(answer.trim());
  }
}

function draftFrom(wanted: Wanted, title: string): TicketDraft {
  const { description, problem, solution, criterion, file, assignee } = wanted;
  const type = choiceOf(ticketTypes, wanted.type);
  const priority = choiceOf(priorities, wanted.priority);
  return {
    title,
    ...(description !== undefined && { description }),
    ...(problem !== undefined && { problemStatement: problem }),
    ...(solution !== undefined && { solution }),
    ...(criterion && { acceptanceCriteria: criterion }),
    ...(file && { fileChanges: file.map(fileChangeFrom) }),
    ...(type && { type }),
    ...(priority && { priority }),
    ...(assignee !== undefined && { assignee }),
  };
}

/** `create:PATH`, `delete:PATH`; a path alone is of a file to modify. */
function fileChangeFrom(word: string): FileChange {
  const [, prefix] = /^([A-Za-z]{2,}):/.exec(word) ?? [];
  if (prefix === undefined) return { path: word, action: "modify" };
  const action = choiceOf(fileActions, prefix);
  if (!action) throw noAction(prefix, word);
  return { path: word.slice(prefix.length + 1), action };
}

function noAction(prefix: string, word: string): ForgeError {
  return new ForgeError(
    "VALIDATION_ERROR",
    `--file cannot begin with "${prefix.slice(0, 64)}:"; what is done to a file is ${anyOf(fileActions)}.`,
    { next: [`Where that is part of the path, write --file modify:${word.slice(0, 64)}`] },
  );
}
