/** Runs once before all tests. */
export async function setup(): Promise<void> {}
