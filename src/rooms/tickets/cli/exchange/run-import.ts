import type * as z from "zod";
import type { Run } from "../../../../commons/cli/command-for.ts";
import { progressLine } from "../../../../commons/cli/print/progress-line.ts";
import { type Column, table } from "../../../../commons/cli/print/table.ts";
import type { Output } from "../../../../kernel/definitions/command.ts";
import { ForgeError } from "../../../../kernel/errors.ts";
import { plain } from "../../../../platform/terminal/text.ts";
import type { ImportOutcome } from "../../service/tickets.ts";
import type { importTickets } from "../../tools/exchange/import-tickets.ts";
import { importFailed, importFailedAt, importStopped, standardInputTwice } from "../errors.ts";
import { breath } from "./breath.ts";
import { splitBatches } from "./import-batches.ts";

type Input = z.input<(typeof importTickets)["input"]>;
type How = Pick<Input, "format" | "onExisting">;
type Imported = z.output<(typeof importTickets)["output"]>;
type Source = { text: string; source: string };

const maxFileBytes = 64 * 1_048_576;
const maxListed = 50;
const kinds = ["added", "replaced", "skipped", "unchanged"] as const;

type Outcome = Imported["outcomes"][number];

const columns: Column<Outcome>[] = [
  { title: "ID", cell: ({ id }) => id },
  { title: "OUTCOME", cell: ({ outcome }) => outcome },
  { title: "WAS", cell: ({ was = "" }) => was },
];

/** Imports file after file. A call carries one part of one file, so that it blocks other writers for a short time only. */
export async function runImport(
  { format, onExisting }: How,
  out: Output,
  { app, positionals: files, call }: Pick<Run, "app" | "positionals" | "call">,
): Promise<number> {
  if (files.filter((file) => file === "-").length > 1) throw standardInputTwice();
  const imported: Imported = { outcomes: [], warnings: [] };
  // Ctrl+C stops the import between two parts: of a call that was cut off, nobody knows what it stored.
  const never = new AbortController().signal;
  const importPart = (part: Source & How) =>
    call<typeof importTickets>("import_tickets", { ...part, onExisting }, never);
  for (const file of files) {
    const source = file === "-" ? "standard input" : file;
    try {
      const text = await app.files.read(file, out.signal, maxFileBytes);
      await importText({ text, source, format }, importPart, imported, out);
    } catch (error) {
      throw withImported(error, source, imported, out);
    } finally {
      out.progress(undefined);
    }
  }
  out.data(imported, () => describeImport(imported.outcomes, out));
  if (!out.json) for (const warning of imported.warnings) out.note(`${out.style.yellow("warning:")} ${plain(warning)}`);
  return 0;
}

async function importText(
  { text, source, format }: Source & How,
  importPart: (part: Source & How) => Promise<Imported>,
  imported: Imported,
  out: Output,
): Promise<void> {
  const batches = splitBatches(text, format);
  const total = batches.reduce((sum, { tickets }) => sum + tickets, 0);
  let done = 0;
  for (const { text: part, place, tickets } of batches) {
    await breath();
    if (out.signal.aborted) throw importStopped(source);
    if (batches.length > 1) out.progress(progressLine({ progress: done, total, message: source }));
    const request =
      place === undefined ? { source, format } : { source: `${source} (${place})`, format: "json" as const };
    try {
      const { outcomes, warnings } = await importPart({ ...request, text: part });
      imported.outcomes.push(...outcomes);
      imported.warnings.push(...warnings);
    } catch (error) {
      throw error instanceof ForgeError ? importFailedAt(error, request.source, place) : error;
    }
    done += tickets;
  }
}

function withImported(error: unknown, source: string, { outcomes }: Imported, out: Output): unknown {
  const text = countOutcomes(outcomes);
  if (error instanceof ForgeError) return importFailed(error, source, { count: outcomes.length, text });
  if (outcomes.length > 0) out.note(`Already imported, and kept: ${text}.`);
  return error;
}

function describeImport(outcomes: readonly Outcome[], out: Output): string {
  const rows = outcomes.length > maxListed ? [] : outcomes;
  const listed = rows.length === 0 ? [] : [table(columns, rows, out, { header: false })];
  return [...listed, `${countOutcomes(outcomes)}.`].join("\n");
}

function countOutcomes(outcomes: readonly Pick<ImportOutcome, "outcome">[]): string {
  const parts = kinds.flatMap((kind) => {
    const count = outcomes.filter(({ outcome }) => outcome === kind).length;
    return count === 0 ? [] : [`${count} ${kind}`];
  });
  const total = `${outcomes.length} ${outcomes.length === 1 ? "ticket" : "tickets"}`;
  return parts.length === 0 ? total : `${total}: ${parts.join(", ")}`;
}
