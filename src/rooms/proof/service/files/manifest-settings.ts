import { isDeepStrictEqual } from "node:util";
import { tryParseRecord } from "../../../../kernel/json.ts";

/** Keys of package.json that are the settings of runners, compilers and linters. */
const keys = [
  ..."jest mocha ava tap babel nyc c8 eslintConfig eslintIgnore xo standard semistandard ts-standard stylelint".split(
    " ",
  ),
  ..."prettier jshintConfig remarkConfig commitlint lint-staged cspell knip size-limit bundlesize".split(" "),
];

export function isManifest(path: string): boolean {
  return path === "package.json" || path.endsWith("/package.json");
}

type Settings = Record<string, unknown>;

/** The settings in a package.json; none where it cannot be read. */
export function readSettingKeys(text: string | undefined): Settings {
  const manifest = readManifest(text ?? "") ?? {};
  return Object.fromEntries(keys.flatMap((key) => (manifest[key] === undefined ? [] : [[key, manifest[key]]])));
}

/** What other programs may read and Forge cannot, such as a link or one with comments, can say anything. */
export function hasSameSettings(one: string | undefined, other: string | undefined): boolean {
  if (one === other) return true;
  const isUnread = [one, other].some((text) => text !== undefined && !readManifest(text));
  return !isUnread && isDeepStrictEqual(readSettingKeys(one), readSettingKeys(other));
}

/** A package.json with the settings of another, for the rest is not the check's: dependencies, scripts. The other, if it cannot be read. */
export function withSettingsOf(text: string, other: string): string {
  const manifest = readManifest(text);
  if (!manifest) return other;
  const rest = Object.entries(manifest).filter(([key]) => !keys.includes(key));
  return `${JSON.stringify({ ...Object.fromEntries(rest), ...readSettingKeys(other) }, undefined, 2)}\n`;
}

/** Package managers and linters skip the mark that some editors write at the beginning. */
function readManifest(text: string): Settings | undefined {
  return tryParseRecord(text.replace(/^\uFEFF/, ""));
}
