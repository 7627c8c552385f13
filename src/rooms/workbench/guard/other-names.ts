import type { TrackedLink } from "../../../platform/git/read/tracked-links.ts";

const maxNames = 50;

/** The names that a file has through links beside its own: `.cursor/rules/a.md` for `docs/rules/a.md`. */
export function listOtherNames(path: string, links: readonly TrackedLink[]): string[] {
  const names = new Set([path]);
  // Those that are added are looked at, too: a link may lead to another.
  for (const name of names)
    for (const link of links) {
      if (names.size >= maxNames) break;
      if (name === link.target) names.add(link.path);
      else if (link.target === ".") names.add(`${link.path}/${name}`);
      else if (name.startsWith(`${link.target}/`)) names.add(link.path + name.slice(link.target.length));
    }
  names.delete(path);
  return [...names];
}
