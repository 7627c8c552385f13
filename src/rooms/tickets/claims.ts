import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { type CurrentLease, HeldLease, type JoinedLease, type Leases } from "../../commons/leases/index.ts";
import type { Principal } from "../../kernel/principal.ts";
import { afterCommit } from "../../platform/db/database.ts";
import type { Reads } from "../../platform/db/types.ts";
import { isAlive } from "../../platform/lifecycle.ts";
import { claimedByOther } from "./errors.ts";
import { holderOf, isHolder, patienceMs, processHolder, processOf, remoteHolder } from "./holders.ts";
import type { TicketClaim } from "./model.ts";
import type { Claiming } from "./ports.ts";
import type { Tx } from "./store.ts";

const usualMinutes = 30;
const mostConnections = 1_000;
/** Renewed four times in that time. */
const heldMs = 8_000;
const lookAgainMs = 100;

/** Who is on which ticket. A claim is a lease: whoever is not heard of any more loses it. */
export class Claims {
  readonly #leases: Leases;
  readonly #team: string;
  readonly #now: () => number;
  /** What each connection has claimed by. */
  readonly #workers = new Map<string, Set<string>>();
  /** Held by this process for whoever it serves, until it ends. */
  readonly #held = new Map<string, HeldLease>();

  constructor(leases: Leases, team: string, now: () => number) {
    this.#leases = leases;
    this.#team = team;
    this.#now = now;
  }

  /** Those of these tickets that somebody is on, by id. */
  async on<Schema>(db: Pick<Reads<Schema>, "getExecutor">, ids: readonly string[]): Promise<Map<string, TicketClaim>> {
    const names = new Map(ids.map((id) => [this.#name(id), id]));
    const held = await this.#leases.heldIn(db, [...names.keys()]);
    return new Map(held.map((lease) => [names.get(lease.name) ?? "", this.#shown(lease)]));
  }

  /** For a query that asks for a ticket and its claim at once. */
  joined(id: string) {
    return { name: this.#name(id), columns: this.#leases.joined };
  }

  /** What such a row says. */
  in(row: JoinedLease): TicketClaim | undefined {
    const lease = this.leaseIn(row);
    return lease && this.#shown(lease);
  }

  /** Throws where somebody else is on it. */
  async requireFree(tx: Tx, id: string, principal: Principal): Promise<void> {
    this.refuseOthers(id, await this.leaseOn(tx, id), principal);
  }

  /** The same where the ticket was asked for together with its claim. */
  refuseOthers(id: string, lease: CurrentLease | undefined, principal: Principal): void {
    if (lease && !this.#isOwn(lease, principal)) throw claimedByOther(id, lease);
  }

  leaseIn(row: JoinedLease): CurrentLease | undefined {
    return this.#leases.heldBy(row);
  }

  async leaseOn(tx: Tx, id: string): Promise<CurrentLease | undefined> {
    const [lease] = await this.#leases.heldIn(tx, [this.#name(id)]);
    return lease;
  }

  /** Takes it, or makes the caller's own last anew. `isNew` tells which. */
  async take(
    tx: Tx,
    id: string,
    principal: Principal,
    { worker, minutes = usualMinutes, held = false }: Claiming,
  ): Promise<{ claim: TicketClaim; isNew: boolean }> {
    const ttlMs = minutes * 60_000;
    const current = await this.leaseOn(tx, id);
    if (current) {
      // A name claims for itself alone: two workers of one assistant are two.
      const isOwn =
        worker === undefined ? this.#isOwn(current, principal) : current.holder === holderOf(principal, worker);
      if (!isOwn && !this.#isHeldHere(current) && !mayOverride(current, principal)) throw claimedByOther(id, current);
      afterCommit(tx, () => this.#remember(principal, current.holder));
      await this.#leases.renewIn(tx, { ...current, ttlMs });
      return { claim: this.#shown({ ...current, leftMs: ttlMs }), isNew: false };
    }
    const holder = held ? remoteHolder(principal) : holderOf(principal, worker);
    const taken = await this.#leases.claimIn(tx, { name: this.#name(id), holder, ttlMs });
    if (!taken) throw claimedByOther(id, { holder: "another", leftMs: ttlMs });
    afterCommit(tx, () => this.#remember(principal, holder));
    return { claim: this.#shown({ ...taken, leftMs: ttlMs }), isNew: true };
  }

  /** Ends it, whoever's it is: the ticket is done with, or the caller was allowed to. */
  async end(tx: Tx, id: string): Promise<string | undefined> {
    const lease = await this.leaseOn(tx, id);
    if (lease) await this.#leases.releaseIn(tx, lease);
    return lease?.holder;
  }

  /**
   * Keeps it for this process until {@link Claims.stop}. Clients start a server, look what it is, kill it and start it anew:
   * one that is ending is waited for, and one that was killed does not keep the ticket for long.
   */
  async hold(id: string, principal: Principal): Promise<void> {
    const name = this.#name(id);
    const holder = processHolder(principal, randomUUID());
    const deadline = performance.now() + patienceMs;
    for (;;) {
      const claimedAt = performance.now();
      const lease = await this.#leases.claim({ name, holder, ttlMs: heldMs });
      if (lease) {
        this.#held.set(id, new HeldLease(this.#leases, lease, claimedAt));
        return;
      }
      const current = await this.#leases.current(name);
      if (current && isOfDeadProcess(current)) await this.#leases.release(current);
      else if (performance.now() > deadline) throw claimedByOther(id, current ?? { holder: "another", leftMs: heldMs });
      else await pause(lookAgainMs);
    }
  }

  async stop(): Promise<void> {
    const held = [...this.#held.values()];
    this.#held.clear();
    await Promise.allSettled(held.map((lease) => lease.release()));
  }

  #isOwn(lease: CurrentLease, principal: Principal): boolean {
    const known = this.#workers.get(connectionOf(principal));
    return isHolder(lease.holder, principal) || known?.has(lease.holder) === true || this.#isHeldHere(lease);
  }

  #isHeldHere({ name, token }: CurrentLease): boolean {
    return [...this.#held.values()].some(({ lease }) => lease.name === name && lease.token === token);
  }

  /** On its connection a worker need not say its name again. */
  #remember(principal: Principal, holder: string): void {
    if (principal.instance === undefined) return;
    if (this.#workers.size >= mostConnections) this.#workers.clear();
    const connection = connectionOf(principal);
    this.#workers.set(connection, new Set(this.#workers.get(connection)).add(holder));
  }

  #shown({ holder, leftMs }: Pick<CurrentLease, "holder" | "leftMs">): TicketClaim {
    return { holder, until: new Date(this.#now() + leftMs).toISOString() };
  }

  #name(id: string): string {
    return this.#team === "" ? `ticket:${id}` : `ticket:${this.#team}:${id}`;
  }
}

/** Another person's may have the same name. */
function connectionOf({ id, instance }: Principal): string {
  return instance === undefined ? "" : JSON.stringify([id, instance]);
}

function mayOverride({ holder }: CurrentLease, principal: Principal): boolean {
  return principal.atKeyboard === true && isHolder(holder, principal);
}

/** Gone, and not heard of since it should have been: a number alone may mean another process, elsewhere or since. */
function isOfDeadProcess({ holder, ttlMs, leftMs }: CurrentLease): boolean {
  const pid = processOf(holder);
  return pid !== undefined && !isAlive(pid) && ttlMs - leftMs > ttlMs / 4 + 500;
}
