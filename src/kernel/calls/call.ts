import type { Effect } from "../effect.ts";
import type { ErrorCode } from "../errors.ts";
import type { Principal } from "../principal.ts";

/** `meta` is for programs: which execution it is, its stage and files. */
export type Progress = {
  progress: number;
  total?: number;
  message?: string;
  meta?: Record<string, unknown>;
  /** Something that happened: none of these is left out, however many come at once. */
  isEvent?: boolean;
};

export type LogLevel = "debug" | "info" | "warning" | "error";

/** Something only the person or the assistant at the other end can give. */
export type Question =
  | { ask: "person"; message: string; schema: Record<string, unknown> }
  | { ask: "model"; prompt: string; system?: string; maxTokens: number }
  | { ask: "roots" };

/** Makes a repeated request change something once: the key is written in the same transaction as the change. */
export type Once = {
  key: string;
  /** Hash of the request: the same key with another request is a mistake. */
  request: string;
  /** Not written yet, written by this call, or found written by an earlier one. */
  state: "free" | "kept" | "taken";
};

/** One line of the ledger: who called what, on what, and how it ended. */
export type CallRecord = {
  id: string;
  at: number;
  kind: "tool" | "prompt" | "resource" | "completion" | "command" | "route";
  name: string;
  effect: Effect;
  principal: string;
  agent: string | undefined;
  /** What the call was about, as `kind:id`: `ticket:T-001`, `file:src/main.ts`. */
  about: string[];
  /** `open` while it runs; `interrupted` where the process ended before the call did. */
  outcome: "open" | "ok" | "error" | "cancelled" | "asked" | "interrupted";
  code: ErrorCode | undefined;
  durationMs: number;
  /** Links to what proves it: `test-run:…`, `commit:…`. */
  evidence: string[];
  /** True once the entry is in the same transaction as the change it describes. */
  committed: boolean;
  once?: Once;
};

/** Where text comes from that is not the user's own: other people, always; or the repository, until the user trusts the project. */
export type TextOrigin = "others" | "repository";

/** Who changes something, and the ledger entry that is committed with the change. */
export type Actor = Pick<Call, "principal" | "record">;

/** What a tool's `run` knows of the call it serves, besides its input. */
export type Call = {
  principal: Principal;
  /** Aborted when the caller cancels, the deadline passes or the program ends. */
  signal: AbortSignal;
  /** Handed to the ledger by whatever commits the change. */
  record: CallRecord;
  report(progress: Progress): void;
  log(level: LogLevel, message: string): void;
  /** To be awaited before text that others wrote is handed to the caller, where only the data tells whose it is. */
  noteUntrusted(from?: TextOrigin): Promise<void>;
  /** Whether the client can put this kind of question; one that cannot is never asked. */
  canAsk(kind: Question["ask"]): boolean;
  /**
   * Asks the other end. The first time this ends the call with the questions; the caller repeats the call with the answers,
   * and then it returns them. So: ask before changing anything.
   */
  ask(questions: Record<string, Question>): Promise<Record<string, unknown>>;
};
