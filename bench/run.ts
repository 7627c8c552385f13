/**
 * Measures all figures: `npm run bench [-- --quick] [-- --only NAME,NAME] [-- --json FILE] [-- --strict]`. They are
 * for people to read: the exit code only shows whether the benchmark ran and, with --strict, whether every target
 * was met.
 */
import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { effortOf } from "./effort.ts";
import { type Figure, figures } from "./figures/index.ts";
import { machineText, markdownOf } from "./report.ts";
import { missedTargets } from "./row.ts";
import { openWorkshop } from "./workshop.ts";

const { values } = parseArgs({
  options: {
    quick: { type: "boolean", default: false },
    only: { type: "string" },
    json: { type: "string" },
    strict: { type: "boolean", default: false },
    seed: { type: "string", default: "1" },
  },
});
const effort = effortOf({ quick: values.quick, seed: Number(values.seed) });
const progress = (text: string) => process.stderr.write(`${text}\n`);

const names = Object.keys(figures);
const wanted = values.only?.split(",") ?? names;
const unknown = wanted.find((name) => !names.includes(name));
if (unknown !== undefined) throw new Error(`There is no figure named ${unknown}; there are ${names.join(", ")}.`);

progress("Building the servers …");
const workshop = await openWorkshop();
try {
  const measured: Record<string, Figure> = {};
  for (const [name, measure] of Object.entries(figures)) {
    if (!wanted.includes(name)) continue;
    progress(`Measuring ${name} …`);
    measured[name] = await measure(workshop, effort);
  }
  const rows = Object.values(measured).flatMap((figure) => figure.rows);
  console.log(`${machineText()}\n\n${markdownOf(rows)}`);
  if (values.quick) progress("A quick run shows that the bench works; it has too few samples to judge by.");
  const missed = missedTargets(rows);
  if (values.strict && missed.length > 0) {
    progress(`Missed: ${missed.map(({ what }) => what).join("; ")}.`);
    process.exitCode = 1;
  }
  if (values.json !== undefined) {
    const samples = Object.fromEntries(Object.entries(measured).map(([name, figure]) => [name, figure.samples]));
    writeFileSync(values.json, `${JSON.stringify({ machine: machineText(), rows, samples }, undefined, 2)}\n`);
  }
} finally {
  workshop.dispose();
}
