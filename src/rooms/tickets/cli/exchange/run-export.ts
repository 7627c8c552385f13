import { approveOutput } from "../../../../commons/cli/approve-output.ts";
import type { Run } from "../../../../commons/cli/command-for.ts";
import { progressLine } from "../../../../commons/cli/print/progress-line.ts";
import type { Output } from "../../../../kernel/definitions/command.ts";
import { ForgeError } from "../../../../kernel/errors.ts";
import { plain, plainJson } from "../../../../platform/terminal/text.ts";
import type { TicketFormat } from "../../model/limits.ts";
import { statuses } from "../../model/status.ts";
import type { exportTicket } from "../../tools/exchange/export-ticket.ts";
import type { listTickets } from "../../tools/list-tickets.ts";
import { exportStopped, fileExists, folderRequired, idsOrAll, nothingToExport } from "../errors.ts";
import { staleLine } from "../text/stale-line.ts";
import { breath } from "./breath.ts";
import { fileNameFor, formatOfName } from "./export-names.ts";

type ExportRun = Pick<Run, "app" | "positionals" | "options" | "call">;
type Exported = { id: string; slug: string; text: string; stale?: string | undefined };
type Listed = { ids: string[]; stale?: string | undefined; incomplete?: boolean };

const pageSize = 200;

export async function runExport(given: TicketFormat | undefined, out: Output, run: ExportRun): Promise<number> {
  const { positionals: ids, options } = run;
  const [all, force] = [options["all"] === true, options["force"] === true];
  const output = typeof options["output"] === "string" ? options["output"] : undefined;
  if (all && ids.length > 0) throw idsOrAll();
  if (!all && ids.length === 0) throw nothingToExport();
  const format = given ?? formatOfName(output) ?? "json";
  const isOne = ids.length === 1;
  const intoFolder = output !== undefined && (output.endsWith("/") || (!isOne && formatOfName(output) === undefined));
  if (!isOne && !intoFolder && format !== "json") throw folderRequired(format);
  const listed = all ? await listAll(run) : { ids };
  const exported = await exportAll(listed.ids, format, intoFolder, out, run);
  const stale = listed.stale ?? exported.at(-1)?.stale;
  const old = staleLine({ stale, incomplete: listed.incomplete }, "list");
  if (old !== undefined) out.note(old);
  const text = isOne ? (exported[0]?.text ?? "") : asArray(exported);
  if (output === undefined) {
    printExport(text, format, out);
    return 0;
  }
  const folder = output.replace(/\/$/, "");
  const files = intoFolder
    ? exported.map((ticket) => ({ file: `${folder}/${fileNameFor(ticket, format)}`, text: ticket.text }))
    : [{ file: output, text }];
  await approveOutput(run.app, "forge export", files, out);
  for (const { file, text: content } of files) await writeFile(run, file, content, force);
  out.data({ format, files: files.map(({ file }) => file) }, () =>
    files.map(({ file }) => `Wrote ${plain(file)}`).join("\n"),
  );
  return 0;
}

/** Archived tickets too. */
async function listAll({ call }: ExportRun): Promise<Listed> {
  const ids = new Set<string>();
  let cursor: string | undefined;
  let stale: string | undefined;
  let incomplete = false;
  do {
    const page = await call<typeof listTickets>("list_tickets", {
      status: [...statuses],
      limit: pageSize,
      ...(cursor !== undefined && { cursor }),
    });
    for (const { id } of page.tickets) ids.add(id);
    stale ??= page.stale;
    incomplete ||= page.incomplete ?? false;
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return { ids: [...ids], stale, incomplete };
}

/** In a folder, a ticket that was named twice is one file. */
async function exportAll(
  ids: readonly string[],
  format: TicketFormat,
  intoFolder: boolean,
  out: Output,
  { call }: ExportRun,
): Promise<Exported[]> {
  const exported: Exported[] = [];
  try {
    for (const id of ids) {
      await breath();
      if (out.signal.aborted) throw exportStopped();
      if (ids.length > 1) out.progress(progressLine({ progress: exported.length, total: ids.length }));
      const ticket = await call<typeof exportTicket>("export_ticket", { ticketId: id, format });
      if (!intoFolder || !exported.some((known) => known.id === ticket.id)) exported.push(ticket);
    }
  } finally {
    out.progress(undefined);
  }
  return exported;
}

function asArray(exported: readonly Exported[]): string {
  return exported.length === 0 ? "[]" : `[\n${exported.map(({ text }) => text.trim()).join(",\n")}\n]`;
}

/** JSON can escape what a terminal would interpret; the other formats cannot. */
function printExport(text: string, format: TicketFormat, out: Output): void {
  if (format === "json") out.print(plainJson(text.trimEnd()));
  else if (out.json) out.data({ format, text }, () => text);
  else if (!out.exact(withLastBreak(text)))
    out.note("Control characters are escaped on a terminal; --output writes them unchanged.");
}

function withLastBreak(text: string): string {
  return text.endsWith("\n") ? text : `${text}\n`;
}

async function writeFile({ app }: ExportRun, file: string, text: string, force: boolean): Promise<void> {
  try {
    await app.files.write(file, withLastBreak(text), { force });
  } catch (error) {
    const isThere = error instanceof ForgeError && error.code === "CONFLICT_ERROR" && !force;
    throw isThere ? fileExists(file, error) : error;
  }
}
