/** How a call's ledger entry is written: after the answer, with the change, or before and after it. */
type RecordMode = "behind" | "with-change" | "before-and-after";

type EffectFacts = {
  hints: { readOnlyHint: boolean; destructiveHint: boolean; idempotentHint: boolean; openWorldHint: boolean };
  access: "read" | "write";
  recording: RecordMode;
};

const hints = (readOnlyHint: boolean, destructiveHint: boolean, idempotentHint: boolean, openWorldHint: boolean) => ({
  readOnlyHint,
  destructiveHint,
  idempotentHint,
  openWorldHint,
});

/** What a tool does to the world. MCP hints, read-only mode, scopes and the ledger follow from it. */
export const effects = {
  /** Reads this project. */
  read: { hints: hints(true, false, true, false), access: "read", recording: "behind" },
  /** Reads beyond this machine. */
  fetch: { hints: hints(true, false, true, true), access: "read", recording: "behind" },
  /** Sets a value in the database; twice is the same as once. */
  set: { hints: hints(false, false, true, false), access: "write", recording: "with-change" },
  /** Adds to the database; twice adds two. */
  add: { hints: hints(false, false, false, false), access: "write", recording: "with-change" },
  /** Removes something from the database. */
  remove: { hints: hints(false, true, true, false), access: "write", recording: "with-change" },
  /** Changes files or git, or runs a program, on this machine. */
  act: { hints: hints(false, true, false, false), access: "write", recording: "before-and-after" },
  /** Does something beyond this machine. */
  send: { hints: hints(false, false, false, true), access: "write", recording: "before-and-after" },
} as const satisfies Record<string, EffectFacts>;

export type Effect = keyof typeof effects;
