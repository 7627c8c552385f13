import { setImmediate as nextTurn } from "node:timers/promises";
import type { Context, Hono } from "hono";
import type { Broadcast, Ledger, LedgerEntry, TeamLedger } from "../../../commons/ledger/index.ts";
import { presentEntry } from "../../../commons/ledger/model.ts";
import { requireScope } from "../../../kernel/calls/invoke.ts";
import { ForgeError } from "../../../kernel/errors.ts";
import type { Principal } from "../../../kernel/principal.ts";
import type { Redactor } from "../../../kernel/text/redactor.ts";
import { EventStream, encodeEvent } from "./event-stream.ts";
import { tooManyRequests } from "./http-error.ts";

export const eventsPath = "/api/events";
export const eventsScope = "activity:read";

/** Who listens. */
export type EventListener = {
  principal: Principal;
  /** Undefined on a laptop, where all entries are the user's. */
  team: string | undefined;
  ledger: Pick<TeamLedger | Ledger, "latest">;
  /** Whether the token still allows it. */
  stillAllowed(): Promise<boolean>;
};

export type EventOptions = {
  listener(context: Context): Promise<EventListener>;
  broadcast: Broadcast;
  /** The number of the newest event. */
  newest(): Promise<number>;
  redactor: Redactor;
  /** In milliseconds. */
  timing?: Partial<{ heartbeat: number; check: number }>;
};

/** The event to start after, and whether it differs from the one that the client sent. */
type Start = { after: number; isOther: boolean };

const defaultTiming = { heartbeat: 15_000, check: 5_000 };
const maxStreams = { each: 64, all: 1_000 };
/** Entries that a stream holds while its client does not read on: each can have 60 kB, and there can be a thousand streams. */
const replayBatch = 10;
const maxWaiting = 1_000;

/**
 * The ledger as a stream of server-sent events. `Last-Event-ID` (or `after`, as a browser cannot send the header with its first
 * request) resumes an earlier stream; where that is not possible, an event `reset` tells the client to read everything again.
 */
export class Events {
  readonly #options: EventOptions;
  readonly #timing: typeof defaultTiming;
  readonly #streams = new Map<EventStream, string>();
  readonly #encoded = new WeakMap<LedgerEntry, Uint8Array>();
  #stopped = false;

  constructor(options: EventOptions) {
    this.#options = options;
    this.#timing = { ...defaultTiming, ...options.timing };
  }

  serve(app: Hono): void {
    app.get(eventsPath, (context) => this.#open(context));
  }

  /** Ends all streams; clients reconnect later, or to another server. */
  stop(): void {
    this.#stopped = true;
    for (const stream of this.#streams.keys()) stream.end();
  }

  async #open(context: Context): Promise<Response> {
    const listener = await this.#options.listener(context);
    const { principal } = listener;
    requireScope(principal, { scope: eventsScope });
    const asked = parseLastEventId(context.req.header("last-event-id") ?? context.req.query("after"));
    const from = asked === undefined ? undefined : await this.#startAfter(asked);
    // Counted when nothing more is waited for: many may be opened at the same moment.
    const mine = [...this.#streams.values()].filter((id) => id === principal.id).length;
    if (this.#stopped || mine >= maxStreams.each || this.#streams.size >= maxStreams.all) throw tooManyRequests(30);
    const stream = new EventStream(this.#timing.heartbeat);
    this.#streams.set(stream, principal.id);
    context.req.raw.signal.addEventListener("abort", () => stream.end(), { once: true });
    stream.ended.addEventListener("abort", () => this.#streams.delete(stream), { once: true });
    if (context.req.raw.signal.aborted) stream.end();
    try {
      await this.#feed(stream, listener, from);
    } catch (error) {
      stream.end();
      throw error;
    }
    context.header("content-type", "text/event-stream; charset=utf-8");
    // Proxies that buffer responses would hold events back.
    context.header("x-accel-buffering", "no");
    return context.body(stream.readable);
  }

  /**
   * Listens first and then replays: what is committed in between waits and is sent once. Resolves when it listens, so that a
   * client that got its response misses nothing from then on.
   */
  async #feed(stream: EventStream, listener: EventListener, from: Start | undefined): Promise<void> {
    const waiting: LedgerEntry[] = [];
    let last = from?.after ?? 0;
    const sendWaiting = async () => {
      for (let entry = waiting.shift(); entry && !stream.ended.aborted; entry = waiting.shift()) {
        if (entry.seq <= last) continue;
        if (!(await listener.stillAllowed())) return stream.end();
        last = entry.seq;
        await nextTurn();
        await stream.send(this.#encode(entry));
      }
    };
    let caughtUp: () => void = () => undefined;
    let sending = new Promise<void>((resolve) => {
      caughtUp = resolve;
    });
    const leave = await this.#options.broadcast.listen(listener.team, (entry) => {
      waiting.push(entry);
      // A client that reads this slowly is disconnected, and resumes from the last event that it got.
      if (waiting.length > maxWaiting) stream.end();
      else sending = sending.then(sendWaiting).catch(() => stream.end());
    });
    const check = setInterval(() => void this.#endUnlessAllowed(stream, listener), this.#timing.check);
    check.unref();
    const free = () => {
      clearInterval(check);
      leave();
    };
    stream.ended.addEventListener("abort", free, { once: true });
    if (stream.ended.aborted) return free();
    if (from?.isOther) stream.reset(from.after);
    const replayed = from === undefined ? Promise.resolve(last) : this.#replay(stream, listener, from.after);
    void replayed.then(
      (seq) => {
        last = seq;
        caughtUp();
      },
      () => stream.end(),
    );
  }

  /** An id that is newer than the newest event comes from another store, or from before a backup was restored. */
  async #startAfter(asked: number): Promise<Start> {
    const newest = await this.#options.newest();
    return asked > newest ? { after: newest, isOther: true } : { after: asked, isOther: false };
  }

  /** Sends what came after an event; returns the last one's id. */
  async #replay(stream: EventStream, { ledger }: EventListener, from: number): Promise<number> {
    let last = from;
    while (!stream.ended.aborted) {
      const entries = await ledger.latest({ after: last, limit: replayBatch });
      for (const entry of entries) {
        await stream.send(this.#encode(entry));
        // An entry can have 60 kB, and a fast reader would keep everyone else waiting for hundreds of them.
        await nextTurn();
      }
      last = entries.at(-1)?.seq ?? last;
      if (entries.length < replayBatch) break;
    }
    return last;
  }

  /** An entry goes to all streams of its team, and is written once. */
  #encode(entry: LedgerEntry): Uint8Array {
    const known = this.#encoded.get(entry);
    if (known) return known;
    const event = encodeEvent(entry.seq, this.#options.redactor.value(presentEntry(entry)));
    this.#encoded.set(entry, event);
    return event;
  }

  async #endUnlessAllowed(stream: EventStream, listener: EventListener): Promise<void> {
    // If the database does not answer, the next check decides.
    const allowed = await listener.stillAllowed().catch(() => true);
    if (!allowed) stream.end();
  }
}

function parseLastEventId(header: string | undefined): number | undefined {
  if (header === undefined || header === "") return undefined;
  if (/^\d{1,15}$/.test(header)) return Number(header);
  throw new ForgeError("VALIDATION_ERROR", "The Last-Event-ID header is not the id of an event.", {
    next: ["Send the id of the last event you received, or leave the header out to start with the next one."],
  });
}
