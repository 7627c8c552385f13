import type { TrackedLink } from "../../../platform/git/read/tracked-links.ts";

const maxNames = 1_000;

/**
 * The names that a file has through links beside its own: `.cursor/rules/a.md` for `docs/rules/a.md`. Where there are too many to
 * list, the links themselves are among them: the file may have a name below any of them.
 */
export function listOtherNames(path: string, links: readonly TrackedLink[]): string[] {
  // Each with the links on the way to it: through one that leads to a folder around itself, a file has names without end.
  const names = new Map<string, readonly TrackedLink[]>([[path, []]]);
  // Those that are added are looked at, too: a link may lead to another.
  for (const [name, way] of names)
    for (const link of links) {
      const other = way.includes(link) ? undefined : nameThrough(name, link);
      if (other === undefined || names.has(other)) continue;
      if (names.size > maxNames) return [...names.keys(), ...links.map((one) => one.path)];
      names.set(other, [...way, link]);
    }
  names.delete(path);
  return [...names.keys()];
}

/** What a file is also called because of a link; undefined where the link does not lead to it. */
function nameThrough(name: string, { path, target }: TrackedLink): string | undefined {
  if (name === target) return path;
  if (target === ".") return `${path}/${name}`;
  return name.startsWith(`${target}/`) ? path + name.slice(target.length) : undefined;
}
