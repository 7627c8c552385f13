import { tooManyRequests } from "../reply/http-error.ts";

type Rate = { perSecond: number; burst: number };

/** For one user: reads, writes. For one address: public requests, rejected tokens, and passwords and codes on pages. */
export type Rates = Record<"read" | "write" | "public" | "refused" | "attempt", Rate>;

const defaultRates: Rates = {
  read: { perSecond: 1_000, burst: 5_000 },
  write: { perSecond: 300, burst: 1_500 },
  public: { perSecond: 20, burst: 60 },
  refused: { perSecond: 20, burst: 100 },
  attempt: { perSecond: 2, burst: 60 },
};

type Bucket = { left: number; at: number };

const maxBuckets = 10_000;

/** Limits requests with token buckets, in this process's memory: each fills steadily and is emptied by requests. */
export class RateLimits {
  readonly #rates: Rates;
  readonly #now: () => number;
  readonly #buckets = new Map<string, Bucket>();

  constructor(rates: Partial<Rates> = {}, now: () => number = () => performance.now()) {
    this.#rates = { ...defaultRates, ...rates };
    this.#now = now;
  }

  /** Throws 429 with the time to wait if the bucket is empty. */
  take(kind: keyof Rates, who: string): void {
    const rate = this.#rates[kind];
    const key = `${kind} ${who}`;
    const now = this.#now();
    const bucket = this.#buckets.get(key) ?? { left: rate.burst, at: now };
    const left = Math.min(rate.burst, bucket.left + ((now - bucket.at) / 1_000) * rate.perSecond);
    bucket.at = now;
    bucket.left = left >= 1 ? left - 1 : left;
    if (!this.#buckets.has(key)) this.#makeRoom(now);
    this.#buckets.set(key, bucket);
    if (left < 1) throw tooManyRequests(Math.max(1, Math.ceil((1 - left) / rate.perSecond)));
  }

  /** Full buckets can be dropped; if there are none, the oldest is dropped. */
  #makeRoom(now: number): void {
    if (this.#buckets.size < maxBuckets) return;
    for (const [key, { left, at }] of this.#buckets) {
      const { perSecond, burst } = this.#rates[key.slice(0, key.indexOf(" ")) as keyof Rates];
      if (left + ((now - at) / 1_000) * perSecond >= burst) this.#buckets.delete(key);
    }
    if (this.#buckets.size < maxBuckets) return;
    const [oldest] = this.#buckets.keys();
    if (oldest !== undefined) this.#buckets.delete(oldest);
  }
}
