import type { ExecutionDeps } from "../execution-deps.ts";
import { mergeOptions } from "../rows.ts";
import { executionReference } from "./timeline.ts";

/** Reports changes of an execution, or of any, made in this or another process. */
export class ChangeWatcher {
  readonly #deps: Pick<ExecutionDeps, "store" | "ledger">;

  constructor(deps: Pick<ExecutionDeps, "store" | "ledger">) {
    this.#deps = deps;
  }

  /** Every call about it, also one that only reads. */
  onCalls(id: string | undefined, called: () => void): () => void {
    const isMeant = (about: string) =>
      id === undefined ? about.startsWith("execution:") : about === executionReference(id);
    return this.#deps.ledger.watch(called, ({ about }) => about.some(isMeant));
  }

  /**
   * Only real changes: a listener reads the execution again, which is a call too. Nothing is reported with
   * `notify_progress: false`.
   */
  onChanges(id: string | undefined, changed: () => void): () => void {
    const read = () => (id === undefined ? this.#readOverallState() : this.#readState(id));
    let seen = read();
    return this.onCalls(id, () => {
      const before = seen;
      seen = this.#compare(before, read, changed);
    });
  }

  async #compare(
    before: Promise<string | undefined>,
    read: () => Promise<string | undefined>,
    changed: () => void,
  ): Promise<string | undefined> {
    const last = await before;
    const now = await read();
    if (now !== undefined && now !== last) changed();
    return now ?? last;
  }

  /** Undefined if nothing is to be reported, or nothing can be read. */
  async #readState(id: string): Promise<string | undefined> {
    const { store } = this.#deps;
    return ignoreErrors(
      store.database.read(async (db) => {
        const row = await store.find(db, id);
        if (!row || !mergeOptions(JSON.parse(row.options)).notify_progress) return undefined;
        return JSON.stringify([row.revision, ...(await store.readVersion(db, row.seq))]);
      }),
    );
  }

  async #readOverallState(): Promise<string | undefined> {
    const { store } = this.#deps;
    return ignoreErrors(store.database.read(async (db) => JSON.stringify(await store.readOverallVersion(db))));
  }
}

/** The database may be closing. */
async function ignoreErrors<T>(reading: Promise<T | undefined>): Promise<T | undefined> {
  try {
    return await reading;
  } catch {
    return undefined;
  }
}
