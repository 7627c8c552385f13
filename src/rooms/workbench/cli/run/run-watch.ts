import type { App } from "../../../../commons/cli/app.ts";
import type { Progress } from "../../../../kernel/calls/call.ts";
import { defineCommand, type Output } from "../../../../kernel/definitions/command.ts";
import { plain, plainJson } from "../../../../platform/terminal/text.ts";
import { executionArgument, requireExecution } from "../execution-argument.ts";
import type { EventResult, ExecutionResult } from "../results.ts";
import { commandFacts, executionColours } from "../shared.ts";
import { suggestExecution } from "../suggestions.ts";
import { formatEventLine } from "./describe-execution.ts";

const tickMs = 1_000;

type FollowedEvent = { event: EventResult; execution: ExecutionResult };

/** A live screen, so it is typed by hand. */
export const runWatch = defineCommand({
  ...commandFacts,
  name: "run watch",
  summary: "Watch an execution live",
  details:
    "Prints a line for every file, test run, issue and commit, from the first on, until the execution ends or you press Ctrl+C. " +
    "On a pipe the lines are time, kind and message, separated by tabs; with --json each is an object. The exit code is 1 if the " +
    "execution failed or was cancelled.",
  examples: [
    ["forge run watch", "Watch the only open execution."],
    ["forge run watch 5d0c --json", "Print every event as a line of JSON, for a script."],
  ],
  arguments: [{ name: "id", required: false, help: executionArgument.help ?? "" }],
  complete: suggestExecution,
  async run(app: App, { positionals: [typed] }, out) {
    const id = await requireExecution(app, typed);
    const line = new StatusLine(out);
    const report = ({ meta }: Progress) => {
      const { event, execution } = meta as FollowedEvent;
      printEvent(event, id, out);
      line.update(event, execution);
    };
    try {
      const options = { signal: out.signal, command: "forge run watch", report };
      const result = await app.tools.call("forge_follow_execution", { execution_id: id }, options);
      const { status } = result as ExecutionResult;
      line.end();
      if (!out.json && out.width !== undefined)
        out.print(`${plain(id)} is ${out.style[executionColours[status]](status)}.`);
      return status === "completed" ? 0 : 1;
    } catch (error) {
      // Ctrl+C ends the watching, which is not a failure.
      if (out.signal.aborted) return 0;
      throw error;
    } finally {
      line.end();
    }
  },
});

function printEvent(event: EventResult, id: string, out: Output): void {
  if (out.json) out.print(plainJson(JSON.stringify({ execution_id: id, ...event })));
  else if (out.width === undefined) out.print([event.at, event.kind, event.message].map(plain).join("\t"));
  else out.print(formatEventLine(event, out.style));
}

/** On a terminal, the state between two events: `implementing, 3 files, 1:23`. */
class StatusLine {
  readonly #out: Output;
  readonly #files = new Set<string>();
  #latest: ExecutionResult | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(out: Output) {
    this.#out = out;
    if (out.json || out.width === undefined) return;
    this.#timer = setInterval(() => this.#show(), tickMs);
  }

  update({ kind, details: { path } }: EventResult, execution: ExecutionResult): void {
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
    this.#out.progress(`${stage}${files}, ${formatDuration(seconds)}`);
  }
}

function formatDuration(seconds: number): string {
  const two = (part: number) => String(part).padStart(2, "0");
  const minutes = Math.floor(seconds / 60);
  return minutes < 60
    ? `${minutes}:${two(seconds % 60)}`
    : `${Math.floor(minutes / 60)}:${two(minutes % 60)}:${two(seconds % 60)}`;
}
