import type { z } from "zod";
import type { Prompt, PromptMessage } from "../definitions/prompt.ts";
import type { Resource, ResourceContent } from "../definitions/resource.ts";
import { isAskedFirst, type Tool } from "../definitions/tool.ts";
import { type Effect, effects } from "../effect.ts";
import { bodyOf, type ErrorBody, ForgeError } from "../errors.ts";
import { allows, type Principal, type Scope } from "../principal.ts";
import type { Redactor } from "../text/redactor.ts";
import { type AskedStep, askedStep } from "./asked-step.ts";
import type { Call, CallRecord, LogLevel, Once, Progress, Question, TextOrigin } from "./call.ts";
import { CallDeadline, type Cancellation } from "./call-deadline.ts";
import { assertWithinLimits } from "./input-limits.ts";
import { newRecord } from "./new-record.ts";
import { noteQuoted, noteReaderAfter } from "./note-reader.ts";
import { RunningCall } from "./running-call.ts";
import { isForeign, showError, showOutput, showPrompt, showResource, textOf } from "./show-foreign.ts";
import { validationError } from "./validation-error.ts";

/** What a message is about; a function is called only where messages of its level are written. */
export type LogFields = Record<string, unknown> | (() => Record<string, unknown>);

/** Keeps the ledger. `open` is awaited before a change outside the database, so no such change goes unrecorded. */
export interface Recorder {
  open(record: CallRecord): Promise<void>;
  close(record: CallRecord): Promise<void>;
}

/** What every call of one program shares. */
export type Runtime<Services> = {
  services: Services;
  recorder: Recorder;
  redactor: Redactor;
  newId(): string;
  now(): number;
  log(level: LogLevel, message: string, fields?: LogFields): void;
  /** Remembers that this caller has read what others wrote; where it fails or is missing, such an answer is not given. */
  noteUntrusted?: (principal: Principal, from: TextOrigin) => Promise<void>;
  /** Whether the repository's text counts as the user's own; by default it is text by others. */
  isTrusted?: () => Promise<boolean>;
  /** Throws where the caller may be following text by others and no person has approved what it is about to do. */
  approve?: (call: Call, step: AskedStep) => Promise<void>;
};

/** What a host knows of one call. */
export type Caller = {
  principal: Principal;
  /**
   * The command that a person gave, `forge list`: the ledger names it, and what it returns is the person's own data, handed
   * over as it is. Absent for an assistant.
   */
  command?: string;
  /** A read that nobody asked for: left out of the ledger where it succeeds. */
  quiet?: true;
  signal: Cancellation;
  report(progress: Progress): void;
  log(level: LogLevel, message: string): void;
  canAsk(kind: Question["ask"]): boolean;
  /** Returns the answers, or throws {@link PendingQuestions} where the caller has yet to give them. */
  ask(questions: Record<string, Question>): Promise<Record<string, unknown>>;
};

export type Outcome<T> =
  | { kind: "value"; value: T }
  | { kind: "error"; body: ErrorBody }
  | { kind: "asked"; questions: Record<string, Question> };

/** Thrown by a host's `ask`: the call ends here, and the caller repeats it with the answers. */
export class PendingQuestions extends Error {
  readonly questions: Record<string, Question>;
  constructor(questions: Record<string, Question>) {
    super("the caller was asked");
    this.questions = questions;
  }
}

/** A tool's answer in the forms a host needs. */
export type Answer = { structured: unknown; text: string; content: Record<string, unknown>[] | undefined };

const defaultDeadlineMs = 30_000;

export async function invoke<Services>(
  runtime: Runtime<Services>,
  toolset: string,
  tool: Tool<Services>,
  given: unknown,
  caller: Caller,
): Promise<Outcome<Answer>> {
  const { effect, deadlineMs, untrusted } = tool;
  const { command } = caller;
  const name = command ?? tool.name;
  const kind = command === undefined ? "tool" : "command";
  // What a command prints is for the person, who follows nothing in it.
  const reads = command === undefined ? untrusted : undefined;
  const what: CallPlan = {
    ...{ kind, name, effect, scope: scopeFor(toolset, effect), deadlineMs, untrusted: reads },
    ...(caller.quiet && { quiet: true }),
  };
  return perform(runtime, what, caller, async (call) => {
    // What a command sends was typed or read by Forge itself, and can be larger than what an assistant may send.
    if (command === undefined) assertWithinLimits(given ?? {});
    const input = parseInput(tool.input, given ?? {}, `arguments for ${name}`);
    call.record.about = tool.about?.(input) ?? [];
    return async () => {
      if (isAskedFirst(tool)) await runtime.approve?.(call, askedStep(tool, input));
      const checked = checkOutput(tool, await tool.run(runtime.services, input, call));
      if (command !== undefined) return toAnswer(tool, checked, textOf(tool, checked));
      const output = runtime.redactor.value(tool.present?.(checked) ?? checked);
      return toAnswer(tool, output, await showOutput(tool, output, () => isForeign(runtime, call, untrusted)));
    };
  });
}

function toAnswer<Services>({ content }: Tool<Services>, output: unknown, text: string): Answer {
  return { structured: output, text, content: content?.(output) };
}

export async function getPrompt<Services>(
  runtime: Runtime<Services>,
  toolset: string,
  prompt: Prompt<Services>,
  given: unknown,
  caller: Caller,
): Promise<Outcome<PromptMessage[]>> {
  const { name, untrusted } = prompt;
  const what = { ...readPlan(toolset), kind: "prompt", name, untrusted } as const;
  return perform(runtime, what, caller, async (call) => {
    const args = parse(prompt.args, given ?? {}, `arguments for ${prompt.name}`);
    call.record.about = prompt.about?.(args) ?? [];
    return async () => {
      const messages = runtime.redactor.value(await prompt.run(runtime.services, args, call));
      return showPrompt(messages, () => isForeign(runtime, call, untrusted));
    };
  });
}

export async function readResource<Services>(
  runtime: Runtime<Services>,
  toolset: string,
  resource: Resource<Services>,
  variables: Record<string, string>,
  caller: Caller,
): Promise<Outcome<ResourceContent>> {
  const { uri: name, untrusted } = resource;
  const what = { ...readPlan(toolset), kind: "resource", name, untrusted } as const;
  return perform(runtime, what, caller, async (call) => {
    return async () => {
      const content = runtime.redactor.value(await resource.read(runtime.services, variables, call));
      return showResource(resource, content, () => isForeign(runtime, call, untrusted));
    };
  });
}

export type CallPlan = {
  /** The caller's own name for the call, for the ledger; default: a new one. */
  id?: string;
  kind: CallRecord["kind"];
  name: string;
  effect: Effect;
  /** What the caller's token must allow; undefined where anyone may call. */
  scope: Scope | undefined;
  deadlineMs: number | undefined;
  untrusted: TextOrigin | undefined;
  /** Leaves a read that succeeded out of the ledger. */
  quiet?: true;
  /** Has the ledger make the call's change once. */
  once?: Once;
};

export function scopeFor(toolset: string, effect: Effect): Scope {
  return `${toolset}:${effects[effect].access}`;
}

export function readPlan(toolset: string) {
  return { effect: "read", scope: scopeFor(toolset, "read"), deadlineMs: undefined } as const;
}

/**
 * The one way a call runs and the one place that catches. `prepare` parses the input and returns the work, so that the
 * scope check and the ledger come between the two.
 */
export async function perform<Services, T>(
  runtime: Runtime<Services>,
  what: CallPlan,
  caller: Caller,
  prepare: (call: RunningCall) => Promise<() => Promise<T>>,
): Promise<Outcome<T>> {
  const started = runtime.now();
  // Of a clock that nobody sets: how long a call took stays true when the other one is changed meanwhile.
  const stopwatch = performance.now();
  const { id = runtime.newId(), kind, name, effect, once } = what;
  const record = newRecord(caller.principal, { id, at: started, kind, name, effect, once });
  const deadline = new CallDeadline(what.name, what.deadlineMs ?? defaultDeadlineMs, caller.signal);
  const call = new RunningCall(runtime, caller, record, deadline, what.untrusted);
  let outcome: Outcome<T>;
  try {
    const work = await prepare(call);
    requireScope(caller.principal, what);
    if (effects[what.effect].recording === "before-and-after") await runtime.recorder.open(record);
    const value = await deadline.unlessStopped(what.untrusted ? noteReaderAfter(work, call, what.untrusted) : work());
    outcome = { kind: "value", value };
    record.outcome = "ok";
  } catch (thrown) {
    if (thrown instanceof PendingQuestions) {
      record.outcome = "asked";
      outcome = { kind: "asked", questions: thrown.questions };
    } else {
      const error = await noteQuoted(deadline.reasonFor(thrown), call);
      if (!(error instanceof ForgeError)) logUnexpected(runtime, record, error);
      const clean = runtime.redactor.value(bodyOf(error, record.id));
      const isByOthers = () => isForeign(runtime, call, what.untrusted);
      const body = what.kind === "command" ? clean : await showError(clean, isByOthers);
      record.outcome = body.code === "CANCELLED" ? "cancelled" : "error";
      record.code = body.code;
      outcome = { kind: "error", body };
    }
  } finally {
    deadline.end();
  }
  record.durationMs = Math.round(performance.now() - stopwatch);
  if (!(what.quiet && record.outcome === "ok" && effects[what.effect].access === "read"))
    await closeEntry(runtime, record);
  runtime.log("debug", name, () => describeEnd(record));
  return outcome;
}

function describeEnd({ about, outcome, durationMs }: CallRecord): Record<string, unknown> {
  return { about: about.join(","), outcome, duration: `${durationMs}ms` };
}

export function parse<Schema extends z.ZodObject>(schema: Schema, given: unknown, what: string): z.output<Schema> {
  assertWithinLimits(given);
  return parseInput(schema, given, what);
}

function parseInput<Schema extends z.ZodObject>(schema: Schema, given: unknown, what: string): z.output<Schema> {
  const parsed = schema.safeParse(given);
  if (!parsed.success) throw validationError(parsed.error, what, Object.keys(schema.shape));
  return parsed.data;
}

function checkOutput<Services>(tool: Tool<Services>, made: unknown): unknown {
  const parsed = tool.output.safeParse(made);
  if (parsed.success) return parsed.data;
  throw new Error(`${tool.name} returned what its output schema does not allow: ${parsed.error.message}`);
}

/** A new token does not help where the role is what forbids it, so the two have different messages. */
export function requireScope(principal: Principal, { scope }: Pick<CallPlan, "scope">): void {
  if (scope === undefined || allows(principal, scope)) return;
  const { name, role } = principal;
  if (role && !role.scopes.includes(scope)) {
    const message = `${name} is a ${role.name} in this team, and that role does not allow this: it needs ${scope}.`;
    throw new ForgeError("PERMISSION_DENIED", message, {
      details: { scope, role: role.name },
      next: ["Ask an admin of the team to do it, or to change your role."],
    });
  }
  throw new ForgeError(
    "PERMISSION_DENIED",
    `The token of ${name} does not allow this: it does not have the scope ${scope}.`,
    {
      details: { scope },
      next: [{ command: `token create NAME --scope ${scope}`, why: "to create a token that has it" }],
    },
  );
}

function logUnexpected<Services>(runtime: Runtime<Services>, record: CallRecord, error: unknown): void {
  runtime.log("error", `${record.name} failed`, {
    reference: record.id,
    error: runtime.redactor.text(thrownText(error)),
  });
}

/** Anything can be thrown, even what cannot be turned into a string; this must not throw again. */
function thrownText(thrown: unknown): string {
  try {
    return String(thrown instanceof Error ? (thrown.stack ?? thrown.message) : thrown);
  } catch {
    return "something that cannot be shown";
  }
}

/** The answer is given even if its ledger entry cannot be written: the change is made, and an error would say otherwise. */
async function closeEntry<Services>(runtime: Runtime<Services>, record: CallRecord): Promise<void> {
  try {
    await runtime.recorder.close(record);
  } catch (error) {
    runtime.log("error", "the ledger entry could not be written", { reference: record.id, error: String(error) });
  }
}
