import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { beside } from "./faults.ts";

const script = fileURLToPath(new URL("racer.py", import.meta.url));

/** Swaps two entries thousands of times a second until the test ends. Resolves once it has started. */
export async function race(a: string, b: string): Promise<void> {
  const racer = beside("python3", [script, a, b]);
  if (!racer.stdout) throw new Error("the racer has no output");
  await once(racer.stdout, "data");
}

/** Repeats something for a while; returns how often each outcome occurred. */
export async function outcomes(
  forMs: number,
  attempt: () => Promise<string> | string,
): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  const deadline = Date.now() + forMs;
  while (Date.now() < deadline) {
    const outcome = await attempt();
    counts[outcome] = (counts[outcome] ?? 0) + 1;
  }
  return counts;
}
