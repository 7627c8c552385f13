import type { Call, CallRecord, LogLevel, Progress, Question } from "./call.ts";
import type { Caller, Runtime } from "./invoke.ts";
import type { Principal } from "./principal.ts";
import type { Stopping } from "./stopping.ts";

type Running = Pick<Runtime<unknown>, "redactor" | "noteUntrusted">;

/** A call under way, as its work sees it. What the work tells or asks goes out without secrets. */
export class RunningCall implements Call {
  readonly principal: Principal;
  readonly record: CallRecord;
  readonly #runtime: Running;
  readonly #caller: Caller;
  readonly #stopping: Stopping;

  constructor(runtime: Running, caller: Caller, record: CallRecord, stopping: Stopping) {
    this.principal = caller.principal;
    this.record = record;
    this.#runtime = runtime;
    this.#caller = caller;
    this.#stopping = stopping;
  }

  get signal(): AbortSignal {
    return this.#stopping.signal;
  }

  report(progress: Progress): void {
    this.#caller.report(this.#runtime.redactor.value(progress));
  }

  log(level: LogLevel, message: string): void {
    this.#caller.log(level, this.#runtime.redactor.text(message));
  }

  async noteUntrusted(): Promise<void> {
    const { noteUntrusted } = this.#runtime;
    if (!noteUntrusted) throw new Error("what others wrote cannot be handed out: nothing remembers who reads it");
    await noteUntrusted(this.principal);
  }

  canAsk(kind: Question["ask"]): boolean {
    return this.#caller.canAsk(kind);
  }

  async ask(questions: Record<string, Question>): Promise<Record<string, unknown>> {
    return this.#caller.ask(this.#runtime.redactor.value(questions));
  }
}
