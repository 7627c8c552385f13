import { afterCommit } from "../../../platform/db/database.ts";
import type { Tx } from "./store.ts";

/** Tells caches of rights to look again, because a user may have lost some. */
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
