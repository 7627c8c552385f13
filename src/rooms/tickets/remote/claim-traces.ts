import type { Copies } from "../../../commons/remote/offline/copies.ts";
import { isRecord } from "../../../kernel/json.ts";
import { isAlive } from "../../../platform/host/lifecycle.ts";
import { machineName } from "../../../platform/host/machine-name.ts";

/**
 * A note of each claim that a process holds, kept beside the offline copies. If the process is killed, the next one on this
 * machine finds in it the mark that the claim can be released with.
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
    await this.#copies.settle();
  }

  async remove(id: string): Promise<void> {
    this.#copies.forget(await this.#owner(), nameOf(id));
    await this.#copies.settle();
  }

  /** The mark of the last holder, if that process no longer runs. */
  async ofKilled(id: string): Promise<string | undefined> {
    const { value } = (await this.#copies.find(await this.#owner(), nameOf(id))) ?? {};
    if (!isRecord(value)) return undefined;
    const { mark, pid, host } = value;
    // In a home folder that several machines share, the process may run on another one.
    if (typeof mark !== "string" || typeof pid !== "number" || host !== machineName()) return undefined;
    return isAlive(pid) ? undefined : mark;
  }
}

function nameOf(id: string): string {
  return `held ${id}`;
}
