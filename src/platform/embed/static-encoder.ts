import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ForgeError } from "../../kernel/errors.ts";
import { modelFolder } from "./model-folder.ts";
import { normalize } from "./normalize.ts";
import { Vocabulary } from "./tokenizer.ts";

const headerBytes = 16;

/**
 * Text as a vector: the sum of its words' rows, divided by its length, so that a product of two is their cosine. Rows are stored
 * in 4 bits with a scale each; see scripts/encoder.
 */
export class StaticEncoder {
  readonly dimensions: number;
  readonly #scales: Float32Array;
  readonly #values: Uint8Array;
  readonly #vocabulary: Vocabulary;

  constructor(table: Buffer, words: Buffer) {
    if (table.length < headerBytes || table.toString("latin1", 0, 4) !== "FENC") throw brokenModel();
    const [rows, dimensions] = [table.readUInt32LE(8), table.readUInt32LE(12)];
    if (rows === 0 || table.length !== headerBytes + rows * 4 + (rows * dimensions) / 2) throw brokenModel();
    const vocabulary = new Vocabulary(words, rows);
    if (vocabulary.size !== rows) throw brokenModel();
    this.dimensions = dimensions;
    this.#scales = new Float32Array(new Uint8Array(table.subarray(headerBytes, headerBytes + rows * 4)).buffer);
    this.#values = table.subarray(headerBytes + rows * 4);
    this.#vocabulary = vocabulary;
  }

  static load(folder = modelFolder): StaticEncoder {
    const read = (name: string) => {
      try {
        return readFileSync(join(folder, name));
      } catch (error) {
        throw brokenModel(error);
      }
    };
    return new StaticEncoder(read("encoder.bin"), read("vocabulary.txt"));
  }

  /** A text without a known word is all zeros. */
  embed(text: string): Float32Array {
    const sum = new Float32Array(this.dimensions);
    const half = this.dimensions / 2;
    for (const row of this.#vocabulary.rowsOf(text)) {
      const scale = this.#scales[row] ?? 0;
      for (let at = 0, from = row * half; at < half; at++) {
        const pair = this.#values[from + at] ?? 0;
        sum[2 * at] = (sum[2 * at] ?? 0) + ((pair & 15) - 8) * scale;
        sum[2 * at + 1] = (sum[2 * at + 1] ?? 0) + ((pair >> 4) - 8) * scale;
      }
    }
    return normalize(sum);
  }
}

function brokenModel(cause?: unknown): ForgeError {
  return new ForgeError("CONFIG_ERROR", "The text encoder's files are missing from this installation of Forge.", {
    next: ["Install Forge again."],
    cause,
  });
}
