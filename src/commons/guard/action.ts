import { createHash } from "node:crypto";
import type { Call } from "../../kernel/call.ts";
import type { Principal } from "../../kernel/principal.ts";

/** A change that a tool is about to make. */
export type Action = {
  /** One line for the person who decides: "Write src/auth.ts". */
  summary: string;
  /**
   * Everything it changes, as `kind:id` in one agreed spelling: `file:src/auth.ts`, `ticket:T-002`; `protected:…` and
   * `push:…` are never in any scope.
   */
  touches: readonly string[];
  /** Whatever else makes it this change and no other, as JSON: the text to write, the commit to push. */
  content: unknown;
};

/** What the work at hand was declared to change: a ticket's file changes, and the ticket itself. */
export type Scope = { touches: readonly string[] };

const longestAgent = 200;
const inNoScope = /^(?:protected|push):/;

export function outsideOf(scope: Scope, action: Action): string[] {
  const declared = new Set(scope.touches);
  return action.touches.filter((touched) => inNoScope.test(touched) || !declared.has(touched));
}

/** The agent of a caller whose client gave no name. */
export const unnamed = "";

export function agentOf({ agent = unnamed }: Principal): string {
  return agent.slice(0, longestAgent);
}

/**
 * Whom a reading is held against, and whose an approval is. Not a connection: whoever reconnects has not forgotten. Two
 * assistants of one person are told apart by the name their clients give.
 */
export function callerOf(principal: Principal): string {
  return JSON.stringify([principal.id, agentOf(principal)]);
}

/** A word for the exact change: another caller, tool, target or byte of content makes another. */
export function hashOf(call: Call, { summary, touches, content }: Action): string {
  const exact = JSON.stringify([callerOf(call.principal), call.record.name, summary, touches, content ?? null]);
  return createHash("sha256").update(exact).digest("hex");
}
