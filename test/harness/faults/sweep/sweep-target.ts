/** Runs one operation of the sweep between two marks in its system calls, and prints the result. */
import { statSync, writeSync } from "node:fs";
import { ForgeError } from "../../../../src/kernel/errors.ts";
import { sweepRows } from "./sweep-rows.ts";

const [name, folder = ""] = process.argv.slice(2);
const row = sweepRows.find((candidate) => candidate.name === name);
if (!row) throw new Error(`no such operation: ${name}`);

const begin = () => void statSync("/forge-sweep-begin", { throwIfNoEntry: false });
const end = () => void statSync("/forge-sweep-end", { throwIfNoEntry: false });

(row.warmUp?.(folder) ?? Promise.resolve())
  .then(begin)
  .then(() => row.run(folder))
  .then(() => ({ outcome: "done" }), refusal)
  .then((ending) => {
    end();
    writeSync(1, JSON.stringify(ending));
  });

function refusal(error: unknown) {
  if (!(error instanceof ForgeError)) throw error;
  const { code, message } = error;
  return { outcome: "refused", code, message, made: error.details?.["made"] === true };
}
