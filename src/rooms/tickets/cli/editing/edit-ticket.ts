import type * as z from "zod";
import type { App, Draft } from "../../../../commons/cli/app.ts";
import { describeEnd } from "../../../../commons/cli/attached-end.ts";
import { wordForShell } from "../../../../commons/cli/command-line.ts";
import { shellWord } from "../../../../commons/cli/shell-word.ts";
import { formatUnifiedDiff } from "../../../../commons/diff/unified-diff.ts";
import type { Output } from "../../../../kernel/definitions/command.ts";
import { ForgeError } from "../../../../kernel/errors.ts";
import type { AskLine } from "../../../../platform/terminal/ask-line.ts";
import { plain } from "../../../../platform/terminal/text.ts";
import type { getTicketText } from "../../tools/editing/get-ticket-text.ts";
import type { saveTicketText } from "../../tools/editing/save-ticket-text.ts";
import { asTextConflict, noEditor } from "../errors.ts";
import { withNote, withoutNote } from "./note.ts";

type TicketText = z.output<(typeof getTicketText)["output"]>;
type Saved = z.output<(typeof saveTicketText)["output"]>;

/** Opens a ticket in the user's editor and saves the result. What they wrote is never lost. */
export async function editTicket(app: App, id: string, out: Output): Promise<number> {
  const { editor, ask } = app.terminal;
  const calls = new TextCalls(app, id, out.signal);
  const ticket = await calls.read();
  if (!editor || !ask) throw noEditor(id, ticket.revision);
  app.failOnSignals();
  const draft = await editor.open(id, ticket.text);
  return new EditSession({ app, id, calls, draft, ask, out }, ticket).run();
}

/** Saves a text that was written elsewhere. Refused if the ticket has changed since the text was made of it. */
export async function saveText(
  app: App,
  id: string,
  { text: file, revision }: { text: string; revision: number },
  out: Output,
): Promise<number> {
  app.failOnSignals();
  const text = withoutNote(await app.files.read(file, out.signal));
  const saved = await new TextCalls(app, id, out.signal).save({ text, revision }).catch((error) => {
    throw asTextConflict(error, id, file);
  });
  for (const warning of saved.warnings) out.note(plain(warning));
  const { warnings: _, ...result } = saved;
  out.data(result, () => (saved.changed ? `Saved ${plain(saved.id)}.` : "Nothing changed."));
  return 0;
}

/** Reads and saves the ticket's text, under the command's name in the ledger. */
class TextCalls {
  readonly #app: App;
  readonly #id: string;
  readonly #options: { signal: AbortSignal; command: string };

  constructor(app: App, id: string, signal: AbortSignal) {
    this.#app = app;
    this.#id = id;
    this.#options = { signal, command: "forge edit" };
  }

  async read(): Promise<TicketText> {
    return (await this.#app.tools.call("get_ticket_text", { ticketId: this.#id }, this.#options)) as TicketText;
  }

  async save(edited: TicketText): Promise<Saved> {
    const input = { ticketId: this.#id, ...edited };
    return (await this.#app.tools.call("save_ticket_text", input, this.#options)) as Saved;
  }
}

type SessionParts = { app: App; id: string; calls: TextCalls; draft: Draft; ask: AskLine; out: Output };

class EditSession {
  readonly #parts: SessionParts;
  /** The ticket that the user's text will replace. */
  #ticket: TicketText;
  #isNamed = false;

  constructor(parts: SessionParts, ticket: TicketText) {
    this.#parts = parts;
    this.#ticket = ticket;
  }

  async run(): Promise<number> {
    const { out } = this.#parts;
    // At once: the process ends without waiting for the editor.
    out.signal.addEventListener("abort", this.#nameFile);
    try {
      return await this.#edit();
    } catch (error) {
      this.#nameFile();
      throw error;
    } finally {
      out.signal.removeEventListener("abort", this.#nameFile);
    }
  }

  async #edit(): Promise<number> {
    const { calls, draft, out } = this.#parts;
    for (;;) {
      const end = await draft.edit(out.signal);
      if (!("code" in end) || end.code !== 0)
        return await this.#keep(`The editor ended ${describeEnd(end)}. Nothing was saved.`);
      if (!draft.exists()) return await this.#keep("The editor removed the file. Nothing was saved.");
      const text = withoutNote(await draft.read());
      if (text === this.#ticket.text) return await this.#finishUnchanged();
      const error = await this.#save(text);
      if (error === undefined) return 0;
      await this.#explain(error);
      const current = error.code === "CONFLICT_ERROR" ? await calls.read() : undefined;
      if (current) this.#showChanges(current);
      if (!(await this.#wantsToContinue(current !== undefined))) return await this.#keep("Nothing was saved.");
      await this.#prepareAgain(text, error, current);
    }
  }

  /** Returns the error if the user can fix it in the text; throws any other. */
  async #save(text: string): Promise<ForgeError | undefined> {
    const { calls, draft, out } = this.#parts;
    try {
      const { id, changed, revision, warnings } = await calls.save({ text, revision: this.#ticket.revision });
      await draft.remove();
      for (const warning of warnings) out.note(plain(warning));
      out.data({ id, changed, revision }, () => (changed ? `Saved ${plain(id)}.` : "Nothing changed."));
      return undefined;
    } catch (error) {
      const isFixable = error instanceof ForgeError && ["VALIDATION_ERROR", "CONFLICT_ERROR"].includes(error.code);
      if (isFixable) return error;
      throw error;
    }
  }

  async #finishUnchanged(): Promise<number> {
    const { id, draft, out } = this.#parts;
    await draft.remove();
    out.data({ id, changed: false, revision: this.#ticket.revision }, () => "Nothing changed.");
    return 0;
  }

  async #explain({ message, next = [] }: ForgeError): Promise<void> {
    const { app, out } = this.#parts;
    const word = wordForShell(await app.commands.facts());
    for (const line of [message, ...next.map((action) => `  ${word(action)}`)]) out.note(plain(line));
  }

  #showChanges(current: TicketText): void {
    const { id, out } = this.#parts;
    const diff = formatUnifiedDiff(`${id}.md`, this.#ticket.text, current.text);
    out.note("Changed in the meantime:");
    out.note(diff.split("\n").map(plain).join("\n"));
  }

  async #wantsToContinue(isConflict: boolean): Promise<boolean> {
    const { ask, out } = this.#parts;
    const again = isConflict ? "Edit again, with the current ticket beside it" : "Edit again";
    const answer = await ask(`${again}, or keep the text for later? [E/k] `, out.signal);
    return answer !== undefined && /^(?:e|edit|y|yes)?$/i.test(answer.trim());
  }

  async #prepareAgain(text: string, error: ForgeError, current: TicketText | undefined): Promise<void> {
    const { id, draft } = this.#parts;
    const lines = ["this text is not saved yet.", error.message];
    if (current) {
      this.#ticket = current;
      const path = await draft.layBeside(`${id}-now`, current.text);
      lines.push(`The current ticket: ${path}`, "Your text will replace it, so copy over what you want to keep.");
    }
    await draft.write(withNote(text, lines));
  }

  async #keep(why: string): Promise<number> {
    const { draft, out } = this.#parts;
    out.note(plain(why));
    // The editor's own copies may still be beside it, so nothing is removed.
    if (!draft.exists()) return 1;
    const text = await draft.read();
    if (withoutNote(text) !== text) await draft.write(withoutNote(text));
    this.#nameFile();
    return 1;
  }

  readonly #nameFile = (): void => {
    const { draft, out } = this.#parts;
    if (this.#isNamed || !draft.exists()) return;
    this.#isNamed = true;
    out.note(`Your text is in ${plain(draft.path)}`);
    const { revision } = this.#ticket;
    const file = plain(shellWord(draft.path));
    out.note(`When it is ready, run \`forge edit ${plain(this.#parts.id)} --text ${file} --revision ${revision}\`.`);
  };
}
