/** A vector as it is stored and compared: a byte for each dimension, after the factor that makes a product a cosine. */
export type PackedVector = { values: Int8Array; factor: number };

/** Before the numbers of a stored vector. */
export const factorBytes = 4;

export function quantize(vector: Float32Array): PackedVector {
  let highest = 0;
  for (const value of vector) highest = Math.max(highest, Math.abs(value));
  const values = new Int8Array(vector.length);
  let squares = 0;
  for (let at = 0; at < vector.length && highest > 0; at++) {
    const value = Math.round(((vector[at] ?? 0) / highest) * 127);
    values[at] = value;
    squares += value * value;
  }
  return { values, factor: squares === 0 ? 0 : 1 / Math.sqrt(squares) };
}

export function packVector(vector: Float32Array): Uint8Array {
  const { values, factor } = quantize(vector);
  const bytes = Buffer.alloc(factorBytes + values.length);
  bytes.writeFloatLE(factor);
  bytes.set(new Uint8Array(values.buffer), factorBytes);
  return bytes;
}

/** Bytes of a stored vector. */
export function packedLength(dimensions: number): number {
  return factorBytes + dimensions;
}

/** Undefined for bytes that nothing of ours wrote. */
export function unpackVector(bytes: Uint8Array): PackedVector | undefined {
  if (bytes.length <= factorBytes) return undefined;
  const factor = Buffer.from(bytes.buffer, bytes.byteOffset, factorBytes).readFloatLE();
  if (!Number.isFinite(factor)) return undefined;
  return { values: new Int8Array(bytes.buffer, bytes.byteOffset + factorBytes, bytes.length - factorBytes), factor };
}

/** Back to numbers of length one, for stores that keep those. */
export function unquantize({ values, factor }: PackedVector): number[] {
  return Array.from(values, (value) => value * factor);
}
