/** The store works without letting go of the process; between two pieces of a long job, Ctrl+C has to be heard. */
export function breath(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
