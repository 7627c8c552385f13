import type * as z from "zod";
import type { ActivityLog, App } from "../../../../commons/cli/app.ts";
import { type AttachedEnd, describeEnd } from "../../../../commons/cli/attached-end.ts";
import type { Run } from "../../../../commons/cli/command-for.ts";
import type { Output } from "../../../../kernel/definitions/command.ts";
import { ForgeError } from "../../../../kernel/errors.ts";
import { plain, plainJson } from "../../../../platform/terminal/text.ts";
import { isBlocked } from "../../model/errors.ts";
import type { Gate } from "../../model/status.ts";
import type { TicketView } from "../../model/ticket/ticket-view.ts";
import type { startTicket } from "../../tools/start-ticket.ts";
import { assistantNotStarted, noTerminalToLaunch } from "../errors.ts";
import { settleBlockers } from "../questions.ts";
import { readStatusWords, type StatusWords } from "../status-words.ts";
import { ticketServices } from "../ticket-argument.ts";
import { launchLine } from "./assistants.ts";
import { callLine } from "./call-line.ts";
import { type Begun, connectLines, isSetUp, placeLine, ticketLine } from "./connect-lines.ts";
import { Watcher } from "./watcher.ts";

type Work = { gate: Gate; id: string; launch: string | undefined };

/** `forge execute` and `forge review`: serves an assistant on a pipe, and guides a person at a terminal. */
export async function runWork(app: App, work: Work, out: Output): Promise<number> {
  const { gate, id, launch } = work;
  if (!app.terminal.isInteractive) {
    if (launch !== undefined) throw noTerminalToLaunch();
    const { begun } = await start(app, gate, id, true, out);
    // Who works on a branch needs the tools that end the work.
    const toolsets = begun ? "tickets,workbench,proof" : "tickets";
    return app.serve.stdio({ toolsets, profile: undefined, readOnly: false });
  }
  // Before the ticket is assigned for nothing.
  if (launch !== undefined) launchLine(launch, gate, id);
  const started = await startAsking(app, gate, id, out);
  if (!started) return 1;
  const { ticket, assigned, begun } = started;
  const words = readStatusWords(app);
  const { id: ticketId, title, status, assignee } = ticket;
  const where = begun && { execution: begun.execution_id, branch: begun.branch_created, root: begun.root };
  show(out, { ticketId, title, status, assigned, ...(assignee !== undefined && { assignee }), ...where }, () =>
    [ticketLine(ticket, assigned, words), `  ${plain(title)}`, ...(begun ? [placeLine(begun)] : [])].join("\n"),
  );
  return launch === undefined ? guide(app, gate, ticket, out) : runAssistant(app, { ...work, launch }, ticket, out);
}

async function start(app: App, gate: Gate, ticketId: string, hold: boolean, out: Output) {
  const options = { signal: out.signal, command: `forge ${gate}` };
  const call = app.tools.call("start_ticket", { ticketId, gate, hold }, options);
  const started = (await call) as z.output<(typeof startTicket)["output"]>;
  if (gate === "review" || !app.project.inGit) return { ...started, begun: undefined };
  const begun = await beginExecution(app, started.ticket.id, out);
  return begun
    ? { ...started, ticket: { ...started.ticket, status: "CREATED" as const }, begun }
    : { ...started, begun };
}

/** Tickets can be executed where no branch can be started; the person is told why there is none. */
async function beginExecution(app: App, ticketId: string, out: Output): Promise<Begun | undefined> {
  try {
    const options = { signal: out.signal, command: "forge execute" };
    return (await app.tools.call("forge_start_ticket", { ticketId }, options)) as Begun;
  } catch (error) {
    if (!(error instanceof ForgeError) || error.code === "CANCELLED") throw error;
    out.note(plain(`No execution was started: ${error.message}`));
    return undefined;
  }
}

/** If BLOCKING questions are open, the person answers or dismisses them first; undefined if they decide not to start. */
async function startAsking(app: App, gate: Gate, id: string, out: Output) {
  try {
    return await start(app, gate, id, false, out);
  } catch (error) {
    const { ask } = app.terminal;
    if (!ask || !isBlocked(error)) throw error;
    out.note(plain(error.message));
    const options = { signal: out.signal, command: `forge ${gate}` };
    const call: Run["call"] = async (tool, input) =>
      (await app.tools.call(tool, input as Record<string, unknown>, options)) as never;
    if (!(await settleBlockers(id, ask, { call, out }))) {
      out.note("Not started.");
      return undefined;
    }
    return start(app, gate, id, false, out);
  }
}

async function ledgerOf(app: App): Promise<ActivityLog> {
  return (await app.room<{ ledger: ActivityLog }>("activity")).ledger;
}

async function guide(app: App, gate: Gate, ticket: TicketView, out: Output): Promise<number> {
  const { tickets } = await ticketServices(app);
  const words = readStatusWords(app);
  const watcher = new Watcher(tickets, ticket, {
    called: (entry) => show(out, entry, () => callLine(entry, out)),
    moved: (status) =>
      show(out, { ticketId: ticket.id, status }, () => plain(`${ticket.id} is now ${words.show(status)}.`)),
  });
  let isOver = false;
  // At once: what follows the signal closes the store and ends the process.
  const finish = () => {
    if (isOver) return;
    isOver = true;
    // The terminal shows ^C on this line.
    if (out.width !== undefined && !out.json) out.print("");
    summarise(watcher, words, out);
  };
  out.signal.addEventListener("abort", finish, { once: true });
  const watching = watcher.watch(await ledgerOf(app), out.signal);
  if (!out.json) {
    for (const line of connectLines(gate, ticket.id)) out.print(line);
    if (!(await isSetUp(app))) out.print("No assistant is configured for this project yet: run `forge init`.");
    out.note(`Watching ${plain(ticket.id)}. Press Ctrl+C to stop.`);
  }
  await watching;
  finish();
  return 0;
}

async function runAssistant(
  app: App,
  { gate, launch }: Work & { launch: string },
  ticket: TicketView,
  out: Output,
): Promise<number> {
  const { program, args } = launchLine(launch, gate, ticket.id);
  const { tickets } = await ticketServices(app);
  const watcher = new Watcher(tickets, ticket);
  const ended = new AbortController();
  const watching = watcher.watch(await ledgerOf(app), AbortSignal.any([ended.signal, out.signal]));
  let end: AttachedEnd;
  try {
    end = await app.terminal.launch(program, args, out.signal);
  } catch (error) {
    const isMissing = error instanceof ForgeError && error.details?.["reason"] === "ENOENT";
    throw isMissing ? assistantNotStarted(program, connectLines(gate, ticket.id), error) : error;
  } finally {
    ended.abort();
    await watching;
  }
  await watcher.readStatus();
  summarise(watcher, readStatusWords(app), out);
  if ("code" in end && end.code === 0) return 0;
  out.note(plain(`${program} ended ${describeEnd(end)}.`));
  return 1;
}

function summarise({ summary }: Watcher, words: StatusWords, out: Output): void {
  show(out, summary, ({ ticketId, status, calls }) =>
    plain(`${ticketId} is ${words.show(status)}; ${calls} ${calls === 1 ? "call" : "calls"} by assistants.`),
  );
}

/** With `--json` one line each, since they come one by one over time. */
function show<T>(out: Output, value: T, human: (value: T) => string): void {
  out.print(out.json ? plainJson(JSON.stringify(value)) : human(value));
}
