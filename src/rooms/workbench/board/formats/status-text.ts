import type { TaskStatus } from "../../model/task-model.ts";

const statusTexts: Record<TaskStatus, string> = {
  pending: "[TODO]",
  in_progress: "[IN-PROGRESS]",
  completed: "[COMPLETED]",
  failed: "[FAILED]",
};

/** Without brackets, in lower case, `-` and spaces as `_`. */
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

/** Words in brackets that are a status; any other is part of the text. */
const markerWords = new Set(["todo", "in_progress", "completed", "failed"]);

/** As files write it. */
export function formatStatus(status: TaskStatus): string {
  return statusTexts[status];
}

/** The status that a file means; undefined if it is unknown. */
export function parseStatus(text: string): TaskStatus | undefined {
  const trimmed = text.trim();
  const bare = trimmed.startsWith("[") && trimmed.endsWith("]") ? trimmed.slice(1, -1) : trimmed;
  // A status that only contains the word in brackets counts too.
  return spellings.get(normalizeWord(bare)) ?? findLastMarker(trimmed)?.status;
}

/** Some files have the status at the end of the description, once for each execution. */
export function stripStatus(description: string): { text: string; status: TaskStatus | undefined } {
  let text = description;
  let status: TaskStatus | undefined;
  for (;;) {
    const marker = findEndMarker(text);
    if (!marker) return status === undefined ? { text: description, status } : { text, status };
    status ??= marker.status;
    text = text.slice(0, marker.at).trimEnd();
  }
}

type StatusMarker = { at: number; status: TaskStatus };

function findEndMarker(text: string): StatusMarker | undefined {
  const end = text.trimEnd();
  const at = end.endsWith("]") ? end.lastIndexOf("[") : -1;
  return at < 0 ? undefined : parseMarker(end, at, end.length);
}

function findLastMarker(text: string): StatusMarker | undefined {
  for (let at = text.lastIndexOf("["); at >= 0; at = at === 0 ? -1 : text.lastIndexOf("[", at - 1)) {
    const close = text.indexOf("]", at);
    const marker = close < 0 ? undefined : parseMarker(text, at, close + 1);
    if (marker) return marker;
  }
  return undefined;
}

const maxMarkerLength = 20;

function parseMarker(text: string, at: number, end: number): StatusMarker | undefined {
  if (end - at > maxMarkerLength) return undefined;
  const word = normalizeWord(text.slice(at + 1, end - 1));
  const status = markerWords.has(word) ? spellings.get(word) : undefined;
  return status && { at, status };
}

function normalizeWord(text: string): string {
  return text.trim().toLowerCase().replaceAll(/[- ]/g, "_");
}
