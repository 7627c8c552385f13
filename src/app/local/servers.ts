import type { Selection, Servers } from "../../commons/cli/app.ts";
import { commandLineFor } from "../../commons/cli/command-line.ts";
import { claimStdout } from "../../hosts/mcp/stdio/claim-stdout.ts";
import { StdioConnection } from "../../hosts/mcp/stdio/connection.ts";
import { wordForAssistant } from "../../hosts/mcp/wording.ts";
import type { Lazy } from "../../kernel/definitions/room.ts";
import { bodyOf, wireError } from "../../kernel/errors.ts";
import type { Log } from "../../platform/log.ts";
import type { LinkTokens } from "../../platform/secrets/link-token.ts";
import { readPort, writePort } from "../../platform/state/marks.ts";
import type { Project } from "../../platform/state/project.ts";
import { version } from "../../version.ts";
import { builtRooms } from "../room-set.ts";
import { type AppOptions, isTerminal } from "./app-options.ts";
import type { Program } from "./program.ts";
import { ToolSelection } from "./tool-selection.ts";

type ServerOptions = AppOptions & { log: Log; project: Project; loadProgram: Lazy<Program> };

/** Requests under way have ten seconds; what waits to be written then, a little more. */
const serverEndMs = 12_000;

const terminalHint =
  "Waiting for an MCP client on stdin. To try Forge yourself, run `forge up`. Press Ctrl+C to stop.\n";

/** The ways to serve: MCP on stdio and HTTP, the project's page, a team's server. Each loads what it needs. */
export function makeServers(options: ServerOptions): Servers {
  const { settings, lifecycle, redactor, roomSet = builtRooms, log, project, loadProgram } = options;
  const warn = (text: string) => log("warning", text);
  const endOnFaults = () =>
    lifecycle.endOnFaults((error) => log("error", "ending after an unexpected fault", { error }));
  const untilEnded = () =>
    new Promise((resolve) => lifecycle.signal.addEventListener("abort", resolve, { once: true }));

  /** Logs that a server has started, and later that it has stopped. */
  const logLife = (what: string, fields: Record<string, unknown>, close?: () => Promise<unknown>) => {
    log("info", `${what} started`, { ...fields, version });
    lifecycle.onEnd(async () => {
      await close?.();
      log("info", `${what} stopped`, fields);
    });
  };

  async function loadHost({ toolsets, lists }: ToolSelection, readOnly: boolean) {
    const [{ openMcpHost }, program] = await Promise.all([import("./mcp-host.ts"), loadProgram()]);
    return openMcpHost({ roomSet, program, toolsets, lists, readOnly });
  }

  async function readTokens({ withoutToken }: Selection): Promise<LinkTokens | undefined> {
    const { readLinkTokens } = await import("../../platform/secrets/link-token.ts");
    return withoutToken ? undefined : readLinkTokens(project.root);
  }

  async function serveWeb(
    selection: Selection,
    address: string | undefined,
    page: boolean,
    announce: (url: string, tokens: LinkTokens | undefined) => void,
    until: Promise<unknown> = untilEnded(),
  ) {
    endOnFaults();
    const [{ serveWebHost }, { choosePort }, { writeServerMark }, tokens] = await Promise.all([
      import("./web-host.ts"),
      import("./running-server.ts"),
      import("../../platform/state/server-mark.ts"),
      readTokens(selection),
    ]);
    const selected = new ToolSelection(selection, project, roomSet);
    const listening = await serveWebHost({
      host: await loadHost(selected, selection.readOnly),
      program: await loadProgram(),
      address,
      port: readPort(project.stateDir) ?? choosePort(project.root),
      log,
      tokens,
      page: page ? { version, project: project.root, toolsets: selected.report() } : undefined,
      roomSet,
      readOnly: selection.readOnly,
    });
    logLife("MCP server", { transport: "http", url: listening.url }, () => listening.close());
    // A port that was asked for is for this time only.
    if (page && !address) writePort(project.stateDir, listening.port);
    if (page)
      lifecycle.onEnd(writeServerMark(project.stateDir, { url: listening.addressUrl, pid: process.pid, version }));
    announce(listening.url, tokens);
    await Promise.race([until, untilEnded()]);
    return 0;
  }

  return {
    async stdio(selection) {
      const selected = new ToolSelection(selection, project, roomSet);
      lifecycle.endWithParent();
      endOnFaults();
      if (isTerminal("stdin")) process.stderr.write(terminalHint);
      logLife("MCP server", { transport: "stdio" });
      const output = claimStdout();
      lifecycle.onEnd(() => output.flush());
      let lists = () => selected.lists;
      let enabled: ReadonlySet<string> = new Set();
      const connection = new StdioConnection({
        input: process.stdin,
        output,
        lists: () => lists(),
        enabled: () => enabled,
        async connect(transport) {
          const [{ connectHost }, host] = await Promise.all([
            import("../../hosts/mcp/stdio/connect-host.ts"),
            loadHost(selected, selection.readOnly),
          ]);
          lists = () => host.lists;
          ({ enabled } = connectHost(host, transport, warn));
        },
        refusal(error) {
          const reference = crypto.randomUUID();
          log("error", "cannot serve", { reference, error });
          const word = wordForAssistant(() => true, commandLineFor.bind(undefined, []));
          return redactor.value(wireError(bodyOf(error, reference), word));
        },
        warn,
        ending: lifecycle.signal,
      });
      await connection.ended;
      return 0;
    },
    http: (selection, address, announce) =>
      serveWeb(selection, address, false, (url, tokens) => announce(`${url}/mcp`, tokens?.client)),
    async up(selection, address, announce, until) {
      const { findRunningServer } = await import("./running-server.ts");
      // Who has the link counts as the person, so no assistant's shell, script or log gets it.
      const seesPerson = isTerminal("stdin") && isTerminal("stdout");
      const describeAddress = (url: string, tokens: LinkTokens | undefined) => ({
        url: tokens && seesPerson ? `${url}/#${tokens.board}` : `${url}/`,
        ...(tokens && !seesPerson && { withoutLink: true as const }),
        mcpUrl: `${url}/mcp`,
        project: project.root,
        ...(tokens && { token: tokens.client }),
      });
      const tokens = await readTokens(selection);
      const running = await findRunningServer(project.stateDir, tokens?.board, lifecycle.signal);
      if (running) {
        const { url, pid, version: since, isProven } = running;
        announce({ ...describeAddress(url, isProven ? tokens : undefined), running: { pid, version: since } });
        return 0;
      }
      return serveWeb(selection, address, true, (url, tokens) => announce(describeAddress(url, tokens)), until);
    },
    async team(request, announce) {
      endOnFaults();
      const { startTeamServer } = await import("../server/team-server.ts");
      const server = await startTeamServer({ request, settings, redactor, log, rooms: roomSet.rooms });
      lifecycle.allowForEnd(serverEndMs);
      logLife("team server", { url: server.url }, () => server.close());
      announce(server);
      await untilEnded();
      return 0;
    },
  };
}
