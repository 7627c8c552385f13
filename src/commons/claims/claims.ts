import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import type { Transaction } from "kysely";
import type { ForgeError } from "../../kernel/errors.ts";
import type { Principal } from "../../kernel/principal.ts";
import { afterCommit } from "../../platform/db/database.ts";
import type { Reads } from "../../platform/db/types.ts";
import { isAlive } from "../../platform/host/lifecycle.ts";
import { type CurrentLease, HeldLease, type JoinedLease, type Leases } from "../leases/index.ts";
import { ClaimKeepers } from "./claim-keepers.ts";
import {
  holderOf,
  holderTimeoutMs,
  isHolder,
  isOfConnection,
  processHolder,
  processOf,
  remoteHolder,
} from "./holders.ts";

/** Who has claimed something, and when the claim ends if it is not renewed. */
export type Claim = { holder: string; until: string };

export type ClaimRequest = {
  /** A name that outlives a connection; default: the connection itself. */
  worker?: string | undefined;
  minutes?: number | undefined;
  /** By a process, for as long as it runs. */
  held?: boolean | undefined;
  /** By this process, which renews it: nobody else can use its name while the process runs. */
  kept?: boolean | undefined;
};

export type ClaimsOptions = {
  leases: Leases;
  /** What the lease on something is called: `ticket:T-001`. The id is its end. */
  nameOf(id: string): string;
  /** The error for a caller that finds it claimed by another. */
  taken(id: string, lease: Pick<CurrentLease, "holder" | "leftMs">): ForgeError;
  now(): number;
};

const defaultMinutes = 30;
const maxConnections = 1_000;
/** Renewed four times in that time. */
const heldMs = 8_000;
const lookAgainMs = 100;

/** Who works on what. A claim is a lease: a holder that stops renewing it loses it. */
export class Claims {
  readonly #leases: Leases;
  readonly #keepers: ClaimKeepers;
  readonly #options: Omit<ClaimsOptions, "leases">;
  /** The holders that each connection has claimed as. */
  readonly #workers = new Map<string, Set<string>>();
  /** Held by this process for the clients it serves, until it ends. */
  readonly #held = new Map<string, HeldLease>();

  constructor({ leases, ...options }: ClaimsOptions) {
    this.#leases = leases;
    this.#keepers = new ClaimKeepers(leases);
    this.#options = options;
  }

  /** Those of these that are claimed, by id. */
  async on<Schema>(db: Pick<Reads<Schema>, "getExecutor">, ids: readonly string[]): Promise<Map<string, Claim>> {
    const names = new Map(ids.map((id) => [this.#options.nameOf(id), id]));
    const held = await this.#leases.readHeld(db, [...names.keys()]);
    return new Map(held.map((lease) => [names.get(lease.name) ?? "", this.#toClaim(lease)]));
  }

  /** The ids of everything that is claimed. */
  async all<Schema>(db: Pick<Reads<Schema>, "getExecutor">): Promise<string[]> {
    const prefix = this.#options.nameOf("");
    const held = await this.#leases.readHeldByPrefix(db, prefix);
    return held.map(({ name }) => name.slice(prefix.length));
  }

  /** For a query that asks for something and its claim at once. */
  joinColumns(id: string) {
    return { name: this.#options.nameOf(id), columns: this.#leases.joined };
  }

  /** What such a row says. */
  in(row: JoinedLease): Claim | undefined {
    const lease = this.leaseIn(row);
    return lease && this.#toClaim(lease);
  }

  /** Throws where another has claimed it; returns the caller's own lease, if there is one. */
  async requireFree<Schema>(
    tx: Pick<Reads<Schema>, "getExecutor">,
    id: string,
    principal: Principal,
  ): Promise<CurrentLease | undefined> {
    const lease = await this.leaseOn(tx, id);
    this.refuseOthers(id, lease, principal);
    return lease;
  }

  /** The same where it was asked for together with its claim. */
  refuseOthers(id: string, lease: CurrentLease | undefined, principal: Principal): void {
    if (lease && !this.#isOwn(lease, principal)) throw this.#options.taken(id, lease);
  }

  leaseIn(row: JoinedLease): CurrentLease | undefined {
    return this.#leases.toCurrentLease(row);
  }

  async leaseOn<Schema>(tx: Pick<Reads<Schema>, "getExecutor">, id: string): Promise<CurrentLease | undefined> {
    const [lease] = await this.#leases.readHeld(tx, [this.#options.nameOf(id)]);
    return lease;
  }

  /** Claims it, or renews the caller's own claim. `isNew` tells which. */
  async take<Schema>(
    tx: Transaction<Schema>,
    id: string,
    principal: Principal,
    { worker, minutes = defaultMinutes, held = false, kept = false }: ClaimRequest,
  ): Promise<{ claim: Claim; isNew: boolean }> {
    const ttlMs = minutes * 60_000;
    const current = await this.leaseOn(tx, id);
    if (current) {
      // A name claims for itself alone: two workers of one assistant are two.
      const isOwn =
        worker === undefined ? this.#isOwn(current, principal) : current.holder === holderOf(principal, worker);
      if (!isOwn && !this.#isHeldHere(current) && !mayOverride(current, principal))
        throw this.#options.taken(id, current);
      const isByNameAlone = worker !== undefined && !this.#isKnown(current, principal);
      if (isByNameAlone && (await this.#keepers.isElsewhere(tx, current))) throw this.#options.taken(id, current);
      afterCommit(tx, () => this.#remember(principal, current.holder));
      await this.#leases.renewIn(tx, { ...current, ttlMs });
      if (kept) await this.#keepers.keep(tx, current);
      return { claim: this.#toClaim({ ...current, leftMs: ttlMs }), isNew: false };
    }
    const holder = held ? remoteHolder(principal) : holderOf(principal, worker);
    const taken = await this.#leases.claimIn(tx, { name: this.#options.nameOf(id), holder, ttlMs });
    if (!taken) throw this.#options.taken(id, { holder: "another", leftMs: ttlMs });
    afterCommit(tx, () => this.#remember(principal, holder));
    if (kept) await this.#keepers.keep(tx, taken);
    return { claim: this.#toClaim({ ...taken, leftMs: ttlMs }), isNew: true };
  }

  /** Ends a claim, whoever holds it: the work is done, or the caller may override it. */
  async end<Schema>(tx: Transaction<Schema>, id: string): Promise<string | undefined> {
    const lease = await this.leaseOn(tx, id);
    if (lease) await this.#leases.releaseIn(tx, lease);
    return lease?.holder;
  }

  /**
   * Ends a claim of a connection whose process kept it and has ended: nobody can come back for it. A claim by a worker's name
   * outlives the process.
   */
  async endAbandoned<Schema>(tx: Transaction<Schema>, id: string): Promise<void> {
    const lease = await this.leaseOn(tx, id);
    if (lease && isOfConnection(lease.holder) && (await this.#keepers.isDead(tx, lease)))
      await this.#leases.releaseIn(tx, lease);
  }

  /** This process no longer renews it, whoever holds it. */
  async letGo<Schema>(tx: Transaction<Schema>, id: string): Promise<void> {
    const lease = await this.leaseOn(tx, id);
    if (lease) await this.#keepers.letGo(tx, lease);
  }

  /**
   * Holds it for this process until {@link Claims.stop}. Clients start a server, look at it, kill it and start it again: one
   * that is ending is waited for, and one that was killed does not hold it for long.
   */
  async hold(id: string, principal: Principal): Promise<void> {
    const name = this.#options.nameOf(id);
    const holder = processHolder(principal, randomUUID());
    const deadline = performance.now() + holderTimeoutMs;
    for (;;) {
      const claimedAt = performance.now();
      const lease = await this.#leases.claim({ name, holder, ttlMs: heldMs });
      if (lease) {
        this.#held.set(id, new HeldLease(this.#leases, lease, claimedAt));
        return;
      }
      const current = await this.#leases.current(name);
      if (current && isOfDeadProcess(current)) await this.#leases.release(current);
      else if (performance.now() > deadline)
        throw this.#options.taken(id, current ?? { holder: "another", leftMs: heldMs });
      else await pause(lookAgainMs);
    }
  }

  async stop(): Promise<void> {
    const held = [...this.#held.values()];
    this.#held.clear();
    await Promise.allSettled(held.map((lease) => lease.release()));
  }

  #isOwn(lease: CurrentLease, principal: Principal): boolean {
    return isHolder(lease.holder, principal) || this.#isKnown(lease, principal) || this.#isHeldHere(lease);
  }

  #isKnown({ holder }: CurrentLease, principal: Principal): boolean {
    return this.#workers.get(connectionOf(principal))?.has(holder) === true;
  }

  #isHeldHere({ name, token }: CurrentLease): boolean {
    return [...this.#held.values()].some(({ lease }) => lease.name === name && lease.token === token);
  }

  /** On its connection a worker need not say its name again. */
  #remember(principal: Principal, holder: string): void {
    if (principal.instance === undefined) return;
    if (this.#workers.size >= maxConnections) this.#workers.clear();
    const connection = connectionOf(principal);
    this.#workers.set(connection, new Set(this.#workers.get(connection)).add(holder));
  }

  #toClaim({ holder, leftMs }: Pick<CurrentLease, "holder" | "leftMs">): Claim {
    return { holder, until: new Date(this.#options.now() + leftMs).toISOString() };
  }
}

/** Connections of two people may have the same name. */
function connectionOf({ id, instance }: Principal): string {
  return instance === undefined ? "" : JSON.stringify([id, instance]);
}

function mayOverride({ holder }: CurrentLease, principal: Principal): boolean {
  return principal.atKeyboard === true && isHolder(holder, principal);
}

/** Ended, and late with its renewal: a number alone may be another process, on another machine or started since. */
function isOfDeadProcess({ holder, ttlMs, leftMs }: CurrentLease): boolean {
  const pid = processOf(holder);
  return pid !== undefined && !isAlive(pid) && ttlMs - leftMs > ttlMs / 4 + 500;
}
