/** Prints what a process holds, in MB, without the encoder and, with `load`, after it was used: `node --expose-gc FILE FOLDER [load]`. */
import { StaticEncoder } from "../../src/platform/embed/static-encoder.ts";

const [folder = "", wish] = process.argv.slice(2);
const encoder = wish === "load" ? StaticEncoder.load(folder) : undefined;
for (let at = 0; at < 1_000; at++) encoder?.embed(`the cache of session ${at} times out before its lease`);
globalThis.gc?.();
const { heapUsed, external, rss } = process.memoryUsage();
console.log(
  JSON.stringify({ held: (heapUsed + external) / 1e6, resident: rss / 1e6, dimensions: encoder?.dimensions }),
);
