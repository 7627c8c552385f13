import { createHash } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import type { OnceDone, OnceKeys } from "../../../commons/ledger/index.ts";
import type { Once } from "../../../kernel/calls/call.ts";
import { ForgeError } from "../../../kernel/errors.ts";
import type { Reply } from "../reply/reply.ts";

const answerWithinMs = 5_000;
const lookEveryMs = 50;

/** A request that carries a key. */
export type KeyedRequest = {
  key: string;
  /** The same for the same request, and for no other. */
  request: string;
  id: string;
  /** The answer is a secret: it is given once and kept nowhere. */
  secret: boolean;
};

export type KeyedWork = {
  /** After waiting for another request: throws if the caller's rights have ended meanwhile. */
  confirm(): Promise<void>;
  perform(once: Once): Promise<Reply>;
  /** The reply of an error. */
  fail(error: ForgeError): Reply;
};

export function parseKey(header: string): string {
  if (/^[\x21-\x7e]{1,200}$/.test(header)) return header;
  throw new ForgeError("VALIDATION_ERROR", "The Idempotency-Key header must be 1 to 200 visible ASCII characters.", {
    next: ["Send a new UUID with every change, and the same one when you repeat the request."],
  });
}

export function hashParts(...parts: readonly (string | undefined)[]): string {
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex");
}

/** Makes a request that comes twice, even at the same time, one change with one answer. */
export class Idempotency {
  readonly #keys: OnceKeys;
  readonly #lost: (error: unknown) => void;
  /** The newest request with each key. */
  readonly #newest = new Map<string, Promise<unknown>>();

  constructor(keys: OnceKeys, lost: (error: unknown) => void) {
    this.#keys = keys;
    this.#lost = lost;
  }

  /** Each waits for the one before it alone: if all waited for the first, a thousand would be woken a thousand times. */
  async answer(asked: KeyedRequest, work: KeyedWork): Promise<Reply> {
    const before = this.#newest.get(asked.key);
    const answering = before ? this.#answerAfter(before, asked, work) : this.#answer(asked, work);
    const settled = answering.then(
      () => undefined,
      () => undefined,
    );
    this.#newest.set(asked.key, settled);
    try {
      return await answering;
    } finally {
      if (this.#newest.get(asked.key) === settled) this.#newest.delete(asked.key);
    }
  }

  async #answerAfter(before: Promise<unknown>, asked: KeyedRequest, work: KeyedWork): Promise<Reply> {
    await before;
    await work.confirm();
    return this.#answer(asked, work);
  }

  async #answer(asked: KeyedRequest, { perform, fail }: KeyedWork): Promise<Reply> {
    const before = await this.#keys.find(asked.key);
    if (before) return this.#replay(asked, before);
    const once: Once = { key: asked.key, request: asked.request, state: "free" };
    const reply = await perform(once);
    const state = stateOf(once);
    if (state === "taken") return this.#replay(asked, await this.#keys.find(asked.key));
    // What failed before it changed anything may be tried again.
    if (state === "kept" || reply.status < 400)
      await this.#keep(once, asked, async () => (reply.status < 500 ? reply : fail(await this.#changeMade(once))));
    return reply;
  }

  /** The answer is given even if it cannot be kept: the change is made. */
  async #keep(once: Once, { id, secret }: KeyedRequest, reply: () => Promise<Reply>): Promise<void> {
    try {
      await this.#keys.keep(once, id, secret ? undefined : JSON.stringify(await reply()));
    } catch (error) {
      this.#lost(error);
    }
  }

  /** For a call that failed after its change: a client that repeats it would otherwise make the change again. */
  async #changeMade({ key }: Once): Promise<ForgeError> {
    return answerGone((await this.#keys.find(key))?.about ?? []);
  }

  async #replay(asked: KeyedRequest, found: OnceDone | undefined): Promise<Reply> {
    if (found && found.request !== asked.request) throw otherRequest();
    const until = performance.now() + answerWithinMs;
    let done = found;
    // Another process has made the change and is about to write its answer.
    while (!asked.secret && done?.answer === undefined && performance.now() < until) {
      await pause(lookEveryMs);
      done = await this.#keys.find(asked.key);
    }
    if (done?.answer === undefined) throw answerGone(done?.about ?? []);
    const reply = JSON.parse(done.answer) as Reply;
    return { ...reply, headers: { ...reply.headers, "idempotency-replayed": "true" } };
  }
}

/** The ledger has changed it since, which the compiler does not see. */
function stateOf(once: Once): Once["state"] {
  return once.state;
}

function otherRequest(): ForgeError {
  return new ForgeError("CONFLICT_ERROR", "This Idempotency-Key was already used for another request.", {
    next: ["Send a new key with every change, and the same one only to repeat the same request."],
  });
}

function answerGone(about: string[]): ForgeError {
  return new ForgeError(
    "CONFLICT_ERROR",
    "This change was already made and was not made again. The response to the first request is not available.",
    {
      details: { done: true, about },
      next: ["Read the current state. Use a new key only for another change."],
    },
  );
}
