import { isDeepStrictEqual } from "node:util";
import { tryParseRecord } from "../../../../kernel/json.ts";

/** Keys of package.json that are the settings of runners, compilers and linters. */
const keys = "jest mocha ava tap babel nyc c8 eslintConfig xo stylelint prettier".split(" ");

export function isManifest(path: string): boolean {
  return path === "package.json" || path.endsWith("/package.json");
}

type Settings = Record<string, unknown>;

/** The settings in a package.json; none where it cannot be read. */
export function readSettingKeys(text: string | undefined): Settings {
  const manifest = tryParseRecord(text ?? "") ?? {};
  return Object.fromEntries(keys.flatMap((key) => (manifest[key] === undefined ? [] : [[key, manifest[key]]])));
}

export function hasSameSettings(one: string | undefined, other: string | undefined): boolean {
  return isDeepStrictEqual(readSettingKeys(one), readSettingKeys(other));
}

/** A package.json with the settings of another, for the rest is not the check's: dependencies, scripts. */
export function withSettingsOf(text: string, other: string): string {
  const rest = Object.entries(tryParseRecord(text ?? "") ?? {}).filter(([key]) => !keys.includes(key));
  return `${JSON.stringify({ ...Object.fromEntries(rest), ...readSettingKeys(other) }, undefined, 2)}\n`;
}
