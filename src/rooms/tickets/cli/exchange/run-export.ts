import type { App } from "../../../../commons/cli/app.ts";
import { progressLine } from "../../../../commons/cli/progress-line.ts";
import { missingArgument } from "../../../../commons/cli/usage-errors.ts";
import type { Output } from "../../../../kernel/command.ts";
import { ForgeError } from "../../../../kernel/errors.ts";
import { plain, plainJson } from "../../../../platform/terminal/text.ts";
import { choiceOf } from "../choice.ts";
import { type TicketDesk, type TicketFormat, ticketFormats } from "../desk.ts";
import { deskForResult } from "../desk-for-result.ts";
import { staleLine } from "../text/stale-line.ts";
import { ticketArgument } from "../ticket-argument.ts";
import { breath } from "./breath.ts";
import { everyTicket, fileNameOf, type NamedTicket } from "./export-names.ts";

type Wanted = {
  ids: string[];
  format: string | undefined;
  output: string | undefined;
  all: boolean | undefined;
  force: boolean | undefined;
};

type Exported = NamedTicket & { text: string };

const formatsByEnding: [ending: string, format: TicketFormat][] = [
  [".json", "json"],
  [".xml", "xml"],
  [".md", "markdown"],
  [".markdown", "markdown"],
];

export async function runExport(app: App, wanted: Wanted, out: Output): Promise<number> {
  const { ids, all = false, output, force = false } = wanted;
  if (all && ids.length > 0) throw allOrSome();
  if (!all && ids.length === 0) throw missingArgument({ ...ticketArgument, help: "one or more, or --all." }, "export");
  const format = choiceOf(ticketFormats, wanted.format) ?? formatNamed(output) ?? "json";
  const isOne = ids.length === 1;
  const intoFolder = output !== undefined && (output.endsWith("/") || (!isOne && formatNamed(output) === undefined));
  if (!isOne && !intoFolder && format !== "json") throw needsFolder(format);
  const desk = await deskForResult(app);
  const listed = all ? await everyTicket(desk) : undefined;
  const tickets = listed?.tickets ?? (intoFolder ? await named(desk, ids) : ids.map((id) => ({ id, slug: "" })));
  const exported = await exportAll(desk, tickets, format, out);
  const stale = listed?.stale ?? (await staleness(desk, exported.at(-1)));
  const old = staleLine({ stale, incomplete: listed?.incomplete }, "list");
  if (old !== undefined) out.note(old);
  const whole = isOne ? (exported[0]?.text ?? "") : asArray(exported);
  if (output === undefined) {
    print(whole, format, out);
    return 0;
  }
  const folder = output.replace(/\/$/, "");
  const files = intoFolder
    ? exported.map(({ text, ...ticket }) => ({ file: `${folder}/${fileNameOf(ticket, format)}`, text }))
    : [{ file: output, text: whole }];
  for (const { file, text } of files) await write(app, file, text, force);
  out.data({ format, files: files.map(({ file }) => file) }, () =>
    files.map(({ file }) => `Written: ${plain(file)}`).join("\n"),
  );
  return 0;
}

function formatNamed(file: string | undefined): TicketFormat | undefined {
  const name = file?.toLowerCase() ?? "";
  return formatsByEnding.find(([ending]) => name.endsWith(ending))?.[1];
}

async function named(desk: TicketDesk, ids: string[]): Promise<NamedTicket[]> {
  const tickets = new Map<string, NamedTicket>();
  for (const id of ids) {
    const { id: known, title, slug = title } = await desk.get(id);
    tickets.set(known, { id: known, slug });
  }
  return [...tickets.values()];
}

async function exportAll(desk: TicketDesk, tickets: NamedTicket[], format: TicketFormat, out: Output) {
  const exported: Exported[] = [];
  try {
    for (const ticket of tickets) {
      await breath();
      if (out.signal.aborted) throw new ForgeError("CANCELLED", "The export was stopped; nothing was written.");
      if (tickets.length > 1) out.progress(progressLine({ progress: exported.length, total: tickets.length }));
      exported.push({ ...ticket, text: await desk.export(ticket.id, format) });
    }
  } finally {
    out.progress(undefined);
  }
  return exported;
}

/** A text does not say how old it is; the ticket that was last read does. */
async function staleness(desk: TicketDesk, last: NamedTicket | undefined): Promise<string | undefined> {
  return last && (await desk.get(last.id)).stale;
}

function asArray(exported: Exported[]): string {
  return exported.length === 0 ? "[]" : `[\n${exported.map(({ text }) => text.trim()).join(",\n")}\n]`;
}

/** JSON can escape what a terminal would obey; the other formats cannot, and stay the same only elsewhere. */
function print(text: string, format: TicketFormat, out: Output): void {
  if (format === "json") out.print(plainJson(text.trimEnd()));
  else if (out.json) out.data({ format, text }, () => text);
  else if (!out.exact(withLastBreak(text)))
    out.note("Characters that a terminal would obey are escaped here; --output writes them as they are.");
}

function withLastBreak(text: string): string {
  return text.endsWith("\n") ? text : `${text}\n`;
}

async function write(app: App, file: string, text: string, force: boolean): Promise<void> {
  try {
    await app.writeOutput(file, withLastBreak(text), { force });
  } catch (error) {
    const isThere = error instanceof ForgeError && error.code === "CONFLICT_ERROR" && !force;
    throw isThere ? alreadyThere(file, error) : error;
  }
}

function alreadyThere(file: string, cause: ForgeError): ForgeError {
  return new ForgeError("CONFLICT_ERROR", `${file} exists already.`, {
    details: { file },
    next: ["Give another name, or --force to replace it."],
    cause,
  });
}

function needsFolder(format: TicketFormat): ForgeError {
  return new ForgeError("VALIDATION_ERROR", `Several tickets in ${format} need a file each.`, {
    next: ["Name a folder with --output, or give --format json for one array."],
  });
}

function allOrSome(): ForgeError {
  return new ForgeError("VALIDATION_ERROR", "Ids and --all contradict each other.", {
    next: ["Give one of them."],
  });
}
