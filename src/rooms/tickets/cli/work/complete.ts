import type { App } from "../../../../commons/cli/app.ts";
import type { Output } from "../../../../kernel/command.ts";
import { ForgeError } from "../../../../kernel/errors.ts";
import { plain } from "../../../../platform/terminal/text.ts";
import type { CompletionReport } from "../desk.ts";
import { deskForResult } from "../desk-for-result.ts";
import { doneInShort } from "../text/done-lines.ts";

type Wanted = { id: string; summary: string | undefined; divergence: string[] | undefined };

export async function runComplete(app: App, { id, summary, divergence = [] }: Wanted, out: Output): Promise<number> {
  const divergences = divergence.map(divergenceFrom);
  const ticket = await (await deskForResult(app)).complete(id, { summary, divergences });
  const { document: _document, ...shown } = ticket;
  out.data(shown, ({ changeRecord }) => `${plain(ticket.id)} is ${ticket.status}: ${doneInShort(changeRecord)}.`);
  return 0;
}

function divergenceFrom(word: string): CompletionReport["divergences"][number] {
  const [area = "", intended = "", actual = "", justification = "", ...rest] = word
    .split("|")
    .map((part) => part.trim());
  if ([area, intended, actual, justification].includes("") || rest.length > 0) throw notFourParts(word);
  return { area, intended, actual, justification };
}

function notFourParts(word: string): ForgeError {
  return new ForgeError(
    "VALIDATION_ERROR",
    `--divergence cannot be "${word.slice(0, 64)}"; it is four texts with | between them.`,
    { next: ['Write it like --divergence "session|a day|an hour|the auditors asked for it".'] },
  );
}
