import type { Principal } from "../../../kernel/principal.ts";

/** Who says `me` means the person: whoever gives the command, or whom an assistant works for. */
export function resolveAssignee<T extends { assignee?: string | null | undefined }>(changes: T, { name }: Principal): T {
  return changes.assignee === "me" ? { ...changes, assignee: name } : changes;
}
