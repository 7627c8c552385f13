import type { Selection, Servers } from "../../commons/cli/app.ts";
import { commandLineFor } from "../../commons/cli/command-line.ts";
import { claimStdout } from "../../hosts/mcp/stdio/claim-stdout.ts";
import { StdioConnection } from "../../hosts/mcp/stdio/connection.ts";
import { wordForAssistant } from "../../hosts/mcp/wording.ts";
import type { Lazy } from "../../kernel/definitions/room.ts";
import { bodyOf, wireError } from "../../kernel/errors.ts";
import type { Log } from "../../platform/log.ts";
import { readPort, writePort, writeServerMark } from "../../platform/state/marks.ts";
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

  async function loadHost({ toolsets, lists }: ToolSelection, readOnly: boolean) {
    const [{ openMcpHost }, program] = await Promise.all([import("./mcp-host.ts"), loadProgram()]);
    return openMcpHost({ roomSet, program, toolsets, lists, readOnly });
  }

  async function serveWeb(
    selection: Selection,
    address: string | undefined,
    page: boolean,
    announce: (url: string) => void,
  ) {
    endOnFaults();
    const [{ serveWebHost }, { choosePort }] = await Promise.all([
      import("./web-host.ts"),
      import("./running-server.ts"),
    ]);
    const selected = new ToolSelection(selection, project, roomSet);
    const listening = await serveWebHost({
      host: await loadHost(selected, selection.readOnly),
      program: await loadProgram(),
      address,
      port: readPort(project.stateDir) ?? choosePort(project.root),
      log,
      page: page ? { version, project: project.root, toolsets: selected.report() } : undefined,
      roomSet,
      readOnly: selection.readOnly,
    });
    lifecycle.onEnd(() => listening.close());
    // A port that was asked for is for this time only.
    if (page && !address) writePort(project.stateDir, listening.port);
    if (page) lifecycle.onEnd(writeServerMark(project.stateDir, { url: listening.url, pid: process.pid, version }));
    announce(listening.url);
    await untilEnded();
    return 0;
  }

  return {
    async stdio(selection) {
      const selected = new ToolSelection(selection, project, roomSet);
      lifecycle.endWithParent();
      endOnFaults();
      if (isTerminal("stdin")) process.stderr.write(terminalHint);
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
    http: (selection, address, announce) => serveWeb(selection, address, false, (url) => announce(`${url}/mcp`)),
    async up(selection, address, announce) {
      const { findRunningServer } = await import("./running-server.ts");
      const placeOf = (url: string) => ({ url: `${url}/`, mcpUrl: `${url}/mcp`, project: project.root });
      const running = await findRunningServer(project.stateDir, lifecycle.signal);
      if (running) {
        announce({ ...placeOf(running.url), running: { pid: running.pid, version: running.version } });
        return 0;
      }
      return serveWeb(selection, address, true, (url) => announce(placeOf(url)));
    },
    async team(request, announce) {
      endOnFaults();
      const { startTeamServer } = await import("../server/team-server.ts");
      const server = await startTeamServer({ request, settings, redactor, log, rooms: roomSet.rooms });
      lifecycle.allowForEnd(serverEndMs);
      lifecycle.onEnd(() => server.close());
      announce(server);
      await untilEnded();
      return 0;
    },
  };
}
