import { join } from "node:path";
import * as z from "zod";
import type { Coverage } from "../test-run.ts";
import { readJsonReport, readReport } from "./report-files.ts";

const summary = z.object({ total: z.object({ lines: z.object({ total: z.number(), covered: z.number() }) }) });

/** `coverage-summary.json`, as Istanbul's reporters write it. */
export function readIstanbulCoverage(folder: string): Coverage | undefined {
  const parsed = summary.safeParse(readJsonReport(join(folder, "coverage-summary.json")));
  if (!parsed.success) return undefined;
  const { total, covered } = parsed.data.total.lines;
  return createCoverage(covered, total);
}

/** Cobertura's form, as coverage.py writes it in every version; JSON came to pytest-cov only with 4.1. */
export function readCoberturaCoverage(file: string): Coverage | undefined {
  const [root = ""] = /<coverage\b[^>]*/.exec(readReport(file)?.slice(0, 10_000) ?? "") ?? [];
  const [, total] = /\blines-valid="(\d{1,15})"/.exec(root) ?? [];
  const [, covered] = /\blines-covered="(\d{1,15})"/.exec(root) ?? [];
  return total === undefined || covered === undefined ? undefined : createCoverage(Number(covered), Number(total));
}

/** Go's profile: a line for each block, with how many statements it has and how often it ran. */
export function readGoCoverage(file: string): Coverage | undefined {
  const lines = readReport(file)?.split("\n").slice(1) ?? [];
  const blocks = new Map<string, { statements: number; ran: boolean }>();
  for (const line of lines) {
    const [block, statements, count] = line.split(" ");
    if (block === undefined || statements === undefined || count === undefined) continue;
    const ran = Number(count) > 0 || blocks.get(block)?.ran === true;
    blocks.set(block, { statements: Number(statements), ran });
  }
  const all = [...blocks.values()];
  const sum = (list: typeof all) => list.reduce((total, { statements }) => total + statements, 0);
  return all.length === 0 ? undefined : createCoverage(sum(all.filter(({ ran }) => ran)), sum(all));
}

export function createCoverage(covered: number, total: number): Coverage {
  const percentage = total === 0 ? 100 : Math.round((covered / total) * 1000) / 10;
  return { lines_covered: covered, total_lines: total, percentage };
}
