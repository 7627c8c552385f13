import { createHash, randomBytes, randomUUID } from "node:crypto";
import {
  type ClientCapabilities,
  createRequestStateCodec,
  type InputRequiredResult,
  inputRequired,
  ProtocolError,
  ProtocolErrorCode,
  type ServerContext,
} from "@modelcontextprotocol/server";
import type { Question } from "../../kernel/calls/call.ts";
import { PendingQuestions } from "../../kernel/calls/invoke.ts";

/** What is sent with a question and comes back with its answer. Signed: a caller can read it, but not change it. */
type State = { nonce: string; about: string; answers: Record<string, unknown> };

const lifetimeSeconds = 600;

/**
 * Questions to the client and their answers (multi-round-trip requests). An answer counts only for the call that asked: same
 * principal, same tool, same arguments, once, within ten minutes.
 */
export class QuestionExchange {
  readonly #codec = createRequestStateCodec({ key: randomBytes(32), ttlSeconds: lifetimeSeconds });
  readonly #used = new Map<string, number>();

  readonly verify = async (state: string, context: ServerContext) => {
    if (!isCanonical(state.slice(state.lastIndexOf(".") + 1))) throw new Error("malformed");
    return this.#codec.verify(state, context);
  };

  /** The answers given so far to this call; throws if the state belongs to another call or was used before. */
  answersFor(about: () => string, context: ServerContext): Record<string, unknown> {
    const state = context.mcpReq.requestState<State>();
    if (state === undefined) return {};
    if (state.about !== about() || this.#used.has(state.nonce)) {
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, "Invalid or expired requestState", {
        reason: "invalid_request_state",
      });
    }
    this.#remember(state.nonce);
    return { ...state.answers, ...context.mcpReq.inputResponses };
  }

  /** The result that asks the questions. */
  async put(
    questions: Record<string, Question>,
    about: string,
    answers: Record<string, unknown>,
    context: ServerContext,
  ): Promise<InputRequiredResult> {
    const state: State = { nonce: randomUUID(), about, answers };
    return inputRequired({
      inputRequests: Object.fromEntries(
        Object.entries(questions).map(([key, question]) => [key, toInputRequest(question)]),
      ),
      requestState: await this.#codec.mint(state, context),
    });
  }

  #remember(nonce: string): void {
    const now = Date.now();
    for (const [old, expires] of this.#used) if (expires < now) this.#used.delete(old);
    this.#used.set(nonce, now + lifetimeSeconds * 1000);
  }
}

/** The last character has unused bits: without this check, several spellings of one signature would be accepted. */
function isCanonical(signature: string): boolean {
  return Buffer.from(signature, "base64url").toString("base64url") === signature;
}

/** A call's identity, for binding answers to it. */
export function identityOf(principal: string, method: string, name: string, given: unknown): string {
  return createHash("sha256")
    .update(JSON.stringify([principal, method, name, given ?? {}]))
    .digest("base64url");
}

/** The `ask` of one call: what was answered, or the end of this round. */
export function makeAsk(answers: Record<string, unknown>) {
  return async (questions: Record<string, Question>): Promise<Record<string, unknown>> => {
    const open = Object.entries(questions).filter(([key]) => answers[key] === undefined);
    if (open.length > 0) throw new PendingQuestions(Object.fromEntries(open));
    return Object.fromEntries(Object.keys(questions).map((key) => [key, answers[key]]));
  };
}

export function canAsk(kind: Question["ask"], capabilities: ClientCapabilities): boolean {
  const needed = { person: capabilities.elicitation, model: capabilities.sampling, roots: capabilities.roots };
  return needed[kind] !== undefined;
}

function toInputRequest(question: Question) {
  switch (question.ask) {
    case "person":
      return inputRequired.elicit({ message: question.message, requestedSchema: question.schema as never });
    case "model":
      return inputRequired.createMessage({
        messages: [{ role: "user", content: { type: "text", text: question.prompt } }],
        ...(question.system && { systemPrompt: question.system }),
        maxTokens: question.maxTokens,
      });
    case "roots":
      return inputRequired.listRoots();
  }
}
