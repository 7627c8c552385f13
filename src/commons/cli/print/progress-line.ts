import type { Progress } from "../../../kernel/calls/call.ts";

const barWidth = 20;

/**
 * A call's progress on one line: `[=====     ] 40% reading files`. Without a total it is the message alone: the number then only
 * says that something happened, and need not count anything.
 */
export function progressLine({ progress, total, message = "" }: Progress): string {
  if (total === undefined || total <= 0) return message === "" ? `${Math.floor(progress)} …` : message;
  return `${bar(Math.min(1, Math.max(0, progress / total)))} ${message}`.trimEnd();
}

function bar(part: number): string {
  const filled = Math.round(part * barWidth);
  return `[${"=".repeat(filled)}${" ".repeat(barWidth - filled)}] ${Math.floor(part * 100)}%`;
}
