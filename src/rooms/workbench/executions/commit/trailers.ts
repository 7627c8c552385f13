import { taskKey } from "../../board/model/ids.ts";
import type { WorkGuard } from "../../guard/work-guard.ts";
import type { Execution } from "../../model/execution-model.ts";

/** Marks a commit as made by Forge; its author is the user. */
export function createTrailers(
  { withoutSecrets }: Pick<WorkGuard, "withoutSecrets">,
  { id, blockId, taskId }: Execution,
): Record<string, string> {
  return { "Forge-Task": escapeForLine(withoutSecrets(taskKey(blockId, taskId))), "Forge-Execution": id };
}

/** Ids come from files: characters that could break the line are percent-encoded, so that different ids stay different. */
function escapeForLine(key: string): string {
  return key.replaceAll(/[\s\p{Cc}\p{Cf}\p{Cs}\p{Z}]/gu, (character) =>
    [...Buffer.from(character)].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, "0")}`).join(""),
  );
}
