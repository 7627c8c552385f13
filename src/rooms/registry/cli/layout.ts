import type { Output } from "../../../kernel/definitions/command.ts";
import { plain, plainLines } from "../../../platform/terminal/text.ts";

/** Settings that the commands of the registry use. */
export const registrySettings = ["project", "databaseUrl", "ledgerDays"];

const maxShown = 2_000;

/** Fields one below the other; those without a value are left out. */
export function printFields(fields: Record<string, unknown>, out: Output): void {
  const shown = Object.entries(fields).flatMap(([name, value]): [string, string][] => {
    const text = Array.isArray(value)
      ? value.join(", ")
      : typeof value === "object" && value !== null
        ? JSON.stringify(value)
        : String(value ?? "");
    return text === "" || name === "warnings" ? [] : [[titleOf(name), text.replace(/\s+/g, " ").slice(0, maxShown)]];
  });
  const width = Math.max(...shown.map(([title]) => title.length)) + 2;
  out.print(shown.map(([title, text]) => `${out.style.bold(`${title}:`.padEnd(width))}${plain(text)}`).join("\n"));
}

function titleOf(name: string): string {
  const words = name.replace(/([a-z])([A-Z])/g, "$1 $2").toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** What a command wrote, or would write. */
export function printWritten(
  what: string,
  { path, text, dryRun }: { path: string; text?: string; dryRun: boolean },
  out: Output,
): void {
  if (!dryRun) out.print(`${what} ${plain(path)}`);
  else {
    out.note(`Would write ${plain(path)}:`);
    if (text !== undefined) out.print(plainLines(text).trimEnd());
  }
}
