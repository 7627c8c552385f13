import { ForgeError } from "../errors.ts";

/** Limits on any input, checked before its schema: schemas visit every element first and count afterwards. */
const inputLimits = { elements: 10_000, characters: 1_048_576, depth: 64 };

export const maxElements = inputLimits.elements;

/** Throws where a value is too large or too deep, or has text that no encoding can hold. Stops at the first limit passed, so a hostile value costs little. */
export function assertWithinLimits(value: unknown): void {
  const seen = { elements: 0, characters: 0 };
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > inputLimits.depth) throw tooLarge("nesting", inputLimits.depth, "levels");
    // Plain loops: every call of every tool and route comes through here.
    const next: unknown[] = [];
    for (const item of level) {
      for (const child of count(item, seen)) next.push(child);
      if (seen.elements > inputLimits.elements) throw tooManyElements();
      if (seen.characters > inputLimits.characters)
        throw tooLarge("amount of text", inputLimits.characters, "characters");
    }
    level = next;
  }
}

const loneSurrogate = /\p{Cs}/u;
const none: readonly unknown[] = [];

/** Adds one value's own size to what was seen; returns its children, or none where there are too many to be worth listing. */
function count(value: unknown, seen: { elements: number; characters: number }): readonly unknown[] {
  if (typeof value === "string") {
    seen.characters += value.length;
    if (loneSurrogate.test(value)) throw halfCharacter();
  }
  if (value === null || typeof value !== "object") return none;
  if (Array.isArray(value)) {
    seen.elements += value.length;
    return value.length > inputLimits.elements ? none : value;
  }
  const keys = Object.keys(value);
  seen.elements += keys.length;
  for (const key of keys) {
    seen.characters += key.length;
    if (loneSurrogate.test(key)) throw halfCharacter();
  }
  return keys.length > inputLimits.elements ? none : Object.values(value);
}

export function tooManyElements(): ForgeError {
  return tooLarge("number of elements", maxElements, "elements");
}

function tooLarge(what: string, limit: number, unit: string): ForgeError {
  return new ForgeError("VALIDATION_ERROR", `The arguments are too large: the ${what} is over ${limit} ${unit}.`, {
    details: { limit, unit },
    next: ["Send less in one call, or split the work over several calls."],
  });
}

/** Storing it would put another character in its place. */
function halfCharacter(): ForgeError {
  return new ForgeError("VALIDATION_ERROR", "The arguments contain half a character (a lone surrogate).", {
    details: { reason: "lone-surrogate" },
    next: ["Send complete characters: both halves of a surrogate pair, or neither. Nothing was changed."],
  });
}
