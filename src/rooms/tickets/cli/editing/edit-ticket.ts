import type { App } from "../../../../commons/cli/app.ts";
import { describeEnd } from "../../../../commons/cli/attached-end.ts";
import type { Output } from "../../../../kernel/command.ts";
import { ForgeError } from "../../../../kernel/errors.ts";
import type { AskLine } from "../../../../platform/terminal/ask-line.ts";
import { plain } from "../../../../platform/terminal/text.ts";
import { unifiedDiff } from "../../../../commons/diff/unified-diff.ts";
import type { EditableTicket, TicketDesk } from "../desk.ts";
import { deskForResult } from "../desk-for-result.ts";
import type { Draft } from "./editor.ts";
import { withNote, withoutNote } from "./note.ts";

/** Opens a ticket in the person's editor and saves what they made of it. What they wrote is never lost. */
export async function editTicket(app: App, id: string, out: Output): Promise<number> {
  const { editor, ask } = app;
  if (!editor || !ask) throw noTerminal(id);
  const desk = await deskForResult(app);
  const ticket = await desk.editable(id);
  const draft = await editor.open(id, ticket.text);
  return new Editing({ id, desk, draft, ask, out }, ticket).run();
}

type Parts = { id: string; desk: TicketDesk; draft: Draft; ask: AskLine; out: Output };

class Editing {
  readonly #parts: Parts;
  /** What the person's text is to take the place of. */
  #ticket: EditableTicket;
  #isNamed = false;

  constructor(parts: Parts, ticket: EditableTicket) {
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
    const { id, desk, draft, out } = this.#parts;
    for (;;) {
      const end = await draft.edit(out.signal);
      if (!("code" in end) || end.code !== 0)
        return await this.#keep(`The editor ended ${describeEnd(end)}; nothing is saved.`);
      if (!draft.exists()) return await this.#keep("The editor left no file; nothing is saved.");
      const text = withoutNote(await draft.read());
      if (text === this.#ticket.text) return await this.#unchanged();
      const refusal = await this.#save(text);
      if (refusal === undefined) return 0;
      this.#tell(refusal);
      const current = refusal.code === "CONFLICT_ERROR" ? await desk.editable(id) : undefined;
      if (current) this.#showChanges(current);
      if (!(await this.#wantsToGoOn(current !== undefined))) return await this.#keep("Nothing is saved.");
      await this.#prepareAnew(text, refusal, current);
    }
  }

  /** What the person can put right in the text is returned; anything else is not theirs to mend. */
  async #save(text: string): Promise<ForgeError | undefined> {
    const { id, desk, draft, out } = this.#parts;
    try {
      const { ticket, changed, warnings } = await desk.saveEdited(id, { text, revision: this.#ticket.revision });
      await draft.remove();
      for (const warning of warnings) out.note(plain(warning));
      out.data({ id: ticket.id, changed, revision: ticket.revision }, () =>
        changed ? `${plain(ticket.id)} is saved.` : "Nothing changed.",
      );
      return undefined;
    } catch (error) {
      const mendable = error instanceof ForgeError && ["VALIDATION_ERROR", "CONFLICT_ERROR"].includes(error.code);
      if (mendable) return error;
      throw error;
    }
  }

  async #unchanged(): Promise<number> {
    const { id, draft, out } = this.#parts;
    await draft.remove();
    out.data({ id, changed: false, revision: this.#ticket.revision }, () => "Nothing changed.");
    return 0;
  }

  #tell({ message, next = [] }: ForgeError): void {
    const { out } = this.#parts;
    for (const line of [message, ...next.map((suggestion) => `  ${suggestion}`)]) out.note(plain(line));
  }

  #showChanges(current: EditableTicket): void {
    const { id, out } = this.#parts;
    const diff = unifiedDiff(`${id}.md`, this.#ticket.text, current.text);
    out.note("What changed meanwhile:");
    out.note(diff.split("\n").map(plain).join("\n"));
  }

  async #wantsToGoOn(isConflict: boolean): Promise<boolean> {
    const { ask, out } = this.#parts;
    const again = isConflict ? "Edit again, with the ticket as it is now beside" : "Edit again";
    const answer = await ask(`${again}, or keep the text for later? [E/k] `, out.signal);
    return answer !== undefined && /^(?:e|edit|y|yes)?$/i.test(answer.trim());
  }

  async #prepareAnew(text: string, refusal: ForgeError, current: EditableTicket | undefined): Promise<void> {
    const { id, draft } = this.#parts;
    const lines = ["this text is not saved yet.", refusal.message];
    if (current) {
      this.#ticket = current;
      const path = await draft.layBeside(`${id}-now`, current.text);
      lines.push(`The ticket as it is now: ${path}`, "What you save takes its place, so bring over what is to stay.");
    }
    await draft.write(withNote(text, lines));
  }

  async #keep(why: string): Promise<number> {
    const { draft, out } = this.#parts;
    out.note(plain(why));
    // An editor's copies may lie beside it still, so nothing is removed.
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
    out.note(`Once it is right: forge import ${plain(draft.path)} --on-existing replace`);
  };
}

function noTerminal(id: string): ForgeError {
  return new ForgeError("VALIDATION_ERROR", "There is no terminal here to open an editor on.", {
    next: [
      `Write it to a file with: forge export ${id} --format markdown --output FILE`,
      "Save what you made of it with: forge import FILE --on-existing replace",
    ],
  });
}
