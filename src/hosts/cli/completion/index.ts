/** One door, so that the build makes one file of it. */
export { completeArguments } from "./argument-words.ts";
export { completeLine } from "./complete-line.ts";
export { scriptFor } from "./scripts.ts";
