import { basename, join } from "node:path";
import { ForeignTexts } from "../../commons/guard/index.ts";
import type { House } from "../../commons/house.ts";
import { type OpenRoom, once } from "../../kernel/definitions/room.ts";
import { createFileOnce } from "../../platform/files/small-file.ts";
import { makeStateFolder } from "../../platform/state/state-folder.ts";
import { BmadProject } from "./bmad/bmad-project.ts";
import { openEmbedder } from "./embedders/open-embedder.ts";
import { Reembedder } from "./embedders/reembedder.ts";
import { Failures } from "./failures/failures.ts";
import { toAppId } from "./model/ids.ts";
import { memoriesMark } from "./model/mark.ts";
import type { MemoryServices } from "./model/services.ts";
import { Memories } from "./recall/memories.ts";
import { openSharedIndex } from "./shared/open-shared-index.ts";
import { MemoryStore } from "./store/memory-store.ts";

/** The memories and the BMAD files of a project. */
export async function openMemory(house: House): Promise<OpenRoom<MemoryServices>> {
  const { project, redactor, log, settings } = house;
  const { database, ledger, guard } = await house.store();
  const bmad = new BmadProject(project.root, redactor);
  const appId = toAppId(await bmad.name().catch(() => basename(project.root)));
  const store = new MemoryStore(database, appId);
  const warn = (message: string) => log("warning", redactor.text(message));
  const embedder = await openEmbedder(settings, log);
  const { isTrusted } = house;
  const shared = await openSharedIndex({ settings, store, appId, model: embedder.name, log, isTrusted, warn });
  const reembedder = new Reembedder({ store, embedder, shared, warn });
  const mark = () => {
    makeStateFolder(project.stateDir);
    createFileOnce(join(project.stateDir, memoriesMark), "", 0o600);
  };
  const memories = new Memories({ store, ledger, redactor, embedder, reembedder, shared, appId, mark, warn });
  // Loaded when something of the project is to run: most calls run nothing.
  const loadCompletion = once(async () => {
    const [{ Trust }, { CompletionService }] = await Promise.all([
      import("../../commons/trust/index.ts"),
      import("../../commons/completion/completion-service.ts"),
    ]);
    return new CompletionService({ root: project.root, trust: new Trust() });
  });
  const loadRuns = once(async () => {
    const { TestRunStore } = await import("../../commons/test-runs/test-run-store.ts");
    return new TestRunStore(database.forTables());
  });
  return {
    services: {
      memories,
      reembedder,
      bmad,
      completion: { run: async (request) => (await loadCompletion()).run(request) },
      failures: new Failures({ database, ledger, project: appId }),
      foreignTexts: new ForeignTexts(guard),
      testRun: async (id) => (await loadRuns()).get(id),
      isTrusted,
    },
    stop: () => memories.stop(),
  };
}
