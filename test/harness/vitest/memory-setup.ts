import { afterEach } from "vitest";

/**
 * Starting a process copies the page tables of the one that starts it. With half a gigabyte of garbage that costs three times
 * as much as without, and the tests start tens of thousands of processes.
 */
const maxGrowthBytes = 100 * 2 ** 20;

let settledBytes = process.memoryUsage.rss();

afterEach(() => {
  if (process.memoryUsage.rss() < settledBytes + maxGrowthBytes) return;
  globalThis.gc?.();
  settledBytes = process.memoryUsage.rss();
});
