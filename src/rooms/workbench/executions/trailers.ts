import type { Execution } from "../execution-model.ts";

/** What marks a commit as one of Forge's; its author is the person. */
export function trailersOf({ id, blockId, taskId }: Execution): Record<string, string> {
  return { "Forge-Task": `${oneLine(blockId)}/${oneLine(taskId)}`, "Forge-Execution": id };
}

/** Ids come from files as they are. */
function oneLine(id: string): string {
  return id.replaceAll(/\s+/g, "-");
}
