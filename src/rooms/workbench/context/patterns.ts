import { listCodeLines } from "../../../commons/code-index/code-lines.ts";
import { detectLanguage, type Ecosystem } from "../../../commons/code-index/languages.ts";
import { visible } from "../../../kernel/visible.ts";
import { idioms } from "./idioms.ts";
import { purposeOf } from "./purposes.ts";

const maxPlaces = 2;
const maxLength = 400;
const plainUse = "Uses ";

/** A file that was read: `packages` are those of elsewhere that it imports, under the names the project's manifests have. */
export type ReadSource = { path: string; text: string; imports: readonly string[]; packages: readonly string[] };

/** Ways of the project's code, each met in one of these files at least; what is met in the first of them comes first. */
export function findPatterns(sources: readonly ReadSource[]): string[] {
  const found = new Map<string, string[]>();
  for (const source of sources) {
    for (const says of new Set([...usesOf(source), ...idiomsOf(source)])) {
      const places = found.get(says);
      if (places) places.push(source.path);
      else found.set(says, [source.path]);
    }
  }
  const met = [...found].map(([says, places], place) => {
    const often = says.startsWith(plainUse) && !says.includes(" for ") ? places.length / 4 : places.length;
    return { says, places, rank: often - place / 4 };
  });
  const ranked = met.sort((a, b) => b.rank - a.rank);
  return ranked.map(({ says, places }) => `${visible(says)} (${describePlaces(places)})`.slice(0, maxLength));
}

/** Known packages with what they are for; others only by name. */
function usesOf({ path, imports, packages }: ReadSource): string[] {
  const ecosystem = detectLanguage(path)?.ecosystem;
  if (!ecosystem) return [];
  const known = imports.flatMap((imported) => purposeOf(ecosystem, imported) ?? []);
  const others = packages.filter((name) => !purposeOf(ecosystem, asImported(ecosystem, name)));
  return [
    ...known.map(({ name, purpose }) => {
      const declared = packages.find((one) => asImported(ecosystem, one) === name) ?? name;
      return `${plainUse}${declared} for ${purpose}`;
    }),
    ...others.map((name) => plainUse + name),
  ];
}

/** Rust writes `actix-web` as `actix_web`. */
function asImported(ecosystem: Ecosystem, name: string): string {
  return ecosystem === "rust" ? name.replaceAll("-", "_") : name;
}

function idiomsOf({ path, text }: ReadSource): string[] {
  const ecosystem = detectLanguage(path)?.ecosystem;
  const own = idioms.filter((idiom) => idiom.ecosystem === ecosystem);
  if (own.length === 0) return [];
  const lines = listCodeLines(path, text);
  return own
    .filter(({ line, with: besides = "", least = 1 }) => {
      let left = least;
      return lines.some((text) => text.includes(besides) && line.test(text) && --left === 0);
    })
    .map(({ says }) => says);
}

function describePlaces(places: readonly string[]): string {
  const some = places.slice(0, maxPlaces).map(visible).join(", ");
  return places.length > maxPlaces ? `${some} and ${places.length - maxPlaces} more` : some;
}
