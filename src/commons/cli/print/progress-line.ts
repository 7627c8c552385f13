import type { Progress } from "../../../kernel/calls/call.ts";

const barWidth = 20;

/** A call's progress on one line: `[=====>    ] 40% reading files`, or without a total `12 reading files`. */
export function progressLine({ progress, total, message = "" }: Progress): string {
  const part = total !== undefined && total > 0 ? Math.min(1, Math.max(0, progress / total)) : undefined;
  return `${part === undefined ? String(progress) : bar(part)} ${message}`.trimEnd();
}

function bar(part: number): string {
  const filled = Math.round(part * barWidth);
  return `[${"=".repeat(filled)}${" ".repeat(barWidth - filled)}] ${Math.floor(part * 100)}%`;
}
