import { resolve } from "node:path";
import type { App, PersonTerminal, UserFiles } from "../../commons/cli/app.ts";
import type { ProjectReport } from "../../commons/cli/person.ts";
import { once } from "../../kernel/definitions/room.ts";
import { ForgeError } from "../../kernel/errors.ts";
import { entryAt } from "../../platform/files/entry-at.ts";
import { environment } from "../../platform/host/environment.ts";
import { createLog } from "../../platform/log.ts";
import { findProject, isFolder, type Project } from "../../platform/state/project.ts";
import { makeLineAsker } from "../../platform/terminal/ask-line.ts";
import { confirm } from "../../platform/terminal/confirm.ts";
import { liveTerminal } from "../../platform/terminal/live-terminal.ts";
import { version } from "../../version.ts";
import { makeCommandSource } from "../commands/command-source.ts";
import { builtRooms } from "../room-set.ts";
import type { Settings } from "../settings/settings-table.ts";
import { type AppOptions, isTerminal } from "./app-options.ts";
import { openPerson } from "./person.ts";
import { makeServers } from "./servers.ts";
import { builtToolsets, ToolSelection } from "./tool-selection.ts";

/** The program as commands see it: everything that a start needs and nothing more. The rest loads when it is used. */
export function openApp(surroundings: AppOptions): App {
  const { settings, settingsProblems = [], lifecycle, redactor, roomSet = builtRooms, atKeyboard } = surroundings;
  const log = createLog(settings.logLevel, (text) => redactor.text(text));
  const cwd = resolve(settings.project);
  requireFolder(cwd);
  const project = findProject(cwd);
  const failOnSignals = () => lifecycle.failOnSignals();

  const loadProgram = once(async () => {
    const { Program } = await import("./program.ts");
    const { rooms } = roomSet;
    const program = new Program({
      ...{ rooms, settings, settingsProblems, project, cwd, redactor, log },
      atKeyboard: atKeyboard ?? isTerminal("stdin"),
      confirm: (question) => confirm(question, process, lifecycle.signal),
    });
    lifecycle.onEnd(() => program.close());
    return program;
  });
  const loadCalls = once(async () => {
    const { makeToolCalls } = await import("./tool-calls.ts");
    return makeToolCalls(loadProgram, failOnSignals, roomSet);
  });

  return {
    version,
    project: { root: project.root, inGit: project.inGit, store: storeOf(settings, project) },
    commands: makeCommandSource(roomSet),
    tools: {
      get catalog() {
        return roomSet.catalog;
      },
      describe: async (name) => (await loadCalls()).describe(name),
      call: async (name, input, options) => (await loadCalls()).call(name, input, options),
      approve: async (command, step, signal) => (await loadCalls()).approve(command, step, signal),
      prompt: async (name, args, signal) => (await loadCalls()).prompt(name, args, signal),
      resource: async (uri, signal) => (await loadCalls()).resource(uri, signal),
    },
    async room<Services>(name: string) {
      const { roomNamed } = await import("./program.ts");
      // A room's commands know the type of what their own room runs on.
      return (await (await loadProgram()).services(roomNamed(name, roomSet.rooms))) as Services;
    },
    toolsets: {
      built: builtToolsets(roomSet.rooms),
      report: (selection) => new ToolSelection(selection, project, roomSet).report(),
    },
    person: openPerson({
      root: project.root,
      terminal: process,
      approvals: async () => (await (await loadProgram()).store()).guard.approvals,
      name: async () => (await loadProgram()).userName(),
    }),
    terminal: terminalOf(cwd),
    files: userFiles(failOnSignals),
    serve: makeServers({ settings, lifecycle, redactor, roomSet, log, project, loadProgram }),
    at: (folder) => openApp({ ...surroundings, settings: { ...settings, project: folder } }),
    failOnSignals,
  };
}

function terminalOf(cwd: string): PersonTerminal {
  return {
    get isInteractive() {
      return isTerminal("stdin");
    },
    get ask() {
      return isTerminal("stdin") ? makeLineAsker(process) : undefined;
    },
    get live() {
      return isTerminal("stdin") ? liveTerminal(process, environment["TERM"]) : undefined;
    },
    get editor() {
      if (!isTerminal("stdin") || !isTerminal("stdout")) return undefined;
      return {
        async open(name: string, text: string) {
          const { EditedFile } = await import("../../platform/terminal/edited-file.ts");
          return EditedFile.create(name, text, { cwd });
        },
      };
    },
    async launch(program, args, signal) {
      const { runAttached } = await import("../../platform/terminal/run-attached.ts");
      return runAttached(program, args, { cwd, signal });
    },
    async openBrowser(url) {
      const { openBrowser } = await import("../../platform/terminal/open-browser.ts");
      return openBrowser(url);
    },
  };
}

function userFiles(failOnSignals: () => void): UserFiles {
  return {
    async read(file, signal, maxBytes) {
      failOnSignals();
      const { readInput } = await import("../../platform/terminal/read-input.ts");
      return readInput(file, { signal, maxBytes, standardInput: () => process.stdin });
    },
    async write(file, text, options) {
      const { writeOutputFile } = await import("../../platform/terminal/write-output-file.ts");
      await writeOutputFile(file, text, options);
    },
  };
}

function requireFolder(path: string): void {
  if (isFolder(path)) return;
  throw new ForgeError("CONFIG_ERROR", `The project folder ${path} does not exist.`, {
    details: { path },
    next: ["Set --project (or FORGE_PROJECT) to an existing folder."],
  });
}

function storeOf({ databaseUrl }: Settings, { databaseFile }: Project): ProjectReport["store"] {
  if (databaseUrl === undefined)
    return { engine: "sqlite", place: databaseFile, exists: entryAt(databaseFile) !== undefined };
  return { engine: "postgres", place: new URL(databaseUrl).host, exists: true };
}
