import { tooManyRequests } from "../reply/http-error.ts";

/** What one user may have under way: requests, lists and searches among them, bytes of their bodies, requests that wait, and the length of answers that nobody has read. */
export type TurnLimits = { requests: number; lists: number; bytes: number; waiting: number; unread: number };

const defaultLimits: TurnLimits = {
  ...{ requests: 64, lists: 64, bytes: 1_048_576 },
  ...{ waiting: 5_000, unread: 32 * 1_048_576 },
};
/** A change waits for all others, which are made one after another. If one of a user's took so long, each of theirs counts as several. */
const slowChange = { ms: 1_000, weight: 4 };
/** After so long, whoever comes next waits until everybody else was heard. */
const maxTurnMs = 20;
/** How many of those that wait are started before that. */
const maxStarted = 8;
/** After a slow turn, what arrives is accepted first: until nothing arrives for this many turns, or for this long. */
const lettingIn = { quietTurns: 3, maxMs: 50 };

/** `bytes` are those of its body. */
type RequestSize = { bytes: number; kind?: "change" | "list" };
type WaitingRequest = { size: RequestSize; start(): void };
type Requests = {
  open: number;
  lists: number;
  bytes: number;
  waiting: WaitingRequest[];
  unread: number;
  /** As how many requests a change counts. */
  changeWeight: number;
};

/**
 * Answers the requests of one user so that others are answered in between. A database in this process is asked at once: without
 * turns, a thousand requests that take a tenth of a second each would keep everyone waiting until the last of them is answered.
 */
export class UserTurns {
  readonly #limits: TurnLimits;
  /** Who has requests under way or waiting; whose turn is next is first. */
  readonly #users = new Map<string, Requests>();
  #began: number | undefined;
  #next: NodeJS.Immediate | undefined;
  #scheduledAt = 0;
  #arrivals: Arrivals | undefined;
  #startedAt = 0;
  #count = 1;

  constructor(limits: Partial<TurnLimits> = {}) {
    this.#limits = { ...defaultLimits, ...limits };
  }

  /** `work` is told whether it has waited: what was known of its user may have changed. */
  async run<T>(user: string, size: RequestSize, work: (hasWaited: boolean) => Promise<T>): Promise<T> {
    const own = this.#of(user);
    const waits = this.#isLate() || this.#arrivals !== undefined || own.waiting.length > 0 || !this.#hasRoom(own, size);
    const leave = waits ? await this.#wait(own, size) : enter(own, size);
    try {
      return await work(waits);
    } finally {
      leave();
      this.#goOn(user, own);
    }
  }

  /**
   * Counts an answer until the returned function is called, once it was read. It is in memory meanwhile, and a user can ask for large
   * ones on hundreds of connections without reading any.
   */
  hold(user: string, length: number): () => void {
    const own = this.#of(user);
    own.unread += length;
    return () => {
      own.unread -= length;
      this.#goOn(user, own);
    };
  }

  #of(user: string): Requests {
    const known = this.#users.get(user);
    if (known) return known;
    const own = { open: 0, lists: 0, bytes: 0, waiting: [], unread: 0, changeWeight: 1 };
    this.#users.set(user, own);
    return own;
  }

  #goOn(user: string, own: Requests): void {
    if (own.waiting.length > 0) this.#schedule();
    else if (own.open === 0 && own.unread === 0) this.#users.delete(user);
  }

  /** Whether requests have been started for long in this turn of the event loop. */
  #isLate(): boolean {
    const now = performance.now();
    if (this.#began !== undefined) return now - this.#began > maxTurnMs;
    this.#began = now;
    setImmediate(() => {
      this.#began = undefined;
      if (performance.now() - now > maxTurnMs) this.#letIn();
    });
    return false;
  }

  /** Those who come in the meantime wait for their turn, too. */
  #letIn(): void {
    this.#arrivals ??= new Arrivals();
    this.#schedule();
  }

  /** One request alone may be as large as it likes. */
  #hasRoom(own: Requests, more: RequestSize): boolean {
    const { open, lists, bytes, unread } = own;
    if (unread >= this.#limits.unread) return false;
    if (more.kind === "list" && lists >= this.#limits.lists) return false;
    const isFree = open + weightOf(own, more) <= this.#limits.requests && bytes + more.bytes <= this.#limits.bytes;
    return open === 0 || isFree;
  }

  #wait(own: Requests, size: RequestSize): Promise<() => void> {
    if (own.waiting.length >= this.#limits.waiting) throw tooManyRequests(1);
    return new Promise((resolve) => {
      own.waiting.push({ size, start: () => resolve(enter(own, size)) });
      this.#schedule();
    });
  }

  #schedule(): void {
    if (this.#next) return;
    this.#scheduledAt = performance.now();
    this.#next = setImmediate(() => {
      this.#next = undefined;
      if (this.#isLettingIn()) this.#schedule();
      else this.#startSome();
    });
  }

  /** Before each start this happens once at most, however long what was started earlier takes. */
  #isLettingIn(): boolean {
    if (this.#arrivals) {
      if (!this.#arrivals.areIn()) return true;
      this.#arrivals = undefined;
    } else if (performance.now() - this.#scheduledAt > maxTurnMs) this.#arrivals = new Arrivals();
    return this.#arrivals !== undefined;
  }

  /** More at a time while they are short: each turn of the event loop costs something too. */
  #startSome(): void {
    const now = performance.now();
    this.#count = now - this.#startedAt < maxTurnMs ? Math.min(2 * this.#count, maxStarted) : 1;
    this.#startedAt = now;
    for (let left = this.#count; left > 0; left--) if (!this.#startNext()) return;
    this.#schedule();
  }

  #startNext(): boolean {
    for (const [user, own] of this.#users) {
      const [first] = own.waiting;
      if (!first || !this.#hasRoom(own, first.size)) continue;
      this.#users.delete(user);
      this.#users.set(user, own);
      own.waiting.shift();
      first.start();
      return true;
    }
    return false;
  }
}

/**
 * Node accepts one connection in each turn of the event loop. If each turn also answered a slow request, a new user would wait for
 * as many of them as there are connections in front of theirs.
 */
class Arrivals {
  readonly #until = performance.now() + lettingIn.maxMs;
  #seen = countEvents();
  #quietTurns = 0;

  /** Asked once in each turn. */
  areIn(): boolean {
    const seen = countEvents();
    this.#quietTurns = seen === this.#seen ? this.#quietTurns + 1 : 0;
    this.#seen = seen;
    return this.#quietTurns >= lettingIn.quietTurns || performance.now() > this.#until;
  }
}

/** What the event loop was told by the system so far. */
function countEvents(): number {
  return performance.nodeTiming.uvMetricsInfo.events;
}

/** Returns what ends it. */
function enter(own: Requests, size: RequestSize): () => void {
  const weight = weightOf(own, size);
  const lists = size.kind === "list" ? 1 : 0;
  const begun = size.kind === "change" ? performance.now() : 0;
  own.open += weight;
  own.lists += lists;
  own.bytes += size.bytes;
  return () => {
    own.open -= weight;
    own.lists -= lists;
    own.bytes -= size.bytes;
    if (size.kind === "change") own.changeWeight = performance.now() - begun > slowChange.ms ? slowChange.weight : 1;
  };
}

function weightOf({ changeWeight }: Requests, { kind }: RequestSize): number {
  return kind === "change" ? changeWeight : 1;
}
