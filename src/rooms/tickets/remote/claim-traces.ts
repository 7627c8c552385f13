import type { Copies } from "../../../commons/remote/offline/copies.ts";
import { isAlive } from "../../../platform/host/lifecycle.ts";
import { machineName } from "../../../platform/host/machine-name.ts";
import { isRecord } from "../reading/loose.ts";

/**
 * What a process leaves beside the copies of a claim that it holds: where it was killed, the next one on this machine finds
 * there by which mark the claim can be given back.
 */
export class ClaimTraces {
  readonly #copies: Copies;
  readonly #owner: () => Promise<string>;

  constructor(copies: Copies, owner: () => Promise<string>) {
    this.#copies = copies;
    this.#owner = owner;
  }

  async leave(id: string, mark: string): Promise<void> {
    this.#copies.keep(await this.#owner(), nameOf(id), { mark, pid: process.pid, host: machineName() });
    await this.#copies.settled();
  }

  async remove(id: string): Promise<void> {
    this.#copies.forget(await this.#owner(), nameOf(id));
    await this.#copies.settled();
  }

  /** The mark of the one that held it last, where that process is gone. */
  async ofKilled(id: string): Promise<string | undefined> {
    const { value } = (await this.#copies.find(await this.#owner(), nameOf(id))) ?? {};
    if (!isRecord(value)) return undefined;
    const { mark, pid, host } = value;
    // In a home that machines share, a number may be of a process of another.
    if (typeof mark !== "string" || typeof pid !== "number" || host !== machineName()) return undefined;
    return isAlive(pid) ? undefined : mark;
  }
}

function nameOf(id: string): string {
  return `held ${id}`;
}
