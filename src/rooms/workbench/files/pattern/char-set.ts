/** Ranges of UTF-16 units, ends included, in order and apart from each other. */
export type CharSet = readonly (readonly [from: number, to: number])[];

export const largestUnit = 0xffff;

const unitOf = (character: string) => character.charCodeAt(0);
const between = (from: string, to: string) => [unitOf(from), unitOf(to)] as const;

export const digits: CharSet = [between("0", "9")];
export const wordUnits: CharSet = [between("0", "9"), between("A", "Z"), between("_", "_"), between("a", "z")];
export const spaces: CharSet = union([[9, 13]], [[32, 32]], [[160, 160]], [[0x2028, 0x2029]], [[0xfeff, 0xfeff]]);
/** No line has one in it. */
export const lineEnd: CharSet = [between("\n", "\n")];

export function single(unit: number): CharSet {
  return [[unit, unit]];
}

export function union(...sets: CharSet[]): CharSet {
  const ranges = sets.flat().sort((a, b) => a[0] - b[0]);
  const joined: [number, number][] = [];
  for (const [from, to] of ranges) {
    const last = joined.at(-1);
    if (last && from <= last[1] + 1) last[1] = Math.max(last[1], to);
    else joined.push([from, to]);
  }
  return joined;
}

export function complement(set: CharSet): CharSet {
  const ranges: [number, number][] = [];
  let next = 0;
  for (const [from, to] of set) {
    if (from > next) ranges.push([next, from - 1]);
    next = to + 1;
  }
  if (next <= largestUnit) ranges.push([next, largestUnit]);
  return ranges;
}

/** With the other case of each letter that has one of the same length. */
export function withBothCases(set: CharSet): CharSet {
  const others: CharSet[] = [];
  for (const [from, to] of set) {
    for (let unit = from; unit <= to; unit++) {
      const character = String.fromCharCode(unit);
      for (const other of [character.toLowerCase(), character.toUpperCase()])
        if (other.length === 1 && other !== character) others.push(single(unitOf(other)));
    }
  }
  return union(set, ...others);
}
