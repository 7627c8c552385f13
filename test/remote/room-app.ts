import { commandSource } from "../../src/app/commands/command-source.ts";
import { showWelcome } from "../../src/app/commands/welcome.ts";
import type { Program } from "../../src/app/local/program.ts";
import { roomNamed } from "../../src/app/local/program.ts";
import { makeToolCalls } from "../../src/app/local/tool-calls.ts";
import { resolveSettings } from "../../src/app/settings/config.ts";
import { settingsSource } from "../../src/app/settings/source.ts";
import type { App, Editor } from "../../src/commons/cli/app.ts";
import { type Io, runCli } from "../../src/hosts/cli/run-cli.ts";
import { ForgeError } from "../../src/kernel/errors.ts";
import { Redactor } from "../../src/kernel/text/redactor.ts";

/** What a person does while a command runs. */
export type Typed = {
  /** Default: true. Otherwise it may be an assistant's shell. */
  atKeyboard?: boolean;
  /** Answers to questions, one after the other. */
  lines?: string[];
  /** What they make of the text in their editor, each time it opens. */
  edits?: ((text: string) => string | Promise<string>)[];
  /** Files that they name. */
  inputs?: Record<string, string>;
  /** What an assistant does on the pipe that the command serves, or as the program that it starts. */
  served?: (program: Program) => Promise<unknown>;
  /** They press Ctrl+C when they have read this. */
  until?: string;
};

type RoomApp = { app: App; asked: string[]; written: Record<string, string> };

/** The program as commands see it, on rooms that are opened already; terminal, editor and files are in memory. */
export function makeRoomApp(program: Program, root: string, typed: Typed): RoomApp {
  const { atKeyboard = true, lines, edits, inputs = {}, served } = typed;
  const asked: string[] = [];
  const written: Record<string, string> = {};
  const tools = makeToolCalls(
    async () => program,
    () => undefined,
  );
  const app: App = {
    version: "0.0.0",
    project: { root, inGit: false, store: { engine: "sqlite", place: "", exists: true } },
    commands: commandSource,
    tools,
    room: async <Services>(name: string) => (await program.services(roomNamed(name))) as Services,
    toolsets: { built: [], report: () => [] },
    get person(): never {
      throw new Error("no command on tickets asks for a person's decisions");
    },
    terminal: {
      isInteractive: atKeyboard,
      ask:
        (lines ?? edits) &&
        (async (question) => {
          asked.push(question);
          return lines?.shift();
        }),
      live: undefined,
      editor: edits && editorOf(edits),
      launch: async () => {
        await served?.(program);
        return { code: 0 };
      },
      openBrowser: async () => false,
    },
    files: {
      read: async (file) => inputs[file] ?? "{}",
      write: async (file, text, { force }) => {
        if (Object.hasOwn(written, file) && !force) throw new ForgeError("CONFLICT_ERROR", "There is such a file.");
        written[file] = text;
      },
    },
    serve: {
      stdio: async () => {
        await served?.(program);
        return 0;
      },
      http: notServed,
      up: notServed,
      team: notServed,
    },
    at: () => {
      throw new Error("no command on tickets works in another folder");
    },
    failOnSignals: () => undefined,
  };
  return { app, asked, written };
}

async function notServed(): Promise<never> {
  throw new Error("no command on tickets serves this way");
}

/** Runs a command line in the app. */
export function runIn(app: App, line: string | string[], io: Pick<Io, "stdout" | "stderr" | "signal">) {
  const cli = {
    commands: commandSource,
    binary: { prefix: [] },
    settings: {
      ...settingsSource,
      resolve: (flags: Record<string, unknown>) => resolveSettings({ flags, env: {}, file: undefined }),
    },
    open: () => app,
    welcome: showWelcome,
  };
  const argv = typeof line === "string" ? line.split(" ").filter((word) => word !== "") : line;
  return runCli(cli, argv, { ...io, term: undefined, redactor: new Redactor() });
}

function editorOf(edits: NonNullable<Typed["edits"]>): Editor {
  return {
    async open(name, given) {
      let text = given;
      return {
        path: `/tmp/${name}.md`,
        async edit() {
          text = (await edits.shift()?.(text)) ?? text;
          return { code: 0 };
        },
        read: async () => text,
        exists: () => true,
        write: async (written) => {
          text = written;
        },
        layBeside: async (beside) => `/tmp/${beside}.md`,
        remove: async () => undefined,
      };
    },
  };
}
