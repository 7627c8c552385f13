import { Turns } from "../../../platform/db/turns.ts";
import { tooManyUploads } from "./errors.ts";

/** How many packages are here at once, the one in work and those that wait, and how many of them of one team. */
const maxUploads = 16;
const maxOfTeam = 8;

/** Packages are unpacked in memory, to a multiple of their size: one at a time, and no more wait than memory has room for. */
export class PublishQueue {
  readonly #turns = new Turns();
  /** Whose packages they are, in any order. */
  readonly #teams: string[] = [];

  async run<T>(team: string, work: () => Promise<T>): Promise<T> {
    const own = this.#teams.filter((one) => one === team).length;
    if (own >= maxOfTeam || this.#teams.length >= maxUploads) throw tooManyUploads();
    this.#teams.push(team);
    try {
      return await this.#turns.run(work);
    } finally {
      this.#teams.splice(this.#teams.indexOf(team), 1);
    }
  }
}
