/**
 * The figures, in one command: `npm run bench [-- --quick] [-- --json FILE] [-- --strict]`. They are for people to read, so
 * the exit code says only whether the bench itself could run; with --strict also whether every target was kept.
 */
import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { effortOf } from "./effort.ts";
import { measureCalls } from "./figures/calls.ts";
import { measureCli } from "./figures/cli.ts";
import { measureExec } from "./figures/exec.ts";
import { measureFiles } from "./figures/files.ts";
import { measureRepository } from "./figures/repository.ts";
import { measureStart } from "./figures/start.ts";
import { measureStore } from "./figures/store.ts";
import { machineText, markdownOf } from "./report.ts";
import { missedTargets } from "./row.ts";
import { openWorkshop } from "./workshop.ts";

const { values } = parseArgs({
  options: {
    quick: { type: "boolean", default: false },
    json: { type: "string" },
    strict: { type: "boolean", default: false },
    seed: { type: "string", default: "1" },
  },
});
const effort = effortOf({ quick: values.quick, seed: Number(values.seed) });
const progress = (text: string) => process.stderr.write(`${text}\n`);

progress("Building the servers …");
const workshop = await openWorkshop();
try {
  progress("Starts …");
  const starts = await measureStart(workshop, effort);
  progress("Calls …");
  const calls = await measureCalls(workshop, effort);
  progress("Repository …");
  const repository = await measureRepository(workshop, effort);
  progress("Store …");
  const store = await measureStore(workshop.env, effort);
  progress("Files …");
  const files = await measureFiles(workshop, effort);
  progress("Programs …");
  const exec = await measureExec(effort);
  progress("Commands …");
  const cli = await measureCli(workshop, effort);
  const figures = { starts, calls, repository, store, files, exec, cli };
  const rows = Object.values(figures).flatMap((figure) => figure.rows);
  console.log(`${machineText()}\n\n${markdownOf(rows)}`);
  if (values.quick) progress("A quick run shows that the bench works; it has too few samples to judge by.");
  const missed = missedTargets(rows);
  if (values.strict && missed.length > 0) {
    progress(`Missed: ${missed.map(({ what }) => what).join("; ")}.`);
    process.exitCode = 1;
  }
  if (values.json !== undefined) {
    const samples = Object.fromEntries(Object.entries(figures).map(([name, figure]) => [name, figure.samples]));
    writeFileSync(values.json, `${JSON.stringify({ machine: machineText(), rows, samples }, undefined, 2)}\n`);
  }
} finally {
  workshop.dispose();
}
