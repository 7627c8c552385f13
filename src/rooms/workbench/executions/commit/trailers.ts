import { taskKey } from "../../board/model/ids.ts";
import type { Execution } from "../../model/execution-model.ts";

/** What marks a commit as one of Forge's; its author is the person. */
export function createTrailers({ id, blockId, taskId }: Execution): Record<string, string> {
  return { "Forge-Task": escapeForLine(taskKey(blockId, taskId)), "Forge-Execution": id };
}

/** Ids come from files as they are: what is no plain character is written as in an address, so that no two look the same. */
function escapeForLine(key: string): string {
  return key.replaceAll(/[\s\p{Cc}\p{Cf}\p{Cs}\p{Z}]/gu, (character) =>
    [...Buffer.from(character)].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, "0")}`).join(""),
  );
}
