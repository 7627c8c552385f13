/** The store works synchronously; between two parts of a long job, Ctrl+C must be noticed. */
export function breath(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
