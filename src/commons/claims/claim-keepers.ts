import { createHash } from "node:crypto";
import type { Transaction } from "kysely";
import type { Reads } from "../../platform/db/types.ts";
import { isAlive } from "../../platform/host/lifecycle.ts";
import { machineName } from "../../platform/host/machine-name.ts";
import type { Lease, Leases } from "../leases/index.ts";

type Keeper = { pid: number; machine: string };

const keptMs = 2 * 60_000;

/**
 * Which process renews a claim for its holder. It is a lease of its own beside the claim's, bound to the claim's token: the
 * keeper of a claim that ended says nothing about the next.
 */
export class ClaimKeepers {
  readonly #leases: Leases;

  constructor(leases: Leases) {
    this.#leases = leases;
  }

  /** This process renews it from now on. To be called again before `keptMs` are over. */
  async keep<Schema>(tx: Transaction<Schema>, claim: Lease): Promise<void> {
    const [current] = await this.#leases.readHeld(tx, [nameFor(claim)]);
    const holder = keeperHolder(claim, process.pid, machineName());
    if (current?.holder === holder) {
      await this.#leases.renewIn(tx, { ...current, ttlMs: keptMs });
      return;
    }
    if (current) await this.#leases.releaseIn(tx, current);
    await this.#leases.claimIn(tx, { name: nameFor(claim), holder, ttlMs: keptMs });
  }

  /** This process no longer renews it. */
  async letGo<Schema>(tx: Transaction<Schema>, claim: Lease): Promise<void> {
    const [current] = await this.#leases.readHeld(tx, [nameFor(claim)]);
    if (current?.holder === keeperHolder(claim, process.pid, machineName())) await this.#leases.releaseIn(tx, current);
  }

  /** Whether another process renews it, and is not known to have ended. */
  async isElsewhere<Schema>(reader: Pick<Reads<Schema>, "getExecutor">, claim: Lease): Promise<boolean> {
    const keeper = await this.#keeperOf(reader, claim);
    return keeper !== undefined && !isHere(keeper) && !isGone(keeper);
  }

  /** Whether the process that renewed it has ended without releasing it. */
  async isDead<Schema>(reader: Pick<Reads<Schema>, "getExecutor">, claim: Lease): Promise<boolean> {
    const keeper = await this.#keeperOf(reader, claim);
    return keeper !== undefined && isGone(keeper);
  }

  async #keeperOf<Schema>(reader: Pick<Reads<Schema>, "getExecutor">, claim: Lease): Promise<Keeper | undefined> {
    const [current] = await this.#leases.readHeld(reader, [nameFor(claim)]);
    const [, pid, machine = "", token] =
      /^forge\.(\d{1,10})@([0-9a-f]{12}) (\d{1,15})$/.exec(current?.holder ?? "") ?? [];
    return pid === undefined || Number(token) !== claim.token ? undefined : { pid: Number(pid), machine };
  }
}

export function keeperHolder({ token }: Pick<Lease, "token">, pid: number, machine: string): string {
  return `forge.${pid}@${markOf(machine)} ${token}`;
}

function nameFor({ name }: Lease): string {
  return `kept:${name}`;
}

function isHere({ pid, machine }: Keeper): boolean {
  return pid === process.pid && machine === markOf(machineName());
}

/** Of a process on another machine only its renewals are known. */
function isGone({ pid, machine }: Keeper): boolean {
  return machine === markOf(machineName()) && !isAlive(pid);
}

function markOf(machine: string): string {
  return createHash("sha256").update(machine).digest("hex").slice(0, 12);
}
