import type { Copies } from "./copies.ts";

const forgetAfterMs = 24 * 3_600_000;

const [kind, ledger] = ["kind of server", "has no ledger"];

/** What one process found out about a server, so that the next need not ask. */
export class ServerMemory {
  readonly #copies: Copies;
  readonly #api: string;
  readonly #now: () => number;

  constructor(copies: Copies, api: string, now: () => number = Date.now) {
    this.#copies = copies;
    this.#api = api;
    this.#now = now;
  }

  async isForge(): Promise<boolean> {
    return (await this.#copies.find(this.#api, kind))?.value === "forge";
  }

  noteForge(): void {
    this.#copies.keep(this.#api, kind, "forge");
  }

  /** Remembered for a day: a server may be updated. */
  async hasNoLedger(): Promise<boolean> {
    if (await this.isForge()) return false;
    const noted = await this.#copies.find(this.#api, ledger);
    return noted !== undefined && Math.abs(this.#now() - Date.parse(noted.at)) < forgetAfterMs;
  }

  /** Not for a Forge server, which has one: something in between answered. */
  async noteNoLedger(): Promise<void> {
    if (!(await this.isForge())) this.#copies.keep(this.#api, ledger, true);
  }

  /** The name behind a token, for when the server cannot be asked. */
  async nameOf(owner: string): Promise<string | undefined> {
    const known = (await this.#copies.find(owner, "name"))?.value;
    return typeof known === "string" ? known : undefined;
  }

  async noteName(owner: string, name: string): Promise<void> {
    if ((await this.nameOf(owner)) !== name) this.#copies.keep(owner, "name", name);
  }
}
