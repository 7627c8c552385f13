import semver from "semver";

export const noVersion = "0.0.0";

/** Whether a text can be a version, of whatever kind: it is shown, and part of addresses. */
export function isVersion(text: string): boolean {
  return /^[\w.+-]{1,256}$/.test(text);
}

/** A version as semver has it; `1.0` and `v2` are understood. */
function parseVersion(version: string): semver.SemVer {
  return semver.parse(version) ?? semver.coerce(version) ?? new semver.SemVer(noVersion);
}

export function compareVersions(a: string, b: string): number {
  return semver.compare(parseVersion(a), parseVersion(b));
}

export function isNewer(version: string, than: string): boolean {
  return compareVersions(version, than) > 0;
}

/** Whether going from one version to another may break users: a new major, or a new minor before 1.0. */
export function isBreakingStep(from: string, to: string): boolean {
  const [a, b] = [parseVersion(from), parseVersion(to)];
  return b.major > a.major || (a.major === 0 && b.major === 0 && b.minor > a.minor);
}

export function isRange(range: string): boolean {
  return range === "latest" || semver.validRange(range) !== null;
}

export function isAnyVersion(range: string | undefined): boolean {
  return range === undefined || range === "latest" || range === "*" || range === "";
}

/** `latest` and no range at all take any version; a pre-release only counts where a range names one. */
export function satisfies(version: string, range: string | undefined): boolean {
  if (range === undefined || isAnyVersion(range) || version === range) return true;
  return semver.satisfies(parseVersion(version), range);
}

/** The highest version that satisfies all ranges. Without a range, a pre-release counts only where there is nothing else. */
export function highest<T>(
  items: readonly T[],
  versionOf: (item: T) => string,
  ranges: readonly (string | undefined)[],
): T | undefined {
  // Lists of thousands have one version of each name.
  if (items.length === 1 && ranges.length === 0) return items[0];
  const fitting = items.filter((item) => ranges.every((range) => satisfies(versionOf(item), range)));
  const stable = fitting.filter((item) => parseVersion(versionOf(item)).prerelease.length === 0);
  const isOpen = ranges.every(isAnyVersion);
  const candidates = isOpen && stable.length > 0 ? stable : fitting;
  return candidates.reduce<T | undefined>(
    (best, item) => (best === undefined || isNewer(versionOf(item), versionOf(best)) ? item : best),
    undefined,
  );
}

/** Of each name the item with the highest version. */
export function highestOfEach<T extends { name: string; version: string }>(items: readonly T[]): T[] {
  const byName = new Map<string, T[]>();
  for (const item of items) {
    const same = byName.get(item.name);
    if (same) same.push(item);
    else byName.set(item.name, [item]);
  }
  return [...byName.values()].flatMap((same) => highest(same, ({ version }) => version, []) ?? []);
}
