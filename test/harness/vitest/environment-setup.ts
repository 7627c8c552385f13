import { afterAll, vi } from "vitest";

/**
 * Runs before each test file, of which one process runs many. A file that leaves the environment changed (a home folder of its own,
 * say) would take installed programs away from the files after it.
 */
const before = { ...process.env };

afterAll(() => {
  vi.unstubAllEnvs();
  for (const name of Object.keys(process.env)) if (before[name] === undefined) delete process.env[name];
  Object.assign(process.env, before);
});
