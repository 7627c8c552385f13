import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { App, Draft } from "../../../../src/commons/cli/app.ts";
import type { AttachedEnd } from "../../../../src/commons/cli/attached-end.ts";
import type { LiveTerminal } from "../../../../src/platform/terminal/live-terminal.ts";
import { CapturedStream, CliProject, type RunOptions } from "../../cli/cli.ts";

type Call = App["tools"]["call"];

/** A project with tickets, for commands on the real program. */
export class TicketCli extends CliProject {
  /** Imports a ticket from a document; returns its id. */
  async add(document: Record<string, unknown> = {}): Promise<string> {
    const file = this.file(
      "added.json",
      JSON.stringify({ title: "Keep people signed in", status: "READY", ...document }),
    );
    const { outcomes } = JSON.parse(await this.do(["import", file, "--json"])) as { outcomes: { id: string }[] };
    return outcomes[0]?.id ?? "";
  }

  /** Writes a file for a command to read; returns its path. */
  file(name: string, text: string): string {
    const path = this.path(name);
    writeFileSync(path, text);
    return path;
  }

  path(name: string): string {
    return join(this.home, name);
  }

  read(name: string): string {
    return readFileSync(this.path(name), "utf8");
  }

  filesIn(name: string): string[] {
    return readdirSync(this.path(name)).sort();
  }

  async json(line: string | string[]): Promise<Record<string, unknown>> {
    const words = typeof line === "string" ? line.split(" ") : line;
    return JSON.parse(await this.do([...words, "--json"])) as Record<string, unknown>;
  }

  /** What a shell offers for the last word of a line. */
  async offered(line: string): Promise<string[]> {
    return (await this.do(["__complete", "--", ...line.split(" ")])).split("\n");
  }
}

type Typed = {
  /** Answers to questions, in order; then the input ends. */
  lines?: (string | undefined)[];
  editor?: MemoryEditor;
  live?: LiveTerminal;
  launch?: App["terminal"]["launch"];
};

/** The program with a person at a terminal. `asked` collects the questions. */
export function atTerminal(
  { lines, editor, live, launch }: Typed = {},
  asked: string[] = [],
): NonNullable<RunOptions["with"]> {
  return (app) => ({
    terminal: {
      isInteractive: true,
      ask:
        lines &&
        (async (question) => {
          asked.push(question);
          return lines[asked.length - 1];
        }),
      editor,
      live,
      launch: launch ?? app.terminal.launch,
      openBrowser: app.terminal.openBrowser,
    },
  });
}

/** The program with a wrapper between commands and tools: `around` passes calls on and may change the result. */
export function aroundCalls(
  around: (name: string, input: Record<string, unknown>, call: () => Promise<unknown>) => unknown,
) {
  return (app: App): Pick<App, "tools"> => {
    const call: Call = async (name, input, options) => around(name, input, () => app.tools.call(name, input, options));
    return { tools: { ...app.tools, call } };
  };
}

type Deed = (text: string) => Promise<string | AttachedEnd> | string | AttachedEnd;

/** An editor whose user makes these changes to the text, one per call. */
export class MemoryEditor {
  text = "";
  opened: string[] = [];
  beside: Record<string, string> = {};
  isRemoved = false;
  /** Whether the file still exists. */
  exists = true;
  readonly #deeds: Deed[];

  constructor(...deeds: Deed[]) {
    this.#deeds = deeds;
  }

  async open(name: string, text: string): Promise<Draft> {
    this.text = text;
    return {
      path: `/tmp/x/${name}.md`,
      edit: async () => {
        this.opened.push(this.text);
        const done = (await this.#deeds.shift()?.(this.text)) ?? { code: 99 };
        if (typeof done !== "string") return done;
        this.text = done;
        return { code: 0 };
      },
      read: async () => this.text,
      exists: () => this.exists && !this.isRemoved,
      write: async (written) => {
        this.text = written;
      },
      layBeside: async (beside, written) => {
        this.beside[beside] = written;
        return `/tmp/x/${beside}.md`;
      },
      remove: async () => {
        this.isRemoved = true;
      },
    };
  }
}

/** An output that reacts once when it contains a text. */
export class WatchedStream extends CapturedStream {
  readonly #reactions: [text: string, react: () => void][];

  constructor(reactions: [text: string, react: () => void][], options: { isTTY?: boolean } = {}) {
    super(options);
    this.#reactions = reactions;
  }

  override _write(chunk: unknown, encoding: string, done: () => void): void {
    super._write(chunk, encoding, done);
    const [next] = this.#reactions;
    if (!next || !this.text.includes(next[0])) return;
    this.#reactions.shift();
    next[1]();
  }
}
