import { afterCommit } from "../../../platform/db/database.ts";
import type { Tx } from "./store.ts";

/** Tells whoever remembers what people may do to look again, because somebody may do less than before. */
export class Revocations {
  readonly #listeners: (() => void)[] = [];

  listen(listener: () => void): void {
    this.#listeners.push(listener);
  }

  /** Once the transaction that revokes something is committed. */
  announce(tx: Tx): void {
    afterCommit(tx, () => {
      for (const listener of this.#listeners) listener();
    });
  }
}
