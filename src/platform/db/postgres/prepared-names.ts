import { hash } from "node:crypto";
import { errorCode } from "../../host/error-code.ts";

const maxNamed = 200;
const maxSeen = 1_000;

/**
 * Names for statements that come again, so that PostgreSQL plans each once for a connection. Behind a pooler that hands every
 * transaction another connection such a name may mean nothing, or be there already; from then on none are given. It can never
 * mean another statement, whichever process gave it: it is made of the statement's own text.
 */
export class PreparedNames {
  readonly #names = new Map<string, string>();
  /** Seen once: lists of many lengths make many texts, most of which never come again. */
  readonly #seen = new Set<string>();
  #isOff = false;

  of(sql: string): string | undefined {
    if (this.#isOff) return undefined;
    const known = this.#names.get(sql);
    if (known !== undefined || this.#names.size >= maxNamed) return known;
    if (!this.#seen.has(sql)) {
      if (this.#seen.size >= maxSeen) this.#seen.clear();
      this.#seen.add(sql);
      return undefined;
    }
    this.#seen.delete(sql);
    const name = `forge_${hash("sha256", sql, "hex").slice(0, 40)}`;
    this.#names.set(sql, name);
    return name;
  }

  /** Whether the statement failed of its name; then it may be sent again without one. */
  noteFailure(error: unknown): boolean {
    const isOfName = isNameError(error);
    if (isOfName) this.#isOff = true;
    return isOfName;
  }
}

/** The server knows no statement of that name, knows one already, or has other columns for it than when it was planned. */
export function isNameError(error: unknown): boolean {
  const code = errorCode(error);
  if (code === "0A000") return error instanceof Error && /^cached plan must not change result type/.test(error.message);
  return code === "26000" || code === "42P05";
}
