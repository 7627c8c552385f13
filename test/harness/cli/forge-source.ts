import { main } from "../../../src/main.ts";

/** The program from its source, as a process. */
await main("forge", process.argv.slice(2));
