import { catalog } from "../../src/app/catalog.ts";
import type { Program } from "../../src/app/local/program.ts";
import { ToolCalls } from "../../src/app/local/tool-calls.ts";
import type { App, LogFilter } from "../../src/commons/cli/app.ts";
import type { Editor } from "../../src/rooms/tickets/cli/editing/editor.ts";
import { MemoryApp } from "../harness/cli.ts";

/** What a person does while a command runs. */
export type Typed = {
  /** A person is at the terminal, and no assistant's shell; so unless told. */
  atKeyboard?: boolean;
  /** What they answer to questions, one after the other. */
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

/** The program behind the commands, with everything of the ticket room real; terminal, editor and files are in memory. */
export class RoomApp extends MemoryApp {
  readonly asked: string[] = [];

  override get offer() {
    return catalog;
  }

  constructor(program: Program, { atKeyboard = true, lines, edits, inputs = {}, served }: Typed) {
    super();
    const calls = new ToolCalls(program);
    const { ledger } = program.runtime.services;
    const { signal } = new AbortController();
    this.inputs = inputs;
    this.atKeyboard = atKeyboard;
    if (lines ?? edits) {
      this.ask = async (question) => {
        this.asked.push(question);
        return lines?.shift();
      };
    }
    if (edits) this.editor = editorOf(edits);
    const real: Partial<App> = {
      tickets: async () => program.tickets(signal),
      activity: (filter: LogFilter) => ledger.latest(filter),
      followActivity: (filter, until) => ledger.follow(filter, until),
      describeTool: async (name) => calls.describe(name),
      callTool: (name, input, until) => calls.call(name, input, until),
      getPrompt: (name, args, until) => calls.getPrompt(name, args, until),
      readResource: (uri, until) => calls.readResource(uri, until),
      serveStdio: async () => {
        await served?.(program);
        return 0;
      },
      launch: async () => {
        await served?.(program);
        return { code: 0 };
      },
    };
    Object.assign(this, real);
  }
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
