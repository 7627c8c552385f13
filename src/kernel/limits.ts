import { ForgeError } from "./errors.ts";

/** Bounds on any input before its schema looks at it: schemas visit every element first and count afterwards. */
export const inputLimits = { elements: 10_000, characters: 1_048_576, depth: 64 };

/** Throws where a value is too large or too deep. Stops at the first excess, so a hostile value costs little. */
export function assertWithinLimits(value: unknown, limits = inputLimits): void {
  let elements = 0;
  let characters = 0;
  const stack: { value: unknown; depth: number }[] = [{ value, depth: 0 }];
  for (let item = stack.pop(); item; item = stack.pop()) {
    if (item.depth > limits.depth) throw tooLarge("nesting", limits.depth, "levels");
    if (typeof item.value === "string") characters += item.value.length;
    else if (item.value !== null && typeof item.value === "object") {
      const keys = Array.isArray(item.value) ? undefined : Object.keys(item.value);
      elements += keys?.length ?? (item.value as unknown[]).length;
      if (elements > limits.elements) throw tooLarge("number of elements", limits.elements, "elements");
      for (const key of keys ?? []) characters += key.length;
      for (const child of Object.values(item.value)) stack.push({ value: child, depth: item.depth + 1 });
    }
    if (characters > limits.characters) throw tooLarge("amount of text", limits.characters, "characters");
  }
}

function tooLarge(what: string, limit: number, unit: string): ForgeError {
  return new ForgeError("VALIDATION_ERROR", `The arguments are too large: the ${what} is over ${limit} ${unit}.`, {
    details: { limit, unit },
    suggestions: ["Send less in one call, or split the work over several calls."],
  });
}
