import { ForgeError } from "../../kernel/errors.ts";
import { isRecord } from "../../kernel/json.ts";
import { didYouMean } from "../../kernel/text/closest.ts";

/** The user's settings file as it was found, or why it could not be read; `~/.forge/settings.json`. */
export type SettingsFile = { path: string; text: string | ForgeError };

type StoredSettings = { values: Record<string, unknown>; warnings: string[] };

/** The settings in the file, and a warning for each unknown key; an error if the file cannot be used at all. */
export function storedSettings(file: SettingsFile, known: readonly string[]): StoredSettings | ForgeError {
  const parsed = parseFile(file);
  if (parsed instanceof ForgeError) return parsed;
  const values = flattenGroups(parsed, known);
  const unknown = Object.keys(values).filter((key) => !known.includes(key));
  // Another version of Forge may know the key, so this is not an error.
  const warnings = unknown.map((key) =>
    [`${file.path}: unknown setting "${key.slice(0, 64)}".`, ...didYouMean(key, known)].join(" "),
  );
  return { values, warnings };
}

/** `{"worktrees": {"path": …}}` is the same as `{"worktrees.path": …}`. */
function flattenGroups(values: Record<string, unknown>, known: readonly string[]): Record<string, unknown> {
  const entries = Object.entries(values).flatMap(([key, value]) =>
    isRecord(value) && known.some((name) => name.startsWith(`${key}.`))
      ? Object.entries(value).map(([inner, given]) => [`${key}.${inner}`, given])
      : [[key, value]],
  );
  return Object.fromEntries(entries);
}

function parseFile({ path, text }: SettingsFile): Record<string, unknown> | ForgeError {
  if (text instanceof ForgeError) return text;
  try {
    const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ""));
    if (isRecord(value)) return { ...value };
    return brokenFile(path, "it must contain one JSON object");
  } catch (error) {
    return brokenFile(path, `it is not valid JSON${whereIn(text, error)}`);
  }
}

/** The parser's own message quotes the text, which may hold a secret; only the place is taken from it. */
function whereIn(text: string, error: unknown): string {
  const position = /position (\d+)/.exec(error instanceof Error ? error.message : "")?.[1];
  if (position === undefined) return "";
  return ` (line ${text.slice(0, Number(position)).split("\n").length})`;
}

function brokenFile(path: string, problem: string): ForgeError {
  return new ForgeError("CONFIG_ERROR", `The settings file ${path} cannot be used: ${problem}.`, {
    details: { file: path },
    next: ["Correct the file, or rename it to use the defaults."],
  });
}
