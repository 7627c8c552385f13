import type { Call } from "../../kernel/calls/call.ts";
import type { Guard } from "./guard.ts";

type ForeignGuard = Pick<Guard, "hasReadUntrusted" | "marks">;

/**
 * Texts that assistants store for later: memories, failures, artifacts. What was written after reading text by others may repeat
 * it, so that reading it later, in another session or by another assistant, counts as reading text by others.
 */
export class ForeignTexts {
  readonly #guard: ForeignGuard;

  constructor(guard: ForeignGuard) {
    this.#guard = guard;
  }

  /** Call it after a text was stored, or something was added to it. */
  async noteStored(call: Call, subject: string): Promise<boolean> {
    const isForeign = await this.#guard.hasReadUntrusted(call.principal);
    if (isForeign) await this.#guard.marks.add({ kind: "foreign", subject, sha256: "" }, call.principal.name);
    return isForeign;
  }

  /** The same for a text that replaces the earlier one of this name. */
  async noteReplaced(call: Call, subject: string): Promise<void> {
    if (!(await this.noteStored(call, subject))) await this.#guard.marks.remove("foreign", subject);
  }

  /** Call it before texts are returned. */
  async noteRead(call: Call, subjects: readonly string[]): Promise<void> {
    if (await this.#guard.marks.hasForeign(subjects)) await call.noteUntrusted();
  }
}
