import { createHash } from "node:crypto";
import type { Transaction } from "kysely";
import type { Call } from "../../kernel/calls/call.ts";
import type { Guard } from "./guard.ts";
import { callerOf } from "./guarded-change.ts";
import type { MarkedText } from "./marks.ts";
import { sayWith } from "./question.ts";

type ForeignGuard = Pick<Guard, "hasReadUntrusted" | "marks" | "require">;

/** A text of this name that is about to be replaced, in the person's words and as it will be. */
type Replacement = { subject: string; summary: string; content: unknown } & SharedText;

/** What a text says, where others can replace it without this store being told. */
type SharedText = { shared?: { content: unknown } | undefined };

/** Who stores a text. `stored` is called in the same transaction, with what the text is called. */
export type Author = Pick<Call, "principal" | "record"> & {
  stored?: <Schema>(tx: Transaction<Schema>, subject: string) => Promise<void>;
};

export async function authorOf(
  guard: Pick<ForeignGuard, "hasReadUntrusted" | "marks">,
  { principal, record }: Call,
): Promise<Author> {
  if (!(await guard.hasReadUntrusted(principal))) return { principal, record };
  return { principal, record, stored: (tx, subject) => guard.marks.addForeign(tx, subject, principal.name) };
}

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

  /** The caller as the author of texts: those that may be others' are marked as they are stored. */
  authorOf(call: Call): Promise<Author> {
    return authorOf(this.#guard, call);
  }

  /**
   * Stores a text that replaces the earlier one of this name. One of others has its mark before it is there, and again with it: another
   * caller may replace it at the same moment.
   */
  async replace<Stored>(
    call: Call,
    { subject, shared }: { subject: string } & SharedText,
    store: (author: Author) => Promise<Stored>,
  ): Promise<Stored> {
    const { marks } = this.#guard;
    const { principal, record } = call;
    const { name } = principal;
    const isForeign = await this.mayBeForeign(call);
    if (isForeign) await marks.add({ kind: "foreign", subject, sha256: "" }, name);
    const stored = await store({
      principal,
      record,
      stored: (tx) => (isForeign ? marks.addForeign(tx, subject, name) : marks.removeForeign(tx, subject)),
    });
    // A server's store tells nobody here.
    if (!isForeign && shared) await marks.remove("foreign", subject);
    await marks.add(authorMark(call, subject, shared), name);
    return stored;
  }

  /** Whether this caller stored it. */
  isAuthor(call: Call, subject: string, shared?: SharedText["shared"]): Promise<boolean> {
    return this.#guard.marks.has(authorMark(call, subject, shared));
  }

  /** Call it before a text is replaced or removed: one that this caller did not store may be the user's. */
  async requireReplace(call: Call, { subject, summary, content, shared }: Replacement): Promise<void> {
    if (!(await this.isAuthor(call, subject, shared))) await this.requireChange(call, { subject, summary, content });
  }

  /** The same for one that the caller did not store. */
  async requireChange(call: Call, { subject, summary, content }: Replacement): Promise<void> {
    const change = { summary: sayWith(summary, content), content, touches: [subject] };
    await this.#guard.require(call, change, { touches: [] });
  }

  /** Call it before texts are returned. */
  async noteRead(call: Call, subjects: readonly string[]): Promise<void> {
    if (await this.#guard.marks.hasForeign(subjects)) await call.noteUntrusted();
  }
}

/** That this caller stored it, and with these words if others can replace them. */
function authorMark({ principal }: Call, subject: string, shared: SharedText["shared"]): MarkedText {
  const caller = callerOf(principal);
  if (!shared) return { kind: "author", subject, sha256: caller };
  const words = createHash("sha256").update(JSON.stringify(shared.content)).digest("hex");
  return { kind: "author", subject, sha256: `${caller} ${words}` };
}
