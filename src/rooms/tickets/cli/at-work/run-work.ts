import type { App } from "../../../../commons/cli/app.ts";
import { type AttachedEnd, describeEnd } from "../../../../commons/cli/attached-end.ts";
import type { Output } from "../../../../kernel/command.ts";
import { ForgeError } from "../../../../kernel/errors.ts";
import { plain, plainJson } from "../../../../platform/terminal/text.ts";
import type { Gate } from "../../model/status.ts";
import type { Ticket } from "../../model/ticket.ts";
import type { TicketDesk } from "../desk.ts";
import { launchOf } from "./assistants.ts";
import { callLine } from "./call-line.ts";
import { connectLines, isSetUp, standingLine } from "./connect-lines.ts";
import { Watcher } from "./watcher.ts";

type Work = { gate: Gate; id: string; launch: string | undefined };

/** `forge execute` and `forge review`: serves an assistant on a pipe, and guides a person at a terminal. */
export async function runWork(app: App, work: Work, out: Output): Promise<number> {
  const { gate, id, launch } = work;
  if (!app.atKeyboard) {
    if (launch !== undefined) throw noTerminal();
    await (await app.tickets()).begin(gate, id, true);
    return app.serveStdio({ toolsets: "tickets", profile: undefined, readOnly: false });
  }
  // Before the ticket is assigned for nothing.
  if (launch !== undefined) launchOf(launch, gate, id);
  const desk = await app.tickets();
  const { ticket, assigned } = await desk.begin(gate, id, false);
  const { id: ticketId, title, status, assignee } = ticket;
  show(out, { ticketId, title, status, assigned, ...(assignee !== undefined && { assignee }) }, () =>
    [standingLine(ticket, assigned), `  ${plain(title)}`].join("\n"),
  );
  return launch === undefined
    ? guide(app, gate, desk, ticket, out)
    : start(app, { ...work, launch }, desk, ticket, out);
}

async function guide(app: App, gate: Gate, desk: TicketDesk, ticket: Ticket, out: Output): Promise<number> {
  const watcher = new Watcher(desk, ticket, {
    called: (entry) => show(out, entry, () => callLine(entry, out)),
    moved: (status) => show(out, { ticketId: ticket.id, status }, () => plain(`${ticket.id} is ${status} now.`)),
  });
  let isOver = false;
  // At once: what follows the signal closes the store and ends the process.
  const finish = () => {
    if (isOver) return;
    isOver = true;
    // The terminal has shown ^C, and stands behind it.
    if (out.width !== undefined && !out.json) out.print("");
    summarise(watcher, out);
  };
  out.signal.addEventListener("abort", finish, { once: true });
  const watching = watcher.watch(app, out.signal);
  if (!out.json) {
    for (const line of connectLines(gate, ticket.id)) out.print(line);
    if (!(await isSetUp(app))) out.print("No assistant is set up for this project yet: `forge init` does that.");
    out.note(`What assistants do with ${plain(ticket.id)} shows here. Ctrl+C ends this.`);
  }
  await watching;
  finish();
  return 0;
}

async function start(
  app: App,
  { gate, launch }: Work & { launch: string },
  desk: TicketDesk,
  ticket: Ticket,
  out: Output,
): Promise<number> {
  const { program, args } = launchOf(launch, gate, ticket.id);
  const watcher = new Watcher(desk, ticket);
  const ended = new AbortController();
  const watching = watcher.watch(app, AbortSignal.any([ended.signal, out.signal]));
  let end: AttachedEnd;
  try {
    end = await app.launch(program, args, out.signal);
  } catch (error) {
    throw notStarted(error, program, gate, ticket.id);
  } finally {
    ended.abort();
    await watching;
  }
  await watcher.look();
  summarise(watcher, out);
  if ("code" in end && end.code === 0) return 0;
  out.note(plain(`${program} ended ${describeEnd(end)}.`));
  return 1;
}

function summarise({ summary }: Watcher, out: Output): void {
  show(out, summary, ({ ticketId, status, calls }) =>
    plain(`${ticketId} is ${status}; ${calls} ${calls === 1 ? "call" : "calls"} by assistants.`),
  );
}

/** A line each with `--json`: they come one by one, over time. */
function show<T>(out: Output, value: T, human: (value: T) => string): void {
  out.print(out.json ? plainJson(JSON.stringify(value)) : human(value));
}

function noTerminal(): ForgeError {
  return new ForgeError("VALIDATION_ERROR", "--launch starts an assistant on your terminal, and there is none here.", {
    next: ["Leave --launch out to serve the assistant that has this pipe."],
  });
}

function notStarted(error: unknown, program: string, gate: Gate, id: string): unknown {
  if (!(error instanceof ForgeError) || error.details?.["reason"] !== "ENOENT") return error;
  return new ForgeError("DEPENDENCY_ERROR", `${program} could not be started: it is not installed, or not on PATH.`, {
    details: error.details,
    next: connectLines(gate, id),
    cause: error,
  });
}
