/** One module, so that the build makes one file of it. */
export { completeLine } from "./complete-line.ts";
export { scriptFor } from "./scripts.ts";
