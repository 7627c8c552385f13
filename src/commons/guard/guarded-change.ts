import { createHash } from "node:crypto";
import type { Call, TextOrigin } from "../../kernel/calls/call.ts";
import type { Principal } from "../../kernel/principal.ts";

/** A change that a tool is about to make. */
export type GuardedChange = {
  /** One line for the person who decides: "Write src/auth.ts". */
  summary: string;
  /**
   * Everything it changes, as `kind:id` in one agreed spelling: `file:src/auth.ts`, `ticket:T-002`; `protected:…` and
   * `push:…` are never in any scope.
   */
  touches: readonly string[];
  /** Whatever else makes it this change, as JSON: the text to write, the commit to push. A function runs only if it is needed. */
  content: unknown | (() => Promise<unknown>);
  /** Why only a person may allow it, as the end of a sentence after "because". Default: text by others was read before. */
  why?: string;
  /** Whose words are in the summary, beside the caller's and the user's: the caller gets them in an error. */
  quotes?: TextOrigin | undefined;
  /** It permits more than itself: the summary says what may be done later without asking. */
  lasts?: boolean | undefined;
  /** It changes the user's own configuration, or is done with their sign-in: what was read in any project counts. */
  ofUser?: boolean | undefined;
};

/** What the work at hand was declared to change: a ticket's file changes, and the ticket itself. */
export type Scope = {
  touches: readonly string[];
  /** The user has taken over the work: any file may change, except protected ones. */
  anyFile?: true;
};

const maxAgentLength = 200;
const neverInScope = /^(?:protected|push):/;

export function findOutside(scope: Scope, action: GuardedChange): string[] {
  const declared = new Set(scope.touches);
  const isInScope = (touched: string) => declared.has(touched) || (scope.anyFile && touched.startsWith("file:"));
  return action.touches.filter((touched) => neverInScope.test(touched) || !isInScope(touched));
}

/** The agent of a caller whose client gave no name. */
export const unnamedAgent = "";

export function agentOf({ agent = unnamedAgent }: { agent?: string | undefined }): string {
  return agent.slice(0, maxAgentLength);
}

/**
 * Who counts as having read, and for whom an approval is. Not a connection: an assistant that reconnects has still read it.
 * Two assistants of one person are told apart by the names that their clients give.
 */
export function callerOf(principal: Principal): string {
  return JSON.stringify([principal.id, agentOf(principal)]);
}

/** A hash of the exact change: another caller, tool, target or byte of content gives another. */
export async function hashChange(call: Call, { summary, touches, content: given }: GuardedChange): Promise<string> {
  const content = typeof given === "function" ? await given() : given;
  const exact = JSON.stringify([callerOf(call.principal), call.record.name, summary, touches, content ?? null]);
  return createHash("sha256").update(exact).digest("hex");
}
