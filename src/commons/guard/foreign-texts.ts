import type { Call } from "../../kernel/calls/call.ts";
import type { Guard } from "./guard.ts";
import { callerOf } from "./guarded-change.ts";
import type { MarkedText } from "./marks.ts";

type ForeignGuard = Pick<Guard, "hasReadUntrusted" | "marks" | "require">;

/** A text of this name that is about to be replaced, in the person's words and as it will be. */
type Replacement = { subject: string; summary: string; content: unknown };

/**
 * Texts that assistants store for later: memories, failures, artifacts. What was written after reading text by others may repeat
 * it, so that reading it later, in another session or by another assistant, counts as reading text by others.
 */
export class ForeignTexts {
  readonly #guard: ForeignGuard;

  constructor(guard: ForeignGuard) {
    this.#guard = guard;
  }

  /** Whether the caller may be writing what others told it to write. */
  mayBeForeign(call: Call): Promise<boolean> {
    return this.#guard.hasReadUntrusted(call.principal);
  }

  /** Call it after a text was stored, or something was added to it. */
  async noteStored(call: Call, subject: string): Promise<boolean> {
    const isForeign = await this.mayBeForeign(call);
    if (isForeign) await this.#guard.marks.add({ kind: "foreign", subject, sha256: "" }, call.principal.name);
    return isForeign;
  }

  /** The same for a text that replaces the earlier one of this name. */
  async noteReplaced(call: Call, subject: string): Promise<void> {
    if (!(await this.noteStored(call, subject))) await this.#guard.marks.remove("foreign", subject);
    await this.#guard.marks.add(authorOf(call, subject), call.principal.name);
  }

  /** Whether this caller stored it. */
  isAuthor(call: Call, subject: string): Promise<boolean> {
    return this.#guard.marks.has(authorOf(call, subject));
  }

  /** Call it before a text is replaced or removed: one that this caller did not store may be the user's. */
  async requireReplace(call: Call, { subject, summary, content }: Replacement): Promise<void> {
    if (await this.isAuthor(call, subject)) return;
    await this.#guard.require(call, { summary, content, touches: [subject] }, { touches: [] });
  }

  /** Call it before texts are returned. */
  async noteRead(call: Call, subjects: readonly string[]): Promise<void> {
    if (await this.#guard.marks.hasForeign(subjects)) await call.noteUntrusted();
  }
}

/** That this caller stored it. */
function authorOf({ principal }: Call, subject: string): MarkedText {
  return { kind: "author", subject, sha256: callerOf(principal) };
}
