import { ForgeError } from "../../../kernel/errors.ts";
import { normalize } from "../../../platform/embed/normalize.ts";

/** What a model returned, checked: as many vectors as texts, all of one length, with numbers only. */
export function checkVectors(model: string, given: unknown, texts: number): Float32Array[] {
  if (!Array.isArray(given) || given.length !== texts) throw wrongVectors(model, `it returned no vector for each text`);
  const [first] = given;
  const dimensions = Array.isArray(first) ? first.length : 0;
  return given.map((vector) => {
    if (!Array.isArray(vector) || vector.length === 0 || vector.length !== dimensions)
      throw wrongVectors(model, "its vectors have different lengths");
    if (!vector.every((value) => typeof value === "number" && Number.isFinite(value)))
      throw wrongVectors(model, "a vector contains a value that is not a number");
    return normalize(Float32Array.from(vector));
  });
}

export function wrongVectors(model: string, why: string): ForgeError {
  return new ForgeError("DEPENDENCY_ERROR", `The embedding model ${model.slice(0, 200)} cannot be used: ${why}.`, {
    details: { model: model.slice(0, 200) },
    next: ["Check the model's name and that it is an embedding model."],
  });
}
