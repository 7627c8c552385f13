import type { TaskStatus } from "../../model/task-model.ts";

const written: Record<TaskStatus, string> = {
  pending: "[TODO]",
  in_progress: "[IN-PROGRESS]",
  completed: "[COMPLETED]",
  failed: "[FAILED]",
};

/** Without brackets, in lower case, `-` and blanks as `_`. */
const spellings: ReadonlyMap<string, TaskStatus> = new Map([
  ["", "pending"],
  ["todo", "pending"],
  ["to_do", "pending"],
  ["pending", "pending"],
  ["in_progress", "in_progress"],
  ["inprogress", "in_progress"],
  ["completed", "completed"],
  ["complete", "completed"],
  ["done", "completed"],
  ["failed", "failed"],
]);

/** What the original puts in brackets; any other word there is the author's. */
const marked = new Set(["todo", "in_progress", "completed", "failed"]);

/** How files say it. */
export function writtenStatus(status: TaskStatus): string {
  return written[status];
}

/** What a file means by a status; undefined where nobody can tell. */
export function readStatus(text: string): TaskStatus | undefined {
  const trimmed = text.trim();
  const bare = trimmed.startsWith("[") && trimmed.endsWith("]") ? trimmed.slice(1, -1) : trimmed;
  // The original takes a task for completed where its status only contains the word in brackets.
  return spellings.get(folded(bare)) ?? lastMarker(trimmed)?.status;
}

/** The original adds the status to the end of the description, once for each execution. */
export function withoutStatus(description: string): { text: string; status: TaskStatus | undefined } {
  let text = description;
  let status: TaskStatus | undefined;
  for (;;) {
    const marker = endMarker(text);
    if (!marker) return status === undefined ? { text: description, status } : { text, status };
    status ??= marker.status;
    text = text.slice(0, marker.at).trimEnd();
  }
}

type Marker = { at: number; status: TaskStatus };

function endMarker(text: string): Marker | undefined {
  const end = text.trimEnd();
  const at = end.endsWith("]") ? end.lastIndexOf("[") : -1;
  return at < 0 ? undefined : markerIn(end, at, end.length);
}

function lastMarker(text: string): Marker | undefined {
  for (let at = text.lastIndexOf("["); at >= 0; at = at === 0 ? -1 : text.lastIndexOf("[", at - 1)) {
    const close = text.indexOf("]", at);
    const marker = close < 0 ? undefined : markerIn(text, at, close + 1);
    if (marker) return marker;
  }
  return undefined;
}

const longestMarker = 20;

function markerIn(text: string, at: number, end: number): Marker | undefined {
  if (end - at > longestMarker) return undefined;
  const word = folded(text.slice(at + 1, end - 1));
  const status = marked.has(word) ? spellings.get(word) : undefined;
  return status && { at, status };
}

function folded(text: string): string {
  return text.trim().toLowerCase().replaceAll(/[- ]/g, "_");
}
