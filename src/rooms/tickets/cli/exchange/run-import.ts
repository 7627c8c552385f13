import type { App } from "../../../../commons/cli/app.ts";
import { progressLine } from "../../../../commons/cli/progress-line.ts";
import { type Column, table } from "../../../../commons/cli/table.ts";
import type { Output } from "../../../../kernel/command.ts";
import { ForgeError } from "../../../../kernel/errors.ts";
import { plain } from "../../../../platform/terminal/text.ts";
import type { ImportOutcome, OnExisting } from "../../service/tickets.ts";
import { choiceOf } from "../choice.ts";
import { type TicketDesk, type TicketFormat, ticketFormats } from "../desk.ts";
import { deskForResult } from "../desk-for-result.ts";
import { breath } from "./breath.ts";
import { batchesOf } from "./import-batches.ts";

type Wanted = { files: string[]; format: string | undefined; onExisting: string };
type Imported = { outcomes: ImportOutcome[]; warnings: string[] };
type How = { format: TicketFormat | undefined; onExisting: OnExisting };

const largestFile = 64 * 1_048_576;
const shownOutcomes = 50;
const kinds = ["added", "replaced", "skipped", "unchanged"] as const;
const again = "To import the same again, give --on-existing skip; tickets without an id would be added twice.";
const ways = ["refuse", "skip", "replace", "new-id"] as const satisfies OnExisting[];

const columns: Column<ImportOutcome>[] = [
  { title: "ID", cell: ({ id }) => id },
  { title: "OUTCOME", cell: ({ outcome }) => outcome },
  { title: "WAS", cell: ({ was = "" }) => was },
];

export async function runImport(app: App, { files, format, onExisting }: Wanted, out: Output): Promise<number> {
  if (files.filter((file) => file === "-").length > 1) throw onlyOnce();
  const how = { format: choiceOf(ticketFormats, format), onExisting: choiceOf(ways, onExisting) ?? "refuse" };
  const desk = await deskForResult(app);
  const imported: Imported = { outcomes: [], warnings: [] };
  for (const file of files) {
    const source = file === "-" ? "standard input" : file;
    try {
      await importText(desk, { text: await app.readInput(file, out.signal, largestFile), source }, how, imported, out);
    } catch (error) {
      throw withWhatWasDone(error, source, imported, out);
    } finally {
      out.progress(undefined);
    }
  }
  out.data(imported, () => describe(imported.outcomes, out));
  if (!out.json) for (const warning of imported.warnings) out.note(`${out.style.yellow("warning:")} ${plain(warning)}`);
  return 0;
}

type Source = { text: string; source: string };

async function importText(desk: TicketDesk, { text, source }: Source, how: How, imported: Imported, out: Output) {
  const batches = batchesOf(text, how.format);
  const total = batches.reduce((sum, { tickets }) => sum + tickets, 0);
  let done = 0;
  for (const { text: part, place, tickets } of batches) {
    await breath();
    if (out.signal.aborted) throw new ForgeError("CANCELLED", `The import of ${source} was stopped.`);
    if (batches.length > 1) out.progress(progressLine({ progress: done, total, message: source }));
    const request =
      place === undefined ? { ...how, source } : { ...how, format: "json" as const, source: `${source} (${place})` };
    try {
      const { outcomes, warnings } = await desk.import({ ...request, text: part });
      imported.outcomes.push(...outcomes);
      imported.warnings.push(...warnings);
    } catch (error) {
      throw namingPlace(error, request.source, place);
    }
    done += tickets;
  }
}

/** Of a file that goes in parts, an error is about one of them: those before it are in. */
function namingPlace(error: unknown, source: string, part: string | undefined): unknown {
  if (!(error instanceof ForgeError)) return error;
  const message = error.message.includes(source) ? error.message : `${source}: ${error.message}`;
  return retold(error, message, [], part === undefined ? {} : { part });
}

function withWhatWasDone(error: unknown, source: string, { outcomes }: Imported, out: Output): unknown {
  const { part } = error instanceof ForgeError ? (error.details ?? {}) : {};
  const notIn = typeof part === "string" ? ` Not taken in: ${part}, and those after.` : "";
  const before = outcomes.length === 0 ? [] : [`Taken in before, and kept: ${counted(outcomes)}.${notIn}`, again];
  if (!(error instanceof ForgeError)) {
    for (const line of before) out.note(line);
    return error;
  }
  return retold(error, error.message, before, { file: source, imported: outcomes.length });
}

function retold(error: ForgeError, message: string, more: string[], facts: Record<string, unknown>): ForgeError {
  return new ForgeError(error.code, message, {
    details: { ...error.details, ...facts },
    next: [...more, ...(error.next ?? [])],
    cause: error,
  });
}

function describe(outcomes: ImportOutcome[], out: Output): string {
  const rows = outcomes.length > shownOutcomes ? [] : outcomes;
  const listed = rows.length === 0 ? [] : [table(columns, rows, out, { header: false })];
  return [...listed, `${counted(outcomes)}.`].join("\n");
}

function counted(outcomes: ImportOutcome[]): string {
  const parts = kinds.flatMap((kind) => {
    const count = outcomes.filter(({ outcome }) => outcome === kind).length;
    return count === 0 ? [] : [`${count} ${kind}`];
  });
  const total = `${outcomes.length} ${outcomes.length === 1 ? "ticket" : "tickets"}`;
  return parts.length === 0 ? total : `${total}: ${parts.join(", ")}`;
}

function onlyOnce(): ForgeError {
  return new ForgeError("VALIDATION_ERROR", "Standard input can be read only once.", {
    next: ["Give - once."],
  });
}
