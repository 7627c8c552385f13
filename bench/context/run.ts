/**
 * How many of the first five files that Forge shows for a task a developer would open: `npm run bench:context -- --repositories
 * FOLDER [--json FILE]`. The folder has clones of the repositories in tasks.json, as `owner/name`; what is missing is skipped.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { findClone, type LabelledTask, type Measured, measureTask } from "./measure.ts";

const target = 0.65;
/** Of the ranking by names and imports alone, which this one replaced; measured on the same tasks. */
const earlier = { precision: 0.38, recall: 0.51 };

const { values } = parseArgs({ options: { repositories: { type: "string" }, json: { type: "string" } } });
const tasks: LabelledTask[] = JSON.parse(readFileSync(new URL("tasks.json", import.meta.url), "utf8"));
const names = [...new Set(tasks.map(({ repository }) => repository))];
const folder = values.repositories;
const clones = new Map(
  names.map((name) => [name, folder === undefined ? undefined : findClone(folder, name)] as const),
);
const missing = names.filter((name) => clones.get(name) === undefined);
if (missing.length > 0)
  process.stderr.write(
    `Skipped: ${missing.join(", ")}. Clone them and give their folder with --repositories FOLDER.\n`,
  );

const measured: Measured[] = [];
for (const task of tasks) {
  const clone = clones.get(task.repository);
  if (clone !== undefined) measured.push(await measureTask(task, clone));
}
if (measured.length > 0) report();

function report(): void {
  console.log("| Repository | Tasks | Forge | BM25 over contents |\n| --- | ---: | ---: | ---: |");
  for (const name of names) {
    const own = measured.filter(({ task }) => task.repository === name);
    if (own.length > 0) console.log(row(name, own));
  }
  console.log(row("All", measured));
  const precision = average(measured.map(({ forge }) => forge.precision));
  const recall = [average(measured.map(({ forge }) => forge.recall)), average(measured.map(({ bm25 }) => bm25.recall))];
  console.log(
    [
      "",
      `Precision at 5: ${precision.toFixed(2)} (target at least ${target}: ${precision >= target ? "pass" : "miss"}).`,
      `Of the files that the commit changed, ${format(recall[0])} are among the first ten (BM25 ${format(recall[1])}).`,
      `The ranking by names and imports alone had ${earlier.precision} and ${earlier.recall}.`,
      `Median time: ${median(measured.map(({ ms }) => ms)).toFixed(0)} ms.`,
    ].join("\n"),
  );
  if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(measured, undefined, 2)}\n`);
}

function row(name: string, own: readonly Measured[]): string {
  const cells = [own.map(({ forge }) => forge.precision), own.map(({ bm25 }) => bm25.precision)];
  return `| ${name} | ${own.length} | ${cells.map((cell) => format(average(cell))).join(" | ")} |`;
}

function format(value: number | undefined): string {
  return value?.toFixed(2) ?? "–";
}

function average(numbers: readonly number[]): number {
  return numbers.reduce((sum, one) => sum + one, 0) / numbers.length;
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;
}
