import type { CharSet } from "./char-set.ts";

/** What a pattern says, whatever language it was written in. */
export type Pattern =
  | { kind: "unit"; set: CharSet }
  | { kind: "sequence"; parts: Pattern[] }
  | { kind: "choice"; parts: Pattern[] }
  /** Without a maximum: as often as there is. */
  | { kind: "repeat"; part: Pattern; min: number; max: number | undefined }
  | { kind: "place"; place: Place };

/** A place between two characters. */
export type Place = "line start" | "line end" | "word edge" | "no word edge";

const otherEnd: Record<Place, Place> = {
  "line start": "line end",
  "line end": "line start",
  "word edge": "word edge",
  "no word edge": "no word edge",
};

/** The pattern of the same texts read from their ends. */
export function reversed(pattern: Pattern): Pattern {
  switch (pattern.kind) {
    case "unit":
      return pattern;
    case "place":
      return { kind: "place", place: otherEnd[pattern.place] };
    case "repeat":
      return { ...pattern, part: reversed(pattern.part) };
    case "choice":
      return { ...pattern, parts: pattern.parts.map(reversed) };
    case "sequence":
      return { ...pattern, parts: pattern.parts.map(reversed).reverse() };
  }
}
