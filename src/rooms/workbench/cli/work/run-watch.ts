import type { App } from "../../../../commons/cli/app.ts";
import { defineCommand, type Output } from "../../../../kernel/command.ts";
import { plain, plainJson } from "../../../../platform/terminal/text.ts";
import type { ShownEvent, ShownExecution } from "../desk.ts";
import { executionColours, facts } from "./common.ts";
import { eventLine } from "./describe-execution.ts";
import { completeExecution, executionArgument, requireExecution } from "./execution-argument.ts";

const tickMs = 1_000;

export const runWatch = defineCommand({
  ...facts,
  name: "run watch",
  summary: "Follow an execution: what happened in it, and what happens",
  details:
    "A line for every file, test run, issue and commit as it comes, until the execution ends or Ctrl+C. On a pipe the lines are " +
    "time, kind and message with tabs between them; with --json each is an object. The exit code is 1 where the execution " +
    "failed or was cancelled.",
  examples: [
    ["forge run watch", "The one that is open."],
    ["forge run watch 5d0c --json", "Every event as a line of JSON, for a script."],
  ],
  arguments: [executionArgument],
  complete: completeExecution,
  async run(app: App, { positionals: [typed] }, out) {
    const desk = await app.workbench();
    const id = await requireExecution(desk, typed);
    const line = new PassingLine(out);
    try {
      const { status } = await desk.watch(id, (event, execution) => {
        showEvent(event, id, out);
        line.seen(event, execution);
      });
      line.end();
      if (!out.json && out.width !== undefined)
        out.print(`${plain(id)} is ${out.style[executionColours[status]](status)}.`);
      return status === "completed" ? 0 : 1;
    } catch (error) {
      // Whoever stops looking on has seen what they wanted.
      if (out.signal.aborted) return 0;
      throw error;
    } finally {
      line.end();
    }
  },
});

function showEvent(event: ShownEvent, id: string, out: Output): void {
  if (out.json) out.print(plainJson(JSON.stringify({ execution_id: id, ...event })));
  else if (out.width === undefined) out.print([event.at, event.kind, event.message].map(plain).join("\t"));
  else out.print(eventLine(event, out.style));
}

/** On a terminal, how it stands between two events: `implementing, 3 files, 1:23`. */
class PassingLine {
  readonly #out: Output;
  readonly #files = new Set<string>();
  #latest: ShownExecution | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(out: Output) {
    this.#out = out;
    if (out.json || out.width === undefined) return;
    this.#timer = setInterval(() => this.#show(), tickMs);
  }

  seen({ kind, details: { path } }: ShownEvent, execution: ShownExecution): void {
    if (kind === "file" && typeof path === "string" && path !== "") this.#files.add(path);
    this.#latest = execution;
    this.#show();
  }

  end(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#out.progress(undefined);
  }

  #show(): void {
    if (!this.#timer || this.#latest?.status !== "running") return;
    const { stage, started_at: started } = this.#latest;
    const { size } = this.#files;
    const seconds = Math.max(0, Math.floor((Date.now() - Date.parse(started)) / 1_000));
    const files = size === 0 ? "" : `, ${size} ${size === 1 ? "file" : "files"}`;
    this.#out.progress(`${stage}${files}, ${clock(seconds)}`);
  }
}

function clock(seconds: number): string {
  const two = (part: number) => String(part).padStart(2, "0");
  const minutes = Math.floor(seconds / 60);
  return minutes < 60
    ? `${minutes}:${two(seconds % 60)}`
    : `${Math.floor(minutes / 60)}:${two(minutes % 60)}:${two(seconds % 60)}`;
}
