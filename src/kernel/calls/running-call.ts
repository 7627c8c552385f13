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
  readonly #declared: TextOrigin | undefined;
  /** What is told while the work goes on waits for the note of who reads it. */
  #told: Promise<void> = Promise.resolve();

  /** `declared`: whose text it returns in any case. */
  constructor(
    runtime: CallRuntime,
    caller: Caller,
    record: CallRecord,
    deadline: CallDeadline,
    declared?: TextOrigin | undefined,
  ) {
    this.principal = caller.principal;
    this.record = record;
    this.#runtime = runtime;
    this.#caller = caller;
    this.#deadline = deadline;
    this.#declared = declared;
  }

  get signal(): AbortSignal {
    return this.#deadline.signal;
  }

  report(progress: Progress): void {
    const step = this.#runtime.redactor.value(progress);
    this.#tell(() => this.#caller.report(step));
  }

  log(level: LogLevel, message: string): void {
    const text = this.#runtime.redactor.text(message);
    this.#tell(() => this.#caller.log(level, text));
  }

  /** Resolves when everything was told. */
  get told(): Promise<void> {
    return this.#told;
  }

  #tell(say: () => void): void {
    if (this.#declared === undefined) {
      say();
      return;
    }
    const noted = this.noteUntrusted(this.#declared);
    // Where it cannot be noted, it is not told; nor is the answer given.
    this.#told = Promise.all([this.#told, noted]).then(say, () => undefined);
  }

  async noteUntrusted(from: TextOrigin = "others"): Promise<void> {
    this.origins.add(from);
    // What a command prints is for the person, who follows nothing in it.
    if (this.record.kind === "command") return;
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
