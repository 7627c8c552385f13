import type { CompletionService } from "../../../commons/completion/completion-service.ts";
import type { ForeignTexts } from "../../../commons/guard/index.ts";
import type { TestRun } from "../../../commons/test-runs/test-run.ts";
import type { BmadProject } from "../bmad/bmad-project.ts";
import type { Reembedder } from "../embedders/reembedder.ts";
import type { Failures } from "../failures/failures.ts";
import type { Memories } from "../recall/memories.ts";

export type MemoryServices = {
  memories: Memories;
  reembedder: Reembedder;
  bmad: BmadProject;
  completion: Pick<CompletionService, "run">;
  failures: Failures;
  testRun(id: string): Promise<TestRun | undefined>;
  /** Which of the stored texts were written after reading text by others. */
  foreignTexts: ForeignTexts;
  /** Whether the user has trusted the project, which makes the text in its files the user's own. */
  isTrusted(signal: AbortSignal): Promise<boolean>;
};
