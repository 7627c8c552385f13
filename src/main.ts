import { resolve } from "node:path";
import { isatty } from "node:tty";
import { catalog } from "./app/catalog.ts";
import { built, Offering } from "./app/local/offering.ts";
import type { Program } from "./app/local/program.ts";
import type { Settings } from "./app/settings/config.ts";
import type { App, Selection } from "./hosts/cli/app.ts";
import { lineAsker } from "./hosts/cli/ask-line.ts";
import { liveTerminal } from "./hosts/cli/live-terminal.ts";
import type { ProjectReport } from "./hosts/cli/person.ts";
import { openPersonDesk } from "./hosts/cli/person-desk.ts";
import { runCli } from "./hosts/cli/run-cli.ts";
import { StdioConnection } from "./hosts/mcp/stdio/connection.ts";
import { claimStdout } from "./hosts/mcp/stdio/streams.ts";
import { bodyOf, ForgeError } from "./kernel/errors.ts";
import { Redactor } from "./kernel/redact.ts";
import { entryAt } from "./platform/files/entry.ts";
import { environment } from "./platform/host/env.ts";
import { Lifecycle } from "./platform/host/lifecycle.ts";
import { userPath } from "./platform/host/user-folder.ts";
import { createLog } from "./platform/log.ts";
import { markServer } from "./platform/state/marks.ts";
import { findProject, isFolder, type Project } from "./platform/state/project.ts";
import { readSettingsFile } from "./platform/state/settings-file.ts";
import { version } from "./version.ts";

/**
 * The composition root's light half: everything that a start needs and nothing more. What calls run on (`program.ts`), the
 * MCP SDK and the HTTP server load when first needed.
 */
export async function main(binary: string, argv: string[]): Promise<void> {
  const lifecycle = new Lifecycle();
  lifecycle.endOnSignals();
  const redactor = new Redactor();
  const exitCode = await runCli((settings) => openApp(settings, lifecycle, redactor), argv, {
    stdout: process.stdout,
    stderr: process.stderr,
    binary,
    env: environment,
    settingsFile: readSettingsFile(),
    redactor,
    get signal() {
      return lifecycle.signal;
    },
  });
  await lifecycle.end(exitCode);
}

/** Requests under way have ten seconds; what waits to be written then, a little more. */
const serverEndMs = 12_000;

const terminalHint = `Waiting for an MCP client on stdin. To see Forge yourself, run \`forge up\`; Ctrl+C ends this.\n`;

function openApp(settings: Settings, lifecycle: Lifecycle, redactor: Redactor): App {
  const log = createLog(settings.logLevel, (text) => redactor.text(text));
  const cwd = resolve(settings.project);
  requireFolder(cwd);
  const project = findProject(cwd);
  let program: Promise<Program> | undefined;

  function loadProgram(): Promise<Program> {
    program ??= openProgram().catch((error) => {
      program = undefined;
      throw error;
    });
    return program;
  }

  async function openProgram(): Promise<Program> {
    const [{ Program }, team] = await Promise.all([import("./app/local/program.ts"), teamTickets()]);
    const loaded = new Program({ settings, project, cwd, redactor, log, atKeyboard: isTerminal("stdin"), team });
    lifecycle.onEnd(() => loaded.close());
    return loaded;
  }

  /** Looks before it loads: most people work with the project's own tickets. */
  async function teamTickets() {
    if (settings.apiUrl === undefined && settings.token === undefined && !isSignedIn()) return undefined;
    const { openTeamTickets } = await import("./app/local/team-tickets.ts");
    return openTeamTickets({ settings, redactor, log, onEnd: (close) => lifecycle.onEnd(close) });
  }

  const person = openPersonDesk({
    root: project.root,
    terminal: process,
    approvals: async () => (await loadProgram()).approvals,
  });

  async function openProjectSetup() {
    const { openSetup } = await import("./rooms/setup/index.ts");
    return openSetup({ root: project.root, stateDir: project.stateDir, version, startedAs: process.argv[1] ?? "" });
  }

  async function openAccess() {
    const { openAccessDesk } = await import("./app/local/access-desk.ts");
    return openAccessDesk({ settings, project, redactor, log, onEnd: (close) => lifecycle.onEnd(close) });
  }

  async function openDraft(name: string, text: string) {
    const { EditedFile } = await import("./platform/terminal/editor.ts");
    return EditedFile.create(name, text, { cwd });
  }

  async function loadToolCalls() {
    const [{ ToolCalls }, loaded] = await Promise.all([import("./app/local/tool-calls.ts"), loadProgram()]);
    return new ToolCalls(loaded);
  }

  async function loadHost({ toolsets, surface }: Offering, readOnly: boolean) {
    const [{ McpHost }, all, loaded] = await Promise.all([
      import("./hosts/mcp/server.ts"),
      import("./app/toolsets.ts"),
      loadProgram(),
    ]);
    return new McpHost({
      runtime: loaded.runtime,
      toolsets: all.toolsets.filter(({ name }) => toolsets.includes(name)),
      surface,
      readOnly,
      principal: (agent, instance) => loaded.principal(agent, instance),
    });
  }

  async function serveWeb(
    selection: Selection,
    address: string | undefined,
    page: boolean,
    announce: (url: string) => void,
  ) {
    lifecycle.endOnFaults((error) => log("error", "ending after an unexpected fault", { error }));
    const { serveWebHost } = await import("./app/local/web-host.ts");
    const offering = new Offering(selection, project);
    const host = await loadHost(offering, selection.readOnly);
    const listening = await serveWebHost({
      host,
      program: await loadProgram(),
      address,
      log,
      page: page ? { version, project: project.root, toolsets: offering.report() } : undefined,
    });
    lifecycle.onEnd(() => listening.close());
    if (page) lifecycle.onEnd(markServer(project.stateDir, { url: listening.url, pid: process.pid, version }));
    announce(listening.url);
    await new Promise((resolve) => lifecycle.signal.addEventListener("abort", resolve, { once: true }));
    return 0;
  }

  return {
    version,
    built,
    async serveStdio(selection) {
      const offering = new Offering(selection, project);
      const warn = (text: string) => log("warning", text);
      lifecycle.endWithParent();
      lifecycle.endOnFaults((error) => log("error", "ending after an unexpected fault", { error }));
      if (isTerminal("stdin")) process.stderr.write(terminalHint);
      const output = claimStdout();
      lifecycle.onEnd(() => output.flush());
      let current = offering.surface;
      const connection = new StdioConnection({
        input: process.stdin,
        output,
        surface: () => current,
        async connect(transport) {
          const [{ connectHost }, host] = await Promise.all([
            import("./hosts/mcp/stdio/serve.ts"),
            loadHost(offering, selection.readOnly),
          ]);
          host.onListsChanged(() => {
            current = host.surface;
          });
          connectHost(host, transport, warn);
        },
        refusal(error) {
          const reference = crypto.randomUUID();
          log("error", "cannot serve", { reference, error });
          return redactor.value(bodyOf(error, reference));
        },
        warn,
        ending: lifecycle.signal,
      });
      await connection.ended;
      return 0;
    },
    serveHttp: (selection, address, announce) => serveWeb(selection, address, false, (url) => announce(`${url}/mcp`)),
    up: (selection, address, announce) =>
      serveWeb(selection, address, true, (url) =>
        announce({ url: `${url}/`, mcpUrl: `${url}/mcp`, project: project.root }),
      ),
    toolsets: async (selection) => new Offering(selection, project).report(),
    activity: async (filter) => (await loadProgram()).runtime.services.ledger.latest(filter),
    async *followActivity(filter, signal) {
      yield* (await loadProgram()).runtime.services.ledger.follow(filter, signal);
    },
    offer: catalog,
    describeTool: async (name) =>
      catalog.flatMap(({ tools }) => tools).find((tool) => tool.name === name) ??
      (await loadToolCalls()).describe(name),
    async callTool(name, input, signal, report) {
      lifecycle.failOnSignals();
      return (await loadToolCalls()).call(name, input, signal, report);
    },
    getPrompt: async (name, args, signal) => (await loadToolCalls()).getPrompt(name, args, signal),
    readResource: async (uri, signal) => (await loadToolCalls()).readResource(uri, signal),
    async readInput(file, signal, mostBytes) {
      lifecycle.failOnSignals();
      const { readInput } = await import("./platform/terminal/input.ts");
      return readInput(file, { signal, mostBytes, standardInput: () => process.stdin });
    },
    async writeOutput(file, text, options) {
      const { writeOutputFile } = await import("./platform/terminal/output-file.ts");
      await writeOutputFile(file, text, options);
    },
    project: () => ({ root: project.root, inGit: project.inGit, store: storeOf(settings, project) }),
    person,
    get ask() {
      return isTerminal("stdin") ? lineAsker(process) : undefined;
    },
    get atKeyboard() {
      return isTerminal("stdin");
    },
    get terminal() {
      return isTerminal("stdin") ? liveTerminal(process, environment["TERM"]) : undefined;
    },
    get editor() {
      return isTerminal("stdin") && isTerminal("stdout") ? { open: openDraft } : undefined;
    },
    async launch(program, args, signal) {
      const { runAttached } = await import("./platform/terminal/attached.ts");
      return runAttached(program, args, { cwd, signal });
    },
    failOnSignals: () => lifecycle.failOnSignals(),
    tickets: async () => (await loadProgram()).tickets(lifecycle.signal),
    workbench: async () => (await loadProgram()).workbench(lifecycle.signal),
    access: openAccess,
    async openBrowser(url) {
      const { openBrowser } = await import("./platform/terminal/browser.ts");
      return openBrowser(url);
    },
    async serveTeam(request, announce) {
      lifecycle.endOnFaults((error) => log("error", "ending after an unexpected fault", { error }));
      const { startTeamServer } = await import("./app/server/team-server.ts");
      const server = await startTeamServer({ request, settings, redactor, log });
      lifecycle.allowForEnd(serverEndMs);
      lifecycle.onEnd(() => server.close());
      announce(server);
      await new Promise((resolve) => lifecycle.signal.addEventListener("abort", resolve, { once: true }));
      return 0;
    },
    setup: openProjectSetup,
    async doctor(fix, signal) {
      const [{ examineProgram }, setup] = await Promise.all([import("./app/local/doctor.ts"), openProjectSetup()]);
      const findings = await examineProgram({ settings, cwd, project, setup, person, access: openAccess }, fix, signal);
      return redactor.value(findings);
    },
    async newestVersion(registry, signal) {
      const { askForNewest } = await import("./app/local/doctor.ts");
      return askForNewest(registry, signal);
    },
    toolInput(name) {
      const tool = catalog.flatMap(({ tools }) => tools).find((candidate) => candidate.name === name);
      if (!tool) throw new ForgeError("TOOL_NOT_FOUND", `There is no tool named ${name}.`);
      return { description: tool.description, inputSchema: tool.inputSchema };
    },
  };
}

/** Asks the system: `process.stdin`, once touched, opens stdin, which takes time and changes how others can read it. */
function isTerminal(stream: "stdin" | "stdout"): boolean {
  return isatty(stream === "stdin" ? 0 : 1);
}

/** Whether `forge login` has left something; what it is, is read later. */
function isSignedIn(): boolean {
  return entryAt(userPath("config.json")) !== undefined;
}

function requireFolder(path: string): void {
  if (isFolder(path)) return;
  throw new ForgeError("CONFIG_ERROR", `The project's folder ${path} is not there.`, {
    details: { path },
    suggestions: ["Give --project (or FORGE_PROJECT) a folder that exists."],
  });
}

function storeOf({ databaseUrl }: Settings, { databaseFile }: Project): ProjectReport["store"] {
  if (databaseUrl === undefined)
    return { engine: "sqlite", place: databaseFile, exists: entryAt(databaseFile) !== undefined };
  return { engine: "postgres", place: new URL(databaseUrl).host, exists: true };
}
