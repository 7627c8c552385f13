import type { Database } from "../../platform/db/database.ts";
import type { TestRunTables } from "./schema.ts";
import type { TestRun } from "./test-run.ts";

const maxRuns = 1_000;

/** Test runs as evidence: the newest thousand, whole. */
export class TestRunStore {
  readonly #database: Database<TestRunTables>;

  constructor(database: Database<TestRunTables>) {
    this.#database = database;
  }

  async get(id: string): Promise<TestRun | undefined> {
    const row = await this.#database.read((db) =>
      db.selectFrom("test_run").select("document").where("id", "=", id).executeTakeFirst(),
    );
    return row && parseRun(row.document);
  }

  async latest({ tree, root, limit = 1 }: { tree?: string; root?: string; limit?: number }): Promise<TestRun[]> {
    const rows = await this.#database.read((db) => {
      let query = db.selectFrom("test_run").select("document").orderBy("at", "desc").orderBy("id", "desc").limit(limit);
      if (tree !== undefined) query = query.where("tree", "=", tree);
      if (root !== undefined) query = query.where("root", "=", root);
      return query.execute();
    });
    return rows.map(({ document }) => parseRun(document));
  }

  /** A run whose tree changed meanwhile is kept, but as evidence for no tree. */
  async save(root: string, run: TestRun): Promise<void> {
    const { cases: _, ...kept } = run;
    const { id, at, status } = kept;
    const tree = run.treeChanged ? null : (run.tree ?? null);
    await this.#database.transaction(async (tx) => {
      await tx
        .insertInto("test_run")
        .values({ id, at, root, tree, status, document: JSON.stringify(kept) })
        .execute();
      const oldest = await tx
        .selectFrom("test_run")
        .select("at")
        .orderBy("at", "desc")
        .offset(maxRuns)
        .limit(1)
        .executeTakeFirst();
      if (oldest) await tx.deleteFrom("test_run").where("at", "<=", oldest.at).execute();
    });
  }
}

/** Only `save` writes these; older versions did not record where the code came from. */
function parseRun(document: string): TestRun {
  return { origin: { from: "unknown" }, withheld: [], ...JSON.parse(document) };
}
