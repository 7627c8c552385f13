import { basename, dirname } from "node:path";
import type { ExecutionDeps } from "../deps.ts";
import { describeRemoval } from "../finish/messages.ts";

/** Work trees in Forge's own folder that no execution knows. Said, never removed: somebody may have work in them. */
export class LeftWorkTrees {
  readonly #parts: Pick<ExecutionDeps, "store" | "workFor" | "projectRoot">;

  constructor(parts: Pick<ExecutionDeps, "store" | "workFor" | "projectRoot">) {
    this.#parts = parts;
  }

  async find(signal: AbortSignal): Promise<string[]> {
    const { store, workFor, projectRoot } = this.#parts;
    const work = workFor(projectRoot);
    const ours = (await work.workTrees(signal)).filter(({ path }) => dirname(path) === work.workTreesFolder);
    const words: string[] = [];
    for (const { path, branch } of ours) {
      const row = await store.database.read((db) => store.find(db, basename(path)));
      if (row?.status === "running") continue;
      const of = row ? `execution ${row.id}, which is ${row.status}` : "no execution that is known";
      const named = `${path}${branch === undefined ? "" : ` (branch ${branch})`}`;
      words.push(`The work tree ${named} is left of ${of}. ${describeRemoval(path, branch)}`);
    }
    return words;
  }
}
