import { join } from "node:path";

/** Where the encoder's files are. The build replaces this module: in the package they are beside the program. */
export const modelFolder = join(import.meta.dirname, "model");
