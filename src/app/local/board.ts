import { basename } from "node:path";
import { commandLineFor } from "../../commons/cli/command-line.ts";
import { Broadcast } from "../../commons/ledger/index.ts";
import { limits } from "../../commons/ledger/model.ts";
import type { HttpOptions } from "../../hosts/http/app.ts";
import { type BoardFiles, boardFiles } from "../../hosts/http/board/board-files.ts";
import { type ReadTool, toolsPath } from "../../hosts/http/board/serve-tools.ts";
import type { Status } from "../../hosts/http/pages/status-page.ts";
import { Events } from "../../hosts/http/reply/events.ts";
import { isFromPage } from "../../hosts/http/request/link-token.ts";
import { invoke } from "../../kernel/calls/invoke.ts";
import type { Route } from "../../kernel/definitions/route.ts";
import { effects } from "../../kernel/effect.ts";
import { ForgeError } from "../../kernel/errors.ts";
import type { Principal } from "../../kernel/principal.ts";
import { activityRoute } from "../../rooms/activity/http/routes.ts";
import type { ActivityServices } from "../../rooms/activity/open.ts";
import { activityRoom } from "../../rooms/activity/room.ts";
import { readShownWords } from "../../rooms/tickets/cli/status-words.ts";
import { ticketRoutes } from "../../rooms/tickets/http/routes.ts";
import { describeBoard } from "../../rooms/tickets/model/columns.ts";
import { ticketsRoom } from "../../rooms/tickets/room.ts";
import { LocalTickets } from "../../rooms/tickets/service/local-tickets.ts";
import type { TicketServices } from "../../rooms/tickets/service/tickets.ts";
import type { RoomSet } from "../room-set.ts";
import { onlyFromPage } from "./errors.ts";
import type { Program } from "./program.ts";
import { findTool } from "./tool-calls.ts";

type BoardRequest = {
  program: Program;
  roomSet: RoomSet;
  /** Undefined where only MCP is served. */
  page: Pick<Status, "version" | "project" | "toolsets"> | undefined;
  mcpUrl(): string;
  readOnly: boolean;
  /** Whether callers need a token, which tells the user's page from other programs. */
  hasTokens: boolean;
  /** The board's own; the build makes them. */
  files?: BoardFiles | undefined;
};

const nobodyElse = { nameOf: async () => undefined };

type Served = Pick<HttpOptions<unknown>, "routes" | "requester" | "board" | "commandLine" | "noteReader"> & {
  stop(): void;
};

/** What a project's server has beside MCP: the ticket and activity routes, and the board that uses them. */
export async function openBoard({
  program,
  roomSet,
  page,
  mcpUrl,
  readOnly,
  hasTokens,
  files = boardFiles,
}: BoardRequest): Promise<Served> {
  const [shared, { ledger, guard }, activity, tickets, commands] = await Promise.all([
    program.openShared(),
    program.store(),
    program.services(activityRoom),
    program.services(ticketsRoom) as Promise<TicketServices>,
    roomSet.commandFacts(),
  ]);
  const { tickets: ticketsInUse, pushSource } = tickets;
  // Those of a team are on its server, which has a board of its own.
  const ticketServices = ticketsInUse instanceof LocalTickets && {
    tickets: ticketsInUse,
    people: nobodyElse,
    proof: tickets.proof,
  };
  const served = new Map<Route<unknown>, unknown>([
    [activityRoute, { ...(activity as ActivityServices), people: nobodyElse }],
    ...(page && ticketServices ? ticketRoutes.map((route): [Route<unknown>, unknown] => [route, ticketServices]) : []),
  ]);
  const broadcast = new Broadcast(ledger);
  const access = readOnly ? ({ readOnly: true } as const) : {};
  // Any of the user's assistants: they all have this token, and no request says which of them sends it.
  const client = (): Principal => ({ ...program.principal(), ...access });
  // A person has the page open, and what they type is their own text.
  const user = (): Principal => ({ ...program.principal("board"), ...access, atKeyboard: true, ownWords: true });
  const admitClient = async (route: Route<unknown>): Promise<Principal> => {
    // Tools ask for approval before they make a change; routes do not.
    if (effects[route.effect].access === "write") throw onlyFromPage(hasTokens);
    return client();
  };
  // Before the text is sent, and whatever it is: lists, names and errors can be the words of others.
  const noteReader = async (method: string, path: string): Promise<void> => {
    if (method !== "GET" && method !== "HEAD" && !path.startsWith(toolsPath)) return;
    // The ledger, here and on the page that shows it, has only the names that callers gave to things.
    const isLedger = path === activityRoute.path || !path.startsWith("/api/");
    if (isLedger && !(await guard.hasForeignCalls(await ledger.latest({ limit: limits.max })))) return;
    await guard.noteUntrusted(client());
  };
  const events = new Events({
    broadcast,
    newest: () => ledger.newest(),
    redactor: shared.redactor,
    listener: async () => ({ principal: user(), team: undefined, ledger, stillAllowed: async () => true }),
  });

  async function start() {
    return {
      place: "project",
      version: page?.version,
      project: { name: basename(page?.project ?? ""), path: page?.project },
      mcpUrl: mcpUrl(),
      toolsets: page?.toolsets,
      user: { name: user().name },
      canWrite: !readOnly && hasTokens,
      ...(!ticketServices && { ticketsAt: pushSource.team?.server.address.origin }),
      seq: await ledger.newest(),
      ...describeBoard(page && readShownWords(page.project)),
    };
  }

  const readTool = makeReader(program, roomSet, (isUser) => (isUser ? user() : client()));
  return {
    routes: [...served.keys()],
    requester: async (context, route) => ({
      runtime: { ...shared, services: served.get(route) },
      principal: isFromPage(context, hasTokens) ? user() : await admitClient(route),
      about: [],
    }),
    noteReader,
    commandLine: (tool, input) => commandLineFor(commands.all(), tool, input),
    board: page && files && { files, start, events, readTool },
    stop() {
      events.stop();
      broadcast.stop();
    },
  };
}

/** Calls tools that change nothing: for the user's page as a command would, for other programs as for an assistant. */
function makeReader(program: Program, roomSet: RoomSet, principalFor: (isUser: boolean) => Principal): ReadTool {
  return async ({ name, input, isUser }, signal) => {
    const { room, tool } = await findTool(roomSet, name, "cli");
    if (effects[tool.effect].access !== "read") {
      throw new ForgeError("PERMISSION_DENIED", `The board does not call "${tool.name}": it changes something.`, {
        next: ["Use the command line, or your assistant."],
      });
    }
    // What a command prints does not count as read by an assistant; what any other program asks for does.
    const how = { quiet: true, ...(isUser && { command: "board" }) } as const;
    const caller = { ...program.caller(signal, how), principal: principalFor(isUser) };
    return invoke(await program.runtime(room), room.name, tool, input, caller);
  };
}
