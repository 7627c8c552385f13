import type { ExecutionDeps } from "../deps.ts";
import { mergeOptions } from "../rows.ts";
import { executionReference } from "./timeline.ts";

/** Tells when something has changed in an execution, or in any, here or in another process. */
export class ChangeWatcher {
  readonly #parts: Pick<ExecutionDeps, "store" | "ledger">;

  constructor(parts: Pick<ExecutionDeps, "store" | "ledger">) {
    this.#parts = parts;
  }

  /** Every call about it, also one that only looked. */
  onCalls(id: string | undefined, called: () => void): () => void {
    const isMeant = (about: string) =>
      id === undefined ? about.startsWith("execution:") : about === executionReference(id);
    return this.#parts.ledger.watch(called, ({ about }) => about.some(isMeant));
  }

  /**
   * Only what there is to see: whoever is told looks again, and that look is a call too. `notify_progress: false` asks for
   * silence.
   */
  onChanges(id: string | undefined, changed: () => void): () => void {
    const look = () => (id === undefined ? this.#stateOfAll() : this.#stateOf(id));
    let seen = look();
    return this.onCalls(id, () => {
      const before = seen;
      seen = this.#compare(before, look, changed);
    });
  }

  async #compare(
    before: Promise<string | undefined>,
    look: () => Promise<string | undefined>,
    changed: () => void,
  ): Promise<string | undefined> {
    const last = await before;
    const now = await look();
    if (now !== undefined && now !== last) changed();
    return now ?? last;
  }

  /** Undefined where nobody is to be told, or nothing can be seen. */
  async #stateOf(id: string): Promise<string | undefined> {
    const { store } = this.#parts;
    return ignoreErrors(
      store.database.read(async (db) => {
        const row = await store.find(db, id);
        if (!row || !mergeOptions(JSON.parse(row.options)).notify_progress) return undefined;
        return JSON.stringify([row.revision, ...(await store.readVersion(db, row.seq))]);
      }),
    );
  }

  async #stateOfAll(): Promise<string | undefined> {
    const { store } = this.#parts;
    return ignoreErrors(store.database.read(async (db) => JSON.stringify(await store.readOverallVersion(db))));
  }
}

/** A database that is closing keeps nobody from ending. */
async function ignoreErrors<T>(looking: Promise<T | undefined>): Promise<T | undefined> {
  try {
    return await looking;
  } catch {
    return undefined;
  }
}
