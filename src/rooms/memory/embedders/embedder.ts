/** Makes vectors of texts. Two vectors are compared only if one model made both. */
export type Embedder = {
  /** The model, with everything that changes its vectors; stored with each of them. */
  name: string;
  /** One vector of length one for each text. Throws a ForgeError where the model cannot be used. */
  embed(texts: readonly string[], signal?: AbortSignal): Promise<Float32Array[]>;
  stop?(): Promise<void> | void;
};
