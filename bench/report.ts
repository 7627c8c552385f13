import { arch, cpus, platform } from "node:os";
import { type Row, type Unit, verdict } from "./row.ts";

const decimals: Record<Unit, number> = { ms: 1, MB: 1, bytes: 0, "calls/s": 0, "requests/s": 0, transactions: 0 };

/** The rows as a Markdown table, goals and verdicts beside them. */
export function markdownOf(rows: readonly Row[]): string {
  const cells = rows.map((row) => [
    row.what,
    shown(row.forge, row.unit),
    `${row.against}: ${shown(row.other, row.unit)}`,
    row.ratio === undefined ? "–" : row.ratio.toFixed(2),
    goalText(row),
    verdict(row),
  ]);
  const header = ["Figure", "Forge", "Against", "Ratio", "Goal", "Verdict"];
  const rule = ["---", "---:", "---:", "---:", "---", "---"];
  return [header, rule, ...cells].map((line) => `| ${line.join(" | ")} |`).join("\n");
}

/** Describes the machine. Figures of two machines can be compared by their ratios only. */
export function machineText(): string {
  const [first] = cpus();
  return `Node ${process.version}, ${platform()} ${arch()}, ${cpus().length} × ${first?.model ?? "unknown processor"}`;
}

function shown(value: number | undefined, unit: Unit): string {
  if (value === undefined) return "–";
  const places = value < 1 && unit === "ms" ? 3 : decimals[unit];
  return `${value.toFixed(places)} ${unit}`;
}

function goalText({ goal, unit }: Row): string {
  if (!goal) return "";
  const word = goal.kind === "aim" ? "aim: " : "";
  if ("atMostOver" in goal) return `at most ${goal.atMostOver} ${unit} more`;
  return "atMost" in goal ? `${word}at most ${goal.atMost}` : `${word}at least ${goal.atLeast}`;
}
