import type { Principal } from "../../../kernel/principal.ts";

/** Replaces the assignee `me` by the caller's user: whoever gives the command, or whom an assistant works for. */
export function resolveAssignee<T extends { assignee?: string | null | undefined }>(
  changes: T,
  { name }: Principal,
): T {
  return changes.assignee === "me" ? { ...changes, assignee: name } : changes;
}
