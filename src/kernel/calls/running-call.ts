import type { Principal } from "../principal.ts";
import type { Call, CallRecord, LogLevel, Progress, Question, TextOrigin } from "./call.ts";
import type { CallDeadline } from "./call-deadline.ts";
import type { Caller, Runtime } from "./invoke.ts";

type CallRuntime = Pick<Runtime<unknown>, "redactor" | "noteUntrusted">;

/** A call under way, as its work sees it. What the work tells or asks goes out without secrets. */
export class RunningCall implements Call {
  readonly principal: Principal;
  readonly record: CallRecord;
  /** Whose text it returns, beside the user's. */
  readonly origins = new Set<TextOrigin>();
  readonly #runtime: CallRuntime;
  readonly #caller: Caller;
  readonly #deadline: CallDeadline;

  constructor(runtime: CallRuntime, caller: Caller, record: CallRecord, deadline: CallDeadline) {
    this.principal = caller.principal;
    this.record = record;
    this.#runtime = runtime;
    this.#caller = caller;
    this.#deadline = deadline;
  }

  get signal(): AbortSignal {
    return this.#deadline.signal;
  }

  report(progress: Progress): void {
    this.#caller.report(this.#runtime.redactor.value(progress));
  }

  log(level: LogLevel, message: string): void {
    this.#caller.log(level, this.#runtime.redactor.text(message));
  }

  async noteUntrusted(from: TextOrigin = "others"): Promise<void> {
    this.origins.add(from);
    const { noteUntrusted } = this.#runtime;
    if (!noteUntrusted) throw new Error("text that others wrote cannot be returned: nothing notes who reads it");
    await noteUntrusted(this.principal, from);
  }

  canAsk(kind: Question["ask"]): boolean {
    return this.#caller.canAsk(kind);
  }

  async ask(questions: Record<string, Question>): Promise<Record<string, unknown>> {
    return this.#caller.ask(this.#runtime.redactor.value(questions));
  }
}
